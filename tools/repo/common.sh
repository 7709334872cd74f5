# SPDX-License-Identifier: Apache-2.0
# What ./dev and the scripts beside this one share: packages, presets, progress. Sourced, with the repository's
# top as working directory.

jobs=${JOBS:-$(nproc)}
export NINJA_STATUS='[%f/%t %es] '

declare -A packages=(
  [build]="git ca-certificates cmake ninja-build g++ ccache pkg-config mcpp libcli11-dev libfmt-dev nlohmann-json3-dev libssl-dev python3"
  [tests]="libgtest-dev libbenchmark-dev python3"
  [peers]="omniorb omniidl libomniorb4-dev omniorb-nameserver omniorb-idl tshark openssl python3"
  [jacorb]="openjdk-17-jdk-headless maven"
  [java]="openjdk-17-jdk-headless"
  [java22]="openjdk-17-jdk-headless maven"
  [omniorbpy]="python3"
  [clang-tidy]="python3"
  [pip]="python3-pip"
  [clang]="clang-19 clang-format-19 libclang-rt-19-dev llvm-19"
  [measure]="valgrind strace"
  [aarch64]="g++-aarch64-linux-gnu qemu-user-static libgtest-dev"
  [armhf]="g++-arm-linux-gnueabihf qemu-user-static libgtest-dev"
  [s390x]="g++-s390x-linux-gnu qemu-user-static libgtest-dev"
  [python]="python3"
  [package]="dpkg-dev file"
  [footprint_peers]="omniidl libomniorb4-dev libzeroc-ice-dev zeroc-ice-compilers libgrpc++-dev protobuf-compiler protobuf-compiler-grpc"
  [picture]="python3-matplotlib"
)

step() { printf '\n== %s\n' "$*"; }

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "./dev: root or sudo is needed to run: $*" >&2
    return 1
  fi
}

# need GROUP... : installs what is missing of those groups. Nothing is asked and nothing is done when all is there.
need() {
  need_packages "$@"
  if [[ " $* " == *" jacorb "* ]] && ! tools/repo/from_maven jacorb; then
    echo "./dev: JacORB cannot be fetched: NO test runs against it" >&2
    if [[ ${CI:-} == true ]]; then return 1; fi
  fi
  # Its wheels are made for one Python: where they do not fit, the tests are skipped.
  if [[ " $* " == *" omniorbpy "* ]] && ! { need_pip && tools/repo/from_pypi omniorbpy; }; then
    echo "./dev: omniORBpy cannot be fetched: NO test runs against it" >&2
    if [[ ${CI:-} == true ]]; then return 1; fi
  fi
  # A JDK that is new enough needs neither.
  if [[ " $* " == *" java22 "* ]] && ! has_java22 && ! { need_pip && tools/repo/from_pypi java25 && tools/repo/from_maven ecj; }; then
    echo "./dev: Java 25 or ecj cannot be fetched: tenon.jar has no engine over java.lang.foreign, and NO test runs it" >&2
    if [[ ${CI:-} == true ]]; then return 1; fi
  fi
  if [[ " $* " == *" clang-tidy "* ]]; then need_pip && tools/repo/from_pypi clang-tidy; fi
}

has_java22() { [[ $(javac -version 2>/dev/null) =~ ^javac\ ([0-9]+) ]] && ((BASH_REMATCH[1] >= 22)); }

need_pip() { python3 -m pip --version >/dev/null 2>&1 || need_packages pip; }

need_packages() {
  local group package missing=()
  if ! command -v dpkg-query >/dev/null; then
    echo "./dev: this is no Debian; taking for granted that these are installed: $*" >&2
    return 0
  fi
  for group in "$@"; do
    for package in ${packages[$group]}; do
      if [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) != installed ]]; then
        missing+=("$package")
      fi
    done
  done
  if ((${#missing[@]} == 0)); then return 0; fi
  step "installing ${missing[*]}"
  local try
  for try in 1 2 3; do
    if as_root apt-get update -q &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"; then
      packages_came=yes
      return 0
    fi
    echo "./dev: installing failed (try $try of 3)" >&2
    sleep $((try * 5))
  done
  return 1
}

need_for_preset() {
  case $1 in
    dev | release-tests) need build tests peers jacorb java22 ;;
    release | package | minimal) need build ;;
    aarch64 | armhf | s390x) need build tests "$1" ;;
    *) need build tests peers jacorb java22 clang ;;
  esac
}

# build_preset PRESET [TARGET...]
build_preset() {
  local preset=$1
  shift
  step "build $preset"
  # A folder that was configured before finds packages that came since, and presets that changed, only when told.
  if [[ ! -f build/$preset/build.ninja || CMakePresets.json -nt build/$preset/build.ninja ||
    -n ${packages_came:-}${CONFIGURE_OPTIONS:-} ]]; then
    cmake --preset "$preset" ${CONFIGURE_OPTIONS:-}
  fi
  ninja -C "build/$preset" -j "$jobs" "$@"
}

# cross_release TARGET TENON_IDL [NINJA_TARGET...] : what ships, for another machine, as docs/cross-building.md says
cross_release() {
  local target=$1 idl=$2 triple=${packages[$1]%% *}
  shift 2
  triple=${triple#g++-}
  step "build release-$target"
  cmake --preset release -B "build/release-$target" --toolchain cmake/debian-cross.cmake -DCROSS_TARGET="$target" \
    -DCMAKE_CXX_COMPILER="$triple-g++" -DTENON_COMPILER=OFF -DTENON_IDL_EXECUTABLE="$idl"
  ninja -C "build/release-$target" -j "$jobs" "$@"
}

# The project's version.
version() { sed -n 's/^project(tenon VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt; }

# run_ctest PRESET [OPTION...] : the tests of a build, and after ctest's closing lines what was skipped
run_ctest() {
  local status=0 log=build/$1/Testing/Temporary/LastTest.log
  # One more than processors, since many tests wait for a time to pass.
  ctest --test-dir "build/$1" -j "$((jobs + 1))" --output-on-failure --no-tests=error "${@:2}" || status=$?
  if [[ -f $log ]]; then python3 tools/repo/skipped.py "$log"; fi
  return "$status"
}

# Our own C++ files, NUL-separated: tracked ones, and new ones that no .gitignore names.
own_sources() {
  git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.hpp' | while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then printf '%s\0' "$file"; fi
  done
}
