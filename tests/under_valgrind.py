#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""under_valgrind.py PROGRAM [ARGUMENT...]: a test program under Valgrind's memcheck, whose findings are its failure."""
import os
import shutil
import sys

import absent

if shutil.which("valgrind") is None:
    sys.exit(absent.not_run("valgrind is not installed"))
os.execvp("valgrind", ["valgrind", "--quiet", "--error-exitcode=9", *sys.argv[1:]])
