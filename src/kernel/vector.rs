//! The vector backends: the kernels, compiled once for each instruction set.
//!
//! The kernels and the vector operations are generic and always inlined; only the entries here are annotated with an
//! instruction set, so that nothing else in the library holds an instruction of it.

use super::{Backend, Kernels, double, float};

/// A backend: the vector types of float and double, the instruction set that its entries enable.
macro_rules! backend {
    ($module:ident, $name:literal, $float:ty, $double:ty $(, $features:literal)?) => {
        pub(crate) mod $module {
            use super::{Backend, Kernels, double, float};

            pub(crate) static BACKEND: Backend = Backend {
                name: $name,
                f32: Kernels {
                    forward: [forward_none_f32, forward_tanh_f32],
                    backward: [backward_none_f32, backward_tanh_f32],
                    grain: 16_448,
                },
                f64: Kernels {
                    forward: [forward_none_f64, forward_tanh_f64],
                    backward: [backward_none_f64, backward_tanh_f64],
                    grain: 8_448,
                },
            };

            $(#[target_feature(enable = $features)])?
            unsafe fn forward_none_f32(x: *const f32, y: *mut f32, n: usize) {
                // SAFETY: the caller's contract is the same, and the instruction set is enabled here.
                unsafe { float::driver::run::<$float, float::forward_none::None>(x, x, y, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn forward_tanh_f32(x: *const f32, y: *mut f32, n: usize) {
                // SAFETY: as above.
                unsafe { float::driver::run::<$float, float::forward_tanh::Tanh>(x, x, y, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn backward_none_f32(dy: *const f32, x: *const f32, dx: *mut f32, n: usize) {
                // SAFETY: as above.
                unsafe { float::driver::run::<$float, float::backward_none::None>(dy, x, dx, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn backward_tanh_f32(dy: *const f32, x: *const f32, dx: *mut f32, n: usize) {
                // SAFETY: as above.
                unsafe { float::driver::run::<$float, float::backward_tanh::Tanh>(dy, x, dx, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn forward_none_f64(x: *const f64, y: *mut f64, n: usize) {
                // SAFETY: as above.
                unsafe { double::forward::<$double, double::none::Exact>(x, y, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn forward_tanh_f64(x: *const f64, y: *mut f64, n: usize) {
                // SAFETY: as above.
                unsafe { double::forward::<$double, double::tanh::Tanh>(x, y, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn backward_none_f64(dy: *const f64, x: *const f64, dx: *mut f64, n: usize) {
                // SAFETY: as above.
                unsafe { double::backward::<$double, double::none::Exact>(dy, x, dx, n) }
            }

            $(#[target_feature(enable = $features)])?
            unsafe fn backward_tanh_f64(dy: *const f64, x: *const f64, dx: *mut f64, n: usize) {
                // SAFETY: as above.
                unsafe { double::backward::<$double, double::tanh::Tanh>(dy, x, dx, n) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
backend!(
    avx512,
    c"avx512",
    crate::simd::float::avx512::Avx512,
    crate::simd::double::avx512::Avx512,
    "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma"
);

#[cfg(target_arch = "x86_64")]
backend!(avx2, c"avx2", crate::simd::float::avx2::Avx2, crate::simd::double::avx2::Avx2, "avx2,fma");

#[cfg(target_arch = "aarch64")]
backend!(neon, c"neon", crate::simd::float::neon::Neon, crate::simd::double::neon::Neon, "neon");

// The kernels on one lane at a time, for tests and Miri.
#[cfg(all(test, target_arch = "x86_64"))]
backend!(one, c"one", crate::simd::float::one::One, crate::simd::double::one::One, "fma");

// The same where FMA needs no feature.
#[cfg(all(test, not(target_arch = "x86_64")))]
backend!(one, c"one", crate::simd::float::one::One, crate::simd::double::one::One);

#[cfg(test)]
mod tests {
    use super::one;
    use crate::dispatch;
    use crate::kernel::{Backend, Element};

    /// Arguments of any bits, and of those around which the functions do something.
    fn arguments<T: Element>(from_bits: impl Fn(u64) -> T, from_f64: impl Fn(f64) -> T, n: usize) -> Vec<T> {
        let mut state = 1u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ (state >> 29)
        };
        let unit = |bits: u64| (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        (0..n)
            .map(|i| match i % 4 {
                0 => from_bits(next()),
                1 => from_f64(80.0 * unit(next())),
                2 => from_f64(-0.752 + 0.01 * unit(next())),
                _ => from_f64(10.0 * unit(next())),
            })
            .collect()
    }

    fn run<T: Element>(backend: &'static Backend, dy: &[T], x: &[T], form: usize, nothing: T) -> [Vec<T>; 2] {
        let kernels = T::kernels(backend);
        let (mut y, mut dx) = (vec![nothing; x.len()], vec![nothing; x.len()]);
        // SAFETY: the buffers have one length, and the machine runs the backend.
        unsafe {
            (kernels.forward[form])(x.as_ptr(), y.as_mut_ptr(), x.len());
            (kernels.backward[form])(dy.as_ptr(), x.as_ptr(), dx.as_mut_ptr(), x.len());
        }
        [y, dx]
    }

    /// The sign and the payload of a NaN are no promise.
    fn compare<T: Element>(dy: &[T], x: &[T], nothing: T, bits: impl Fn(T) -> Option<u64>) {
        for backend in dispatch::available().filter(|backend| backend.name != c"portable") {
            for form in 0..2 {
                let single = run(&one::BACKEND, dy, x, form, nothing);
                let vector = run(backend, dy, x, form, nothing);
                for (single, vector) in single.iter().zip(&vector) {
                    for (i, (&single, &vector)) in single.iter().zip(vector).enumerate() {
                        assert_eq!(
                            bits(vector),
                            bits(single),
                            "{:?}, form {form}, {:?}",
                            backend.name,
                            bits(x[i])
                        );
                    }
                }
            }
        }
    }

    /// What Miri sees of the vector kernels: they are the same source for one lane.
    fn compare_with_single_elements<T: Element>(
        dy: &[T],
        x: &[T],
        nothing: T,
        bits: impl Fn(T) -> Option<u64>,
    ) {
        for form in 0..2 {
            let all = run(&one::BACKEND, dy, x, form, nothing);
            for i in 0..x.len() {
                let alone = run(&one::BACKEND, &dy[i..=i], &x[i..=i], form, nothing);
                for (all, alone) in all.iter().zip(&alone) {
                    assert_eq!(bits(all[i]), bits(alone[0]), "form {form}, {:?}", bits(x[i]));
                }
            }
        }
    }

    #[test]
    fn one_lane_gives_the_bits_of_single_elements() {
        let n = if cfg!(miri) { 200 } else { 20_000 };
        let x = arguments(|bits| f32::from_bits(bits as u32), |x| x as f32, n);
        let dy = arguments(|bits| f32::from_bits((bits >> 32) as u32), |x| x as f32 * 0.3, n);
        compare_with_single_elements(&dy, &x, 0.0, |x: f32| (!x.is_nan()).then(|| x.to_bits().into()));
        let x = arguments(f64::from_bits, |x| x, n);
        let dy = arguments(|bits| f64::from_bits(bits.rotate_left(7)), |x| x * 0.3, n);
        compare_with_single_elements(&dy, &x, 0.0, |x: f64| (!x.is_nan()).then(|| x.to_bits()));
    }

    // Under Miri there is no vector to compare with.
    #[cfg(not(miri))]
    #[test]
    fn one_lane_and_every_vector_give_the_same_bits() {
        let n = if cfg!(debug_assertions) { 40_000 } else { 1_000_000 };
        let x = arguments(|bits| f32::from_bits(bits as u32), |x| x as f32, n);
        let dy = arguments(|bits| f32::from_bits((bits >> 32) as u32), |x| x as f32 * 0.3, n);
        compare(&dy, &x, 0.0, |x: f32| (!x.is_nan()).then(|| x.to_bits().into()));
        let x = arguments(f64::from_bits, |x| x, n);
        let dy = arguments(|bits| f64::from_bits(bits.rotate_left(7)), |x| x * 0.3, n);
        compare(&dy, &x, 0.0, |x: f64| (!x.is_nan()).then(|| x.to_bits()));
    }
}
