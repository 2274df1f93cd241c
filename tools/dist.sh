#!/bin/sh
# Packs the installed tree as an archive that works wherever it is unpacked, with its checksum beside it.
#   tools/dist.sh target/release target/dist
set -eu
built=$1 out=$2
here=$(dirname "$0")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../Cargo.toml" | head -n 1)
triple=$("${RUSTC:-rustc}" -vV | sed -n 's/^host: //p')
name=libgelu-$version-$triple
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

env -u LIBDIR -u INCLUDEDIR -u DOCDIR DESTDIR="$work" PREFIX="/$name" "$here/install.sh" install "$built"
strip --strip-unneeded "$work/$name/lib/libgelu.so.$version"
mkdir -p "$out"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/$name.tar.gz" "$name"
cd "$out"
sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
echo "$out/$name.tar.gz"
