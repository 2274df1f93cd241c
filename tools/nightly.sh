# Sourced by scripts that need Rust's nightly toolchain: `needs_nightly COMPONENT…` installs those that are missing. On a machine
# that has no nightly toolchain and cannot get one it says so and ends the script, without failing.
needs_nightly() {
    local component
    for component in "$@"; do
        if ! rustup +nightly component list --installed 2>/dev/null | grep -q "^$component"; then
            echo "installing $component for the nightly toolchain"
            timeout 300 rustup +nightly component add "$component" || {
                echo "SKIPPED: ${0##*/} needs the nightly toolchain with $*" >&2
                exit 0
            }
        fi
    done
}
