#!/usr/bin/env bash
# Runs the C programs with sanitizers in them and in the library: `address` is AddressSanitizer with
# UndefinedBehaviorSanitizer for the C side, `thread` is ThreadSanitizer, for which the standard library is built too.
# clang comes from the system, the library from Rust's nightly toolchain, whose sanitizers stable Rust does not have.
#   tools/test_sanitizers.sh address thread
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/nightly.sh
needs_nightly rustc rust-src

target=x86_64-unknown-linux-gnu
# Left out: what is linked in ways of its own, name spaces that the sanitizers do not know, stacks too small for them, and
# what only costs time: the static library holds the same code.
skip=(--skip static_library --skip embed --skip another_rust --skip two_copies --skip crowd --skip very_large --skip header_compiles)

build() { # sanitizer, folder, more arguments of cargo
    RUSTFLAGS="-Zsanitizer=$1 -Cunsafe-allow-abi-mismatch=sanitizer" CARGO_PROFILE_RELEASE_LTO=off \
        cargo +nightly build --release --locked --lib --target "$target" --target-dir "target/$2" "${@:3}"
}

# A runner, even one that does nothing, makes the tests take one instruction set and fewer repetitions.
programs() { # folder, flags of clang, arguments of the test
    GELU_TEST_RUNNER=env GELU_TEST_LIBRARIES="$PWD/target/$1/$target/release" CC=clang CXX=clang++ CFLAGS="$2" CXXFLAGS="$2" \
        cargo test --release --locked --test c_programs -- "${skip[@]}" "${@:3}"
}

for sanitizer in "$@"; do
    case $sanitizer in
    address)
        build address asan
        flags="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
        # A child after fork leaves what belonged to the parent's threads, and so does a process that ends in the middle of a
        # call; nothing else may leak.
        leaves=(a_child_after_fork a_system_that_refuses threads_that_the_system_gives the_process_may_end soak)
        programs asan "$flags" "${leaves[@]/#/--skip=}"
        ASAN_OPTIONS=detect_leaks=0 programs asan "$flags" "${leaves[@]}"
        ;;
    thread)
        build thread tsan -Zbuild-std
        clang -O1 -fPIC -fno-builtin -c c_tests/tsan_memory.c -o target/tsan/memory.o
        flags="-fsanitize=thread -rdynamic -Wno-unused-command-line-argument $PWD/target/tsan/memory.o"
        # The runtime has a thread of its own, which outlives the last of the program, and makes threads by functions that
        # one test replaces.
        # Programs of one thread have no races.
        TSAN_OPTIONS=die_after_fork=0 programs tsan "$flags" --skip the_process_may_end \
            --skip threads_that_the_system_gives --skip values --skip errors_come --skip statuses --skip strided
        ;;
    *)
        echo "address or thread, not $sanitizer" >&2
        exit 2
        ;;
    esac
done
