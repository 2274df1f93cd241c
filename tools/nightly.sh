# Sourced by scripts that need Rust's nightly toolchain: `needs_nightly COMPONENT…` installs those that are missing. Where
# there is none, it says so and ends the script, with 0 unless GELU_TEST_NO_SKIP is set.
needs_nightly() {
    local component
    for component in "$@"; do
        if ! rustup +nightly component list --installed 2>/dev/null | grep -q "^$component"; then
            echo "installing $component for the nightly toolchain"
            rustup +nightly component add "$component" || {
                echo "SKIPPED: ${0##*/} needs the nightly toolchain with $*" >&2
                [ -z "${GELU_TEST_NO_SKIP:-}" ] && exit 0
                exit 1
            }
        fi
    done
}
