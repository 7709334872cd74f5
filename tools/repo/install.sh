# SPDX-License-Identifier: Apache-2.0
# What ./dev install and ./dev package do. Sourced after common.sh.

# may_write DIR : whether this user can make files below it. It need not be there yet.
may_write() {
  local folder=$1
  while [[ ! -e $folder ]]; do folder=$(dirname "$folder"); done
  [[ -d $folder && -w $folder ]]
}

# may_install DIR : asked before anything is built, because that takes minutes
may_install() {
  if may_write "$1" || [[ $(id -u) == 0 ]] || command -v sudo >/dev/null; then return 0; fi
  echo "./dev: only root may write to $1, and sudo is missing; ./dev install --prefix DIR installs elsewhere" >&2
  return 1
}

# install_tree BUILD PREFIX
install_tree() {
  local build=$1 prefix=$2 target=${DESTDIR:-}$2 administrator=()
  if ! may_write "$target"; then
    echo "./dev: only root may write to $target: asking sudo" >&2
    administrator=(as_root)
  fi
  rm -f "$build/install_manifest.txt"  # root's, of an earlier time, could not be written again
  # The headers are many: they are left out of what is shown.
  "${administrator[@]}" env DESTDIR="${DESTDIR:-}" cmake --install "$build" --prefix "$prefix" |
    grep -v -e '^-- Up-to-date' -e '/include/tenon' || [[ ${PIPESTATUS[0]} == 0 ]]
  if [[ -n ${DESTDIR:-} ]]; then return; fi
  if [[ $prefix == /usr/local || $prefix == /usr ]]; then "${administrator[@]}" /sbin/ldconfig; fi
  how_to_use "$build" "$prefix"
}

# What a program's build has to be told where the system does not look by itself.
how_to_use() {
  local build=$1 prefix=$2 libdir
  libdir=$prefix/$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[^=]*=//p' "$build/CMakeCache.txt")
  printf '\nTenon is installed in %s.\n' "$prefix"
  if [[ ":$PATH:" != *":$prefix/bin:"* ]]; then printf '  the compiler:  export PATH=%s/bin:$PATH\n' "$prefix"; fi
  if [[ $prefix == /usr/local || $prefix == /usr ]]; then return; fi
  printf '  CMake:         cmake -DCMAKE_PREFIX_PATH=%s ...\n' "$prefix"
  printf '  pkg-config:    export PKG_CONFIG_PATH=%s/pkgconfig\n' "$libdir"
  if [[ -e $libdir/libtenon.so ]]; then
    printf '  at run time:   export LD_LIBRARY_PATH=%s (docs/install.md has more ways)\n' "$libdir"
  fi
}

# make_packages BUILD DIR : the Debian packages of a build whose prefix is /usr
make_packages() {
  cpack -G DEB --config "$1/CPackConfig.cmake" -B "$2" | grep -v '^CPack: -  ' || [[ ${PIPESTATUS[0]} == 0 ]]
  rm -rf "${2:?}/_CPack_Packages"
  printf '\nInstall them with: sudo apt install %s\n' "$(printf './%s ' "$2"/*.deb)"
}

# make_maven DIR : a Maven repository with the Java run time and its native libraries
make_maven() {
  if [[ $(uname -m) != x86_64 ]]; then
    echo "./dev: the artifact is made on x86-64, for it and aarch64" >&2
    return 1
  fi
  build_preset release tenon-idl tenon_jni tenon_java
  cross_release aarch64 "$PWD/build/release/idl/tenon-idl" tenon_jni
  step "package java"
  tools/repo/maven_artifact.py "$(version)" "$1" build/release/bindings/java/tenon.jar x86_64=build/release=strip \
    aarch64=build/release-aarch64=aarch64-linux-gnu-strip
}
