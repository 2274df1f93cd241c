//! What the tests share: the functions under test by name, on each backend, and the reference values.

#![allow(dead_code)]
#![allow(missing_docs, unreachable_pub)]

pub mod compiler;
pub mod reference;

use core::fmt::{Debug, Display};
use std::path::PathBuf;

use gelu::kernel::{Backend, Element};

/// The element types, with what tests need of them.
pub trait Real: Element + Copy + PartialEq + Debug + Display {
    const NAME: &'static str;
    const NAN: Self;
    const INFINITY: Self;
    const LARGEST: Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
    fn forward(x: &[Self], y: &mut [Self], approximation: i32) -> i32;
    fn backward(dy: &[Self], x: &[Self], dx: &mut [Self], approximation: i32) -> i32;
}

macro_rules! real {
    ($type:ident, $forward:ident, $backward:ident) => {
        impl Real for $type {
            const NAME: &'static str = stringify!($type);
            const NAN: Self = $type::NAN;
            const INFINITY: Self = $type::INFINITY;
            const LARGEST: Self = $type::MAX;
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            fn to_f64(self) -> f64 {
                self.into()
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn from_bits(bits: u64) -> Self {
                $type::from_bits(bits.try_into().expect("the bits of the type"))
            }
            fn forward(x: &[Self], y: &mut [Self], approximation: i32) -> i32 {
                assert_eq!(x.len(), y.len());
                // SAFETY: the slices are valid for their length.
                unsafe { gelu::capi::$forward(x.as_ptr(), y.as_mut_ptr(), x.len(), approximation) }
            }
            fn backward(dy: &[Self], x: &[Self], dx: &mut [Self], approximation: i32) -> i32 {
                assert!(dy.len() == x.len() && x.len() == dx.len());
                // SAFETY: the slices are valid for their length.
                unsafe {
                    gelu::capi::$backward(dy.as_ptr(), x.as_ptr(), dx.as_mut_ptr(), x.len(), approximation)
                }
            }
        }
    };
}

real!(f32, gelu_forward_f32, gelu_backward_f32);
real!(f64, gelu_forward_f64, gelu_backward_f64);

/// One of the four functions of a type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Function {
    pub backward: bool,
    pub approximation: i32,
}

pub const FUNCTIONS: [Function; 4] = [
    Function { backward: false, approximation: 0 },
    Function { backward: true, approximation: 0 },
    Function { backward: false, approximation: 1 },
    Function { backward: true, approximation: 1 },
];

impl Function {
    pub fn name(self) -> &'static str {
        match (self.backward, self.approximation) {
            (false, 0) => "forward_none",
            (true, 0) => "backward_none",
            (false, _) => "forward_tanh",
            (true, _) => "backward_tanh",
        }
    }

    pub fn of_name(name: &str) -> Self {
        *FUNCTIONS.iter().find(|function| function.name() == name).expect("a known function")
    }

    /// This function of every x through the C functions, backward with dy = 1.
    pub fn call<T: Real>(self, x: &[T]) -> Vec<T> {
        let mut out = vec![T::NAN; x.len()];
        let status = if self.backward {
            T::backward(&vec![T::from_f64(1.0); x.len()], x, &mut out, self.approximation)
        } else {
            T::forward(x, &mut out, self.approximation)
        };
        assert_eq!(status, 0);
        out
    }

    /// This function of every x on one backend, on this thread; dy is used by backward alone.
    pub fn run<T: Real>(self, backend: &'static Backend, dy: &[T], x: &[T]) -> Vec<T> {
        let mut out = Vec::new();
        self.run_into(backend, dy, x, &mut out);
        out
    }

    /// The same into a buffer that is used again.
    pub fn run_into<T: Real>(self, backend: &'static Backend, dy: &[T], x: &[T], out: &mut Vec<T>) {
        out.clear();
        out.resize(x.len(), T::NAN);
        let kernels = T::kernels(backend);
        let form = self.approximation as usize;
        // SAFETY: the slices have one length, and the backend is one that this machine runs.
        unsafe {
            if self.backward {
                assert_eq!(dy.len(), x.len());
                (kernels.backward[form])(dy.as_ptr(), x.as_ptr(), out.as_mut_ptr(), x.len());
            } else {
                (kernels.forward[form])(x.as_ptr(), out.as_mut_ptr(), x.len());
            }
        }
    }
}

/// The name of a backend.
pub fn name(backend: &Backend) -> &'static str {
    backend.name.to_str().expect("an ASCII name")
}

/// The name that programs find the shared library by: with the part of the version that they depend on.
pub fn soname() -> String {
    match (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")) {
        ("0", minor) => format!("libgelu.so.0.{minor}"),
        (major, _) => format!("libgelu.so.{major}"),
    }
}

/// The bytes of a file in tests/data.
pub fn data(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A small generator (SplitMix64) for tests that want many values; the seed is the test's own.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform in -1 .. 1, with a full mantissa.
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Values where the functions do something: mostly within a few units, some tails, some of any bits.
    pub fn argument<T: Real>(&mut self) -> T {
        match self.below(8) {
            0 => T::from_f64(self.signed() * 45.0),
            1 => T::from_f64(self.signed() * 1e-3),
            2 => [T::INFINITY, T::NAN, T::from_f64(-0.0), T::from_f64(f64::NEG_INFINITY), T::LARGEST]
                [self.below(5)],
            _ => T::from_f64(self.signed() * 6.0),
        }
    }
}

/// For a test that lacks a tool, or a right, that `what` names with the command that gives it: says so, or fails where
/// GELU_TEST_NO_SKIP is set.
pub fn skip(what: &str) {
    assert!(std::env::var_os("GELU_TEST_NO_SKIP").is_none(), "{what}");
    eprintln!("skipped: {what}");
}
