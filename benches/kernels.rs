//! Speed of the kernels alone, on one thread: instruction set × type × form × direction × size.
//!
//! ```sh
//! cargo bench --bench kernels                      # everything
//! cargo bench --bench kernels -- avx2/f32/forward  # by a part of the name
//! ```
//!
//! The buffers hold N(0, 1). The sizes are a call's smallest, one in L1, one in the outer caches and one in
//! memory; 1003 leaves a remainder at every vector length.

#![allow(missing_docs)]

use core::hint::black_box;
use core::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gelu::dispatch;
use gelu::kernel::{Backend, Element};

const SIZES: [usize; 5] = [1, 16, 1003, 131_072, 1 << 24];
const FORMS: [&str; 2] = ["none", "tanh"];

/// N(0, 1) by Box and Muller's method from SplitMix64.
fn normal(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut uniform = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    (0..n).map(|_| (-2.0 * uniform().ln()).sqrt() * (core::f64::consts::TAU * uniform()).cos()).collect()
}

/// The buffers of one type, as long as the largest size.
struct Buffers<T> {
    dy: Vec<T>,
    x: Vec<T>,
    out: Vec<T>,
}

impl<T: Element> Buffers<T> {
    fn new(from: impl Fn(f64) -> T) -> Self {
        let most = SIZES[SIZES.len() - 1];
        let values = |seed| normal(most, seed).into_iter().map(&from).collect::<Vec<T>>();
        Self { dy: values(1), x: values(2), out: vec![from(0.0); most] }
    }
}

/// A group named isa/type/direction/form.
fn group<'a>(
    criterion: &'a mut Criterion,
    backend: &Backend,
    element: &str,
    direction: &str,
    form: usize,
) -> BenchmarkGroup<'a, WallTime> {
    let isa = backend.name.to_str().expect("an ASCII name");
    criterion.benchmark_group(format!("{isa}/{element}/{direction}/{}", FORMS[form]))
}

fn kernels_of<T: Element>(criterion: &mut Criterion, element: &str, from: impl Fn(f64) -> T) {
    let Buffers { dy, x, mut out } = Buffers::new(from);
    for backend in dispatch::available() {
        let kernels = T::kernels(backend);
        for form in 0..FORMS.len() {
            let kernel = kernels.forward[form];
            let mut group = group(criterion, backend, element, "forward", form);
            for n in SIZES {
                group.throughput(Throughput::Elements(n as u64));
                group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
                    bencher.iter(|| {
                        // SAFETY: the buffers hold n elements and are apart; this machine runs the backend.
                        unsafe { kernel(black_box(x.as_ptr()), out.as_mut_ptr(), black_box(n)) }
                    });
                });
            }
            group.finish();
        }
        for form in 0..FORMS.len() {
            let kernel = kernels.backward[form];
            let mut group = group(criterion, backend, element, "backward", form);
            for n in SIZES {
                group.throughput(Throughput::Elements(n as u64));
                group.bench_function(BenchmarkId::from_parameter(n), |bencher| {
                    bencher.iter(|| {
                        let (dy, x) = black_box((dy.as_ptr(), x.as_ptr()));
                        // SAFETY: as above.
                        unsafe { kernel(dy, x, out.as_mut_ptr(), black_box(n)) }
                    });
                });
            }
            group.finish();
        }
    }
}

fn all(criterion: &mut Criterion) {
    kernels_of::<f32>(criterion, "f32", |value| value as f32);
    kernels_of::<f64>(criterion, "f64", |value| value);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_secs(1));
    targets = all
}
criterion_main!(benches);
