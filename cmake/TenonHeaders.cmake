# SPDX-License-Identifier: Apache-2.0
# Writes the headers as they are installed, below ${headers}/tenon: those of include/, and in engine/ those of src/ and plugins/.
#
# In the source tree the engine's headers name each other by short paths ("base/bytes.hpp"), which any program might have, too. So
# an installed header names them by "tenon/engine/...", and a program needs one include folder. Runs when Tenon is installed; it
# wants `source`, the source tree, and `headers`, a new folder to write to.
file(GLOB engine_folders RELATIVE ${source}/src ${source}/src/*)
list(APPEND engine_folders plugins)
list(JOIN engine_folders "|" engine_folders)
foreach(root include/tenon src plugins)
  file(GLOB_RECURSE files RELATIVE ${source}/${root} ${source}/${root}/*.hpp ${source}/${root}/*.inc ${source}/${root}/*.h)
  list(FILTER files EXCLUDE REGEX "_test_")
  string(REPLACE "include/tenon" tenon folder ${root})
  string(REPLACE src tenon/engine folder ${folder})
  string(REPLACE plugins tenon/engine/plugins folder ${folder})
  foreach(file IN LISTS files)
    file(READ ${source}/${root}/${file} text)
    string(REGEX REPLACE "(#include \")(${engine_folders})/" "\\1tenon/engine/\\2/" text "${text}")
    file(WRITE ${headers}/${folder}/${file} "${text}")
  endforeach()
endforeach()
