#!/usr/bin/env bash
# Runs the tests of values and placement on emulated processors: Nehalem has no AVX, Haswell no AVX-512. What they
# detect is printed; a wrong instruction would end the test. Left to the real machine: guard pages, since this emulator
# reads all lanes of a masked load, and the test of every offset, which takes minutes here.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v qemu-x86_64-static >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq qemu-user-static >/dev/null
}
cargo build --release --locked
${CC:-cc} -O2 -Iinclude c_tests/isa.c -o target/release/isa -Ltarget/release -lgelu -Wl,-rpath,"$PWD/target/release"
for pair in Nehalem:portable Haswell:avx2; do
    cpu=${pair%%:*} expected=${pair##*:}
    got=$(qemu-x86_64-static -cpu "$cpu" target/release/isa)
    echo "$cpu: $got"
    [ "$got" = "$expected" ]
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="qemu-x86_64-static -cpu $cpu" \
        cargo test --release --locked --test accuracy --test cases --test special_values --test placement -- \
        --skip guarded --skip one_value
done
