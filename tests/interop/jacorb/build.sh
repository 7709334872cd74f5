#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh ARCHIVES JAVA JAVAC CLASSES IDL... -- JAVA-FILE... : JacORB's compiler, then the JDK's, into the folder CLASSES.
set -euo pipefail
archives=$1 java=$2 javac=$3 classes=$4
shift 4
here=$(dirname "${BASH_SOURCE[0]}")
generated=$classes.generated
rm -rf "$classes" "$generated"
mkdir -p "$classes" "$generated"
while [[ $1 != -- ]]; do
  # It says errors on the standard output, and ends with 0 in spite of some.
  said=$("$java" -XX:TieredStopAtLevel=1 -cp "$archives/*" org.jacorb.idl.parser -DIDL_TO_JAVA "-I$here" -d "$generated" "$1" 2>&1)
  if [[ -n $said ]]; then
    echo "$said" >&2
    exit 1
  fi
  shift
done
shift
find "$generated" -name '*.java' >"$generated/files"
printf '%s\n' "$@" >>"$generated/files"
"$javac" -J-XX:TieredStopAtLevel=1 -proc:none -Xlint:-options -nowarn -d "$classes" -cp "$archives/*" "@$generated/files"
