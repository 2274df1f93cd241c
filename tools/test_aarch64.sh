#!/usr/bin/env bash
# Builds the library and its tests for aarch64 and runs them under qemu-user: values, special values, placement, and
# that NEON gives the bits of one lane at a time.
#
# As root on Debian it installs what it needs: Debian's rustc, since the standard library for aarch64 comes with it,
# the cross compiler and the emulator.
set -euo pipefail
cd "$(dirname "$0")/.."

target=aarch64-unknown-linux-gnu
host_libraries=/usr/lib/rustlib
if [ ! -e "$host_libraries/$target" ]; then
    dpkg --add-architecture arm64
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq rustc-web gcc-aarch64-linux-gnu qemu-user-static >/dev/null
    # The arm64 package of the standard library cannot be installed beside the x86-64 one; its files can be.
    folder=$(mktemp -d)
    (cd "$folder" && apt-get download -qq libstd-rust-web-dev:arm64 2>/dev/null && dpkg -x libstd-rust-web-dev_*.deb .)
    cp -r "$folder/usr/lib/rustlib/$target" "$host_libraries/"
    rm -r "$folder"
fi

export RUSTC=/usr/bin/rustc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64-static -L /usr/aarch64-linux-gnu"
# The optimization across crates takes minutes for so many programs, and the kernels are in one crate.
CARGO_PROFILE_RELEASE_LTO=off cargo test --release --locked --target $target --target-dir target/aarch64 \
    --lib --test accuracy --test cases --test special_values --test placement --test arguments
