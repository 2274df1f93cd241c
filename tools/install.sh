#!/bin/sh
# Installs the libraries that cargo built, with what programs find them by, or removes them again.
#   PREFIX=/usr/local tools/install.sh install target/release
#   PREFIX=/usr/local tools/install.sh uninstall
# LIBDIR, INCLUDEDIR and DOCDIR lie below PREFIX unless they are set; DESTDIR goes before each of them. Nothing is written
# outside them, so that root may install what a user has built.
set -eu
umask 022
root=$(cd "$(dirname "$0")/.." && pwd)
fail() { echo "tools/install.sh: $*" >&2; exit 1; }

[ "$(uname -s)" = Linux ] || fail "knows Linux only; elsewhere use cargo cinstall of cargo-c"
: "${PREFIX:?is to be set}"
libdir=${LIBDIR:-$PREFIX/lib}
includedir=${INCLUDEDIR:-$PREFIX/include}
docdir=${DOCDIR:-$PREFIX/share/doc/gelu}
for path in "$PREFIX" "$libdir" "$includedir" "$docdir"; do
    case $path in /*) ;; *) fail "$path is not an absolute path" ;; esac
done
pc=$libdir/pkgconfig
cmake=$libdir/cmake/gelu
stage=${DESTDIR:-}

field() { sed -n "s/^$1 = \"\(.*\)\"/\1/p" "$root/Cargo.toml" | head -n 1; }
version=$(field version)
# The part of the version that stays while programs need not be linked anew, as in build.rs.
case $version in 0.*) abi=${version%.*} ;; *) abi=${version%%.*} ;; esac
documents="README.md LICENSE-MIT LICENSE-APACHE docs/DEPENDENCIES.md"

# What the files of packaging are filled with: paths from one installed folder to another.
fill() {
    from() { realpath -ms --relative-to="$1" "$2"; }
    sed -e "s|@VERSION@|$version|g" -e "s|@ABI@|$abi|" -e "s|@DESCRIPTION@|$(field description)|" \
        -e "s|@PREFIX_FROM_PC@|$(from "$pc" "$PREFIX")|" -e "s|@LIB@|$(from "$PREFIX" "$libdir")|" \
        -e "s|@INCLUDE@|$(from "$PREFIX" "$includedir")|" \
        -e "s|@INCLUDE_FROM_CMAKE@|$(from "$cmake" "$includedir")|" "$root/packaging/$1.in" >"$2"
}

install_all() {
    built=$1
    newer=$(find "$root/src" "$root/Cargo.toml" -newer "$built/libgelu.so" -type f | head -n 1)
    [ -z "$newer" ] || fail "$newer has changed since the library was built: run make first"
    mkdir -p "$stage$libdir" "$stage$includedir" "$stage$docdir" "$stage$pc" "$stage$cmake"
    install -m 755 "$built/libgelu.so" "$stage$libdir/libgelu.so.$version"
    ln -sf "libgelu.so.$version" "$stage$libdir/libgelu.so.$abi"
    ln -sf "libgelu.so.$version" "$stage$libdir/libgelu.so"
    "$root/tools/static_library.sh" "$built/libgelu.a" "$stage$libdir/libgelu.a"
    for header in "$root"/include/*.h "$root"/include/*.hpp; do
        [ ! -e "$header" ] || install -m 644 "$header" "$stage$includedir"
    done
    fill gelu.pc "$stage$pc/gelu.pc"
    fill gelu-config.cmake "$stage$cmake/gelu-config.cmake"
    fill gelu-config-version.cmake "$stage$cmake/gelu-config-version.cmake"
    for document in $documents; do install -m 644 "$root/$document" "$stage$docdir"; done
}

uninstall_all() {
    rm -f "$stage$libdir/libgelu.so.$version" "$stage$libdir/libgelu.so.$abi" "$stage$libdir/libgelu.so" \
        "$stage$libdir/libgelu.a" "$stage$pc/gelu.pc" \
        "$stage$cmake/gelu-config.cmake" "$stage$cmake/gelu-config-version.cmake"
    for header in "$root"/include/*.h "$root"/include/*.hpp; do rm -f "$stage$includedir/${header##*/}"; done
    for document in $documents; do rm -f "$stage$docdir/${document##*/}"; done
    # The folders of its own, unless another has put something there.
    for folder in "$stage$cmake" "$stage$docdir"; do rmdir "$folder" 2>/dev/null || :; done
}

case "${1:-}" in
install) install_all "${2:?the folder of the built libraries}" ;;
uninstall) uninstall_all ;;
*) fail "install or uninstall?" ;;
esac
# The dynamic linker looks new libraries up in a cache that root keeps.
if [ -z "$stage" ] && [ "$(id -u)" = 0 ]; then PATH=$PATH:/sbin:/usr/sbin ldconfig 2>/dev/null || :; fi
