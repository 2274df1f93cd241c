#!/usr/bin/env bash
# Runs the tests that are small enough under Miri, which sees every invalid access, unaligned reference and undefined
# operation: the checks of the arguments, the portable kernels, and the vector kernels' source for one lane. Miri knows no
# vector instructions and no signal masks, so one thread does it.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/nightly.sh
needs_nightly rustc rust-src miri
# The source for one lane is built for processors with FMA.
RUSTFLAGS=-Ctarget-feature=+fma MIRIFLAGS=-Zmiri-disable-isolation GELU_NUM_THREADS=1 \
    cargo +nightly miri test --locked --target-dir target/miri --lib --test arguments
