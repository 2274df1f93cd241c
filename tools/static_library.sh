#!/bin/sh
# Makes an archive for embedding of the one that cargo builds: a single object in which only the header's names are
# visible, so that it meets neither another Rust library nor the exports of a shared object it is linked into.
#   tools/static_library.sh target/release/libgelu.a target/static/libgelu.a
set -eu
in=$1 out=$2
header=$(dirname "$0")/../include/gelu.h
names=$(grep -oE '\bgelu_[a-z0-9_]+\(' "$header" | tr -d '(' | sort -u)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

roots='' visible=''
for name in $names; do
    roots="$roots -u $name"
    visible="$visible --keep-global-symbol=$name"
done
# Word splitting is meant: the names have no spaces.
# Without groups, which another library's would be dropped for.
ld -r --force-group-allocation --gc-sections $roots -o "$work/gelu.o" "$in"
# The standard library's bitcode is of no use here, and some versions of ar cannot read it.
objcopy $visible --remove-section=.llvmbc --remove-section=.llvmcmd --strip-debug --strip-unneeded "$work/gelu.o"
mkdir -p "$(dirname "$out")"
rm -f "$out"
ar rcs "$out" "$work/gelu.o"
