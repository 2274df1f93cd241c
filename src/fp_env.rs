//! The floating-point environment of the calling thread: the default one while the kernels run, the
//! caller's afterwards, status flags included.
//!
//! x86-64 has it in MXCSR and aarch64 in FPCR and FPSR: rounding mode, flush-to-zero, denormals-are-zero,
//! exception masks, exception flags. On another processor, and under Miri, nothing is switched.

/// The caller's environment, put back when this is dropped.
pub(crate) struct DefaultEnvironment {
    saved: imp::Environment,
}

impl DefaultEnvironment {
    /// Saves the environment of this thread and sets the default one: round to nearest even, subnormals
    /// kept, no exception trapped.
    #[inline]
    pub(crate) fn enter() -> Self {
        Self { saved: imp::enter() }
    }
}

impl Drop for DefaultEnvironment {
    #[inline]
    fn drop(&mut self) {
        imp::restore(&self.saved);
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod imp {
    use core::arch::asm;

    pub(super) type Environment = u32;

    /// All exceptions masked, round to nearest even, no flush-to-zero, no denormals-are-zero.
    const DEFAULT: u32 = 0x1f80;
    /// The exception flags, which change no result.
    const FLAGS: u32 = 0x3f;

    #[inline]
    pub(super) fn enter() -> Environment {
        let mut saved = 0;
        // SAFETY: stmxcsr writes the four bytes it is given; x86-64 always has SSE.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut saved, options(nostack, preserves_flags)) };
        if saved & !FLAGS != DEFAULT {
            load(DEFAULT);
        }
        saved
    }

    #[inline]
    pub(super) fn restore(saved: &Environment) {
        load(*saved);
    }

    #[inline]
    fn load(value: u32) {
        // SAFETY: the value is the default or was read from MXCSR, so no reserved bit is set. Not marked
        // as free of memory effects: the compiler keeps the kernels' loads and stores on their side of it.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack)) };
    }
}

#[cfg(all(target_arch = "aarch64", not(miri)))]
mod imp {
    use core::arch::asm;

    /// FPCR and FPSR.
    pub(super) type Environment = (u64, u64);

    #[inline]
    pub(super) fn enter() -> Environment {
        let (control, status): (u64, u64);
        // SAFETY: both registers are readable at EL0.
        unsafe {
            asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) status,
                options(nostack, preserves_flags));
        }
        if control != 0 {
            // SAFETY: 0 is the default: round to nearest, subnormals kept, nothing trapped.
            unsafe { asm!("msr fpcr, {}", in(reg) 0u64, options(nostack)) };
        }
        (control, status)
    }

    #[inline]
    pub(super) fn restore(&(control, status): &Environment) {
        // SAFETY: the values were read from these registers.
        unsafe {
            asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) status, options(nostack));
        }
    }
}

#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod imp {
    pub(super) type Environment = ();

    pub(super) fn enter() -> Environment {}

    pub(super) fn restore(_: &Environment) {}
}
