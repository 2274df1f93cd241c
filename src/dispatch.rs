//! Which backend serves this process: the best the processor and the operating system allow, lowered by
//! GELU_MAX_ISA. It is detected at the first call and kept.
//!
//! No lock and no once-cell: a fork in the middle of the first call would leave those taken in the child.
//! Detecting twice gives the same answer.

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};

use crate::kernel::{Backend, portable, vector};

/// A backend and the question whether this machine can run it.
struct Level {
    backend: &'static Backend,
    is_available: fn() -> bool,
}

/// The backends of this architecture, best first. The last is always available.
///
/// The standard library asks the operating system too whether it saves the registers.
static LEVELS: &[Level] = &[
    #[cfg(target_arch = "x86_64")]
    Level {
        backend: &vector::avx512::BACKEND,
        is_available: || {
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
        },
    },
    #[cfg(target_arch = "x86_64")]
    Level {
        backend: &vector::avx2::BACKEND,
        is_available: || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
    },
    #[cfg(target_arch = "aarch64")]
    Level {
        backend: &vector::neon::BACKEND,
        is_available: || std::arch::is_aarch64_feature_detected!("neon"),
    },
    Level { backend: &portable::BACKEND, is_available: || true },
];

static CURRENT: AtomicPtr<Backend> = AtomicPtr::new(ptr::null_mut());

/// The backend in use.
#[inline]
pub(crate) fn current() -> &'static Backend {
    // SAFETY: the pointer is null or that of a static.
    match unsafe { CURRENT.load(Ordering::Relaxed).as_ref() } {
        Some(backend) => backend,
        None => detect(),
    }
}

#[cold]
fn detect() -> &'static Backend {
    let cap = std::env::var_os("GELU_MAX_ISA");
    let backend = best(cap.as_deref().map(|cap| cap.as_encoded_bytes()));
    CURRENT.store(ptr::from_ref(backend).cast_mut(), Ordering::Relaxed);
    backend
}

/// The best available backend that is not above `cap`; a `cap` that names none of them changes nothing.
fn best(cap: Option<&[u8]>) -> &'static Backend {
    let cap = LEVELS.iter().position(|level| cap == Some(level.backend.name.to_bytes())).unwrap_or(0);
    let mut allowed = LEVELS.iter().skip(cap);
    match allowed.find(|level| (level.is_available)()) {
        Some(level) => level.backend,
        None => &portable::BACKEND,
    }
}

/// Every backend that this machine can run, best first, whatever GELU_MAX_ISA says.
pub fn available() -> impl Iterator<Item = &'static Backend> {
    LEVELS.iter().filter(|level| (level.is_available)()).map(|level| level.backend)
}

#[cfg(test)]
mod tests {
    use super::{available, best};

    #[test]
    fn an_unknown_cap_changes_nothing() {
        let uncapped = best(None).name;
        for cap in [&b""[..], b"AVX2", b"sse9", b"portable ", b"\xff"] {
            assert_eq!(best(Some(cap)).name, uncapped);
        }
    }

    #[test]
    fn a_cap_gives_that_level_where_the_machine_has_it() {
        for backend in available() {
            assert_eq!(best(Some(backend.name.to_bytes())).name, backend.name);
        }
    }
}
