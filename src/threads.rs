//! How many threads a call may use.
//!
//! Plain atomics, no once-cell: see dispatch.rs.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// More than any machine gains from; a larger wish counts as this.
const MOST: usize = 1024;

/// What gelu_set_num_threads asked for; 0 is the default.
static REQUESTED: AtomicUsize = AtomicUsize::new(0);
/// The default, 0 while it is not known.
static DEFAULT: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn set(n: usize) {
    REQUESTED.store(n.min(MOST), Ordering::Relaxed);
}

pub(crate) fn get() -> usize {
    match REQUESTED.load(Ordering::Relaxed) {
        0 => default(),
        n => n,
    }
}

fn default() -> usize {
    match DEFAULT.load(Ordering::Relaxed) {
        0 => {
            let wish = std::env::var("GELU_NUM_THREADS").ok().and_then(|text| parse(&text));
            // The standard library counts what affinity and the cgroup quota leave.
            let n = wish.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)).min(MOST);
            DEFAULT.store(n, Ordering::Relaxed);
            n
        }
        n => n,
    }
}

/// A positive decimal number; anything else is no wish.
fn parse(text: &str) -> Option<usize> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // A number too large for the type is a wish for as many as there can be.
    Some(text.parse().unwrap_or(usize::MAX)).filter(|&n| n > 0)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_a_positive_decimal_number_is_a_wish() {
        assert_eq!(parse("3"), Some(3));
        assert_eq!(parse(" 16 "), Some(16));
        assert_eq!(parse("99999999999999999999999"), Some(usize::MAX));
        for text in ["", " ", "0", "-1", "+2", "2.5", "two", "0x10", "4 4"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
