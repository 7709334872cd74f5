#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# try.sh SHARED STATIC TENON_CALL : uses the shared objects of the build folder SHARED, the program of STATIC, which is linked with
# libtenon.a, and tenon-call, where it was built
set -eu
cd "$1"
static=$2/two_sides
tenon_call=$3

# refused WORDS PROGRAM OPTION... : the program ends with a complaint that has these words
refused() {
  words=$1
  shift
  if "$@" 2> complaint; then
    echo "not refused: $*" >&2
    exit 1
  fi
  if ! grep -q -e "$words" complaint; then
    echo "$*: wanted '$words', found:" >&2
    cat complaint >&2
    exit 1
  fi
}
refused 'no_such_file.so: cannot open' ./two_sides -ORBProtocolLibrary ./no_such_file.so
refused 'libnothing.so: has no tenon_protocol_library' ./two_sides -ORBProtocolLibrary ./libnothing.so
refused 'libolder.so: was built for contract 0 of plug-ins' ./two_sides -ORBProtocolLibrary ./libolder.so
refused 'libtoy.so: is linked with another copy of Tenon' "$static" -ORBProtocolLibrary ./libtoy.so
refused 'libinside.so: is linked with another copy of Tenon' ./two_sides -ORBProtocolLibrary "$2/libinside.so"
refused 'a file of the current folder is ./libtoy.so' ./two_sides -ORBProtocolLibrary libtoy.so
refused 'two protocols are called toy' ./two_sides -ORBProtocolLibrary ./libtoy.so -ORBProtocolLibrary ./libtoy.so
refused 'protocol toy: there is no such protocol; this program has iiop, uiop, shmiop, inproc' ./two_sides -ORBProtocol toy
refused 'toy.backlog=many: wants a number' ./two_sides -ORBProtocolLibrary ./libtoy.so -ORBProtocolOption toy.backlog=many
refused 'toy has no such option; it has backlog' ./two_sides -ORBProtocolLibrary ./libtoy.so -ORBProtocolOption toy.log=7

if ! ./two_sides -ORBProtocolLibrary ./libtoy.so -ORBHelp 2>&1 </dev/null | grep -q -e '-ORBProtocolOption toy.backlog=connections'; then
  echo "-ORBHelp does not show the option of libtoy.so" >&2
  exit 1
fi

rm -f reference
options="-ORBProtocolLibrary ./libtoy.so"
./two_sides serve $options -ORBProtocol toy,iiop -ORBListenEndpoints "toy://;iiop://127.0.0.1" > reference &
server=$!
trap 'kill $server' EXIT
tries=0
until [ -s reference ]; do
  sleep 0.1
  tries=$((tries + 1))
  [ $tries -lt 300 ]
done
reference=$(cat reference)
# Over the protocol, over iiop from a program that does not have it, and the two in the caller's order of preference.
[ "$(./two_sides call "$reference" $options -ORBProtocol toy)" = called ]
[ "$("$static" call "$reference")" = called ]
# prefers PROTOCOL OPTION... : the program connects by that protocol
prefers() {
  wanted=$1
  shift
  if ! TENON_LOG=debug ./two_sides call "$reference" $options "$@" 2>&1 | grep -q "connected to $wanted "; then
    echo "$wanted was not preferred: $*" >&2
    exit 1
  fi
}
if [ -x "$tenon_call" ]; then
  "$tenon_call" --compact $options -ORBProtocol toy "$reference" _non_existent > answer
  grep -q '"return":false' answer
fi
prefers toy -ORBProtocol toy,iiop
prefers iiop -ORBProtocol iiop,toy
prefers toy -ORBProtocol toy
