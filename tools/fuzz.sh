#!/usr/bin/env bash
# Runs the two fuzzers of c_tests/fuzz with clang's libFuzzer, that of the values on every instruction set of this machine:
#   tools/fuzz.sh SECONDS
# Each run takes SECONDS. Inputs that reached new code are kept in target/fuzz/corpus, and one that failed is
# target/fuzz/<fuzzer>-crash-*; given to target/fuzz/<fuzzer> as its argument, it fails again.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/nightly.sh
needs_nightly rustc

seconds=$1
target=x86_64-unknown-linux-gnu
RUSTFLAGS="-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer -Cpasses=sancov-module \
-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table" CARGO_PROFILE_RELEASE_LTO=off \
    cargo +nightly build --release --locked --lib --target "$target" --target-dir target/fuzz

build() { # name, sources
    clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -DGELU_STATIC -Iinclude \
        "${@:2}" "target/fuzz/$target/release/libgelu.a" -lmpfr -lgmp -lpthread -ldl -lm -o "target/fuzz/$1"
}
build arguments c_tests/fuzz/arguments.c
build values c_tests/fuzz/values.c c_tests/fresh_points/exact.c

run() { # name, instruction set
    mkdir -p "target/fuzz/corpus/$1"
    echo "$1 on $2, $seconds s"
    if ! GELU_MAX_ISA=$2 "target/fuzz/$1" -max_total_time="$seconds" -max_len=400 -print_final_stats=1 \
        -artifact_prefix="target/fuzz/$1-" "target/fuzz/corpus/$1" 2>"target/fuzz/$1.log"; then
        tail -n 40 "target/fuzz/$1.log"
        exit 1
    fi
    grep -E "number_of_executed_units|^#[0-9]+.DONE" "target/fuzz/$1.log"
}
run arguments any
for isa in avx512 avx2; do
    if grep -q " ${isa/avx512/avx512f} " /proc/cpuinfo; then run values "$isa"; fi
done
run values portable
