//! What an element becomes does not depend on where it stands, and nothing outside the buffers is touched.

mod support;

use gelu::dispatch;
use gelu::kernel::Backend;
use support::{FUNCTIONS, Function, Random, Real, name};

/// Runs one function over raw places: unaligned ones, in place ones.
///
/// # Safety
/// As for the kernels.
unsafe fn run_at<T: Real>(
    function: Function,
    backend: &'static Backend,
    dy: *const T,
    x: *const T,
    out: *mut T,
    n: usize,
) {
    let kernels = T::kernels(backend);
    let form = function.approximation as usize;
    // SAFETY: the caller's contract.
    unsafe {
        if function.backward {
            (kernels.backward[form])(dy, x, out, n);
        } else {
            (kernels.forward[form])(x, out, n);
        }
    }
}

fn arguments<T: Real>(n: usize, seed: u64) -> (Vec<T>, Vec<T>) {
    let mut random = Random(seed);
    let x = (0..n).map(|_| random.argument()).collect();
    let dy = (0..n).map(|_| T::from_f64(random.signed() * 3.0)).collect();
    (dy, x)
}

fn for_each_function<T: Real>(test: impl Fn(Function, &'static Backend, &str)) {
    for backend in dispatch::available() {
        for function in FUNCTIONS {
            test(function, backend, &format!("{} {} {}", name(backend), T::NAME, function.name()));
        }
    }
}

fn same_bits<T: Real>(got: &[T], right: &[T], what: &str) {
    assert_eq!(got.len(), right.len());
    for (i, (got, right)) in got.iter().zip(right).enumerate() {
        assert_eq!(got.bits(), right.bits(), "{what}: element {i} is {got}, not {right}");
    }
}

fn lengths<T: Real>() {
    for_each_function::<T>(|function, backend, what| {
        let (dy, x) = arguments::<T>(130, 3);
        let single: Vec<T> = (0..x.len()).map(|i| function.run(backend, &dy[i..=i], &x[i..=i])[0]).collect();
        for n in 0..=130 {
            let got = function.run(backend, &dy[..n], &x[..n]);
            same_bits(&got, &single[..n], &format!("{what}, n = {n}"));
            let last = x.len() - n;
            let got = function.run(backend, &dy[last..], &x[last..]);
            same_bits(&got, &single[last..], &format!("{what}, the last {n}"));
        }
    });
}

#[test]
fn every_length_from_0_to_130_gives_the_bits_of_single_elements() {
    lengths::<f32>();
    lengths::<f64>();
}

/// The same value n times gives one bit pattern, wherever it starts.
fn repeated<T: Real>() {
    for_each_function::<T>(|function, backend, what| {
        for value in [-5.5, -0.7517, -1.0, 0.3, 4.4, -9.0, -30.0] {
            let value = T::from_f64(value);
            let dy = [T::from_f64(1.5); 160];
            let alone = function.run(backend, &dy[..1], &[value])[0].bits();
            let x = [value; 160];
            for n in 1..=131 {
                for offset in 0..16 {
                    let got = function.run(backend, &dy[offset..offset + n], &x[offset..offset + n]);
                    assert!(
                        got.iter().all(|got| got.bits() == alone),
                        "{what}({value}), n = {n}, offset {offset}"
                    );
                }
            }
        }
    });
}

#[test]
fn one_value_has_one_bit_pattern_at_every_position() {
    repeated::<f32>();
    repeated::<f64>();
}

fn byte_alignment<T: Real>() {
    let size = size_of::<T>();
    for_each_function::<T>(|function, backend, what| {
        let (dy, x) = arguments::<T>(67, 5);
        let right = function.run(backend, &dy, &x);
        let bytes = size * x.len();
        for shift in 0..size {
            // A different shift for each buffer.
            let shifts = [shift, (shift + 1) % size, (shift + size - 1) % size];
            let mut buffers = shifts.map(|shift| vec![0xa5u8; bytes + 2 * size + shift]);
            let [dy_at, x_at, out_at] =
                [0, 1, 2].map(|i| buffers[i].as_mut_ptr().wrapping_add(size + shifts[i]).cast::<T>());
            // SAFETY: each buffer has a margin of one element on both sides of its 67 elements.
            let got: Vec<T> = unsafe {
                dy_at.cast::<u8>().copy_from(dy.as_ptr().cast(), bytes);
                x_at.cast::<u8>().copy_from(x.as_ptr().cast(), bytes);
                run_at(function, backend, dy_at, x_at, out_at, x.len());
                (0..x.len()).map(|i| out_at.add(i).read_unaligned()).collect()
            };
            same_bits(&got, &right, &format!("{what}, shifted by {shift} bytes"));
            let start = size + shifts[2];
            assert!(buffers[2][..start].iter().all(|&byte| byte == 0xa5), "{what} wrote before its output");
            assert!(
                buffers[2][start + bytes..].iter().all(|&byte| byte == 0xa5),
                "{what} wrote after its output"
            );
        }
    });
}

#[test]
fn any_byte_alignment_gives_the_same_bits_and_writes_nothing_else() {
    byte_alignment::<f32>();
    byte_alignment::<f64>();
}

fn in_place<T: Real>() {
    for_each_function::<T>(|function, backend, what| {
        for n in [1, 7, 16, 33, 130, 1000] {
            let (dy, x) = arguments::<T>(n, n as u64);
            let right = function.run(backend, &dy, &x);
            let mut out = x.clone();
            let at = out.as_mut_ptr();
            // SAFETY: n elements each; the output is exactly x.
            unsafe { run_at(function, backend, dy.as_ptr(), at, at, n) };
            same_bits(&out, &right, &format!("{what} over x, n = {n}"));
            if function.backward {
                let mut out = dy.clone();
                let at = out.as_mut_ptr();
                // SAFETY: n elements each; the output is exactly dy.
                unsafe { run_at(function, backend, at, x.as_ptr(), at, n) };
                same_bits(&out, &right, &format!("{what} over dy, n = {n}"));
                let both = function.run(backend, &x, &x);
                let mut out = x.clone();
                let at = out.as_mut_ptr();
                // SAFETY: n elements; both inputs and the output are one buffer.
                unsafe { run_at(function, backend, at, at, at, n) };
                same_bits(&out, &both, &format!("{what} over both, n = {n}"));
            }
        }
    });
}

#[test]
fn in_place_gives_the_bits_of_out_of_place() {
    in_place::<f32>();
    in_place::<f64>();
}

fn neighbours<T: Real>() {
    for_each_function::<T>(|function, backend, what| {
        let (dy, x) = arguments::<T>(96, 9);
        let right = function.run(backend, &dy, &x);
        let mut random = Random(10);
        for round in 0..200 {
            let kept: Vec<bool> = x.iter().map(|_| random.below(2) == 0).collect();
            let mixed: Vec<T> =
                x.iter().zip(&kept).map(|(&x, &kept)| if kept { x } else { random.argument() }).collect();
            let got = function.run(backend, &dy, &mixed);
            for i in (0..x.len()).filter(|&i| kept[i]) {
                assert_eq!(got[i].bits(), right[i].bits(), "{what}: {} in round {round}", x[i]);
            }
        }
    });
}

#[test]
fn neighbours_change_no_bit() {
    neighbours::<f32>();
    neighbours::<f64>();
}

/// The C functions over a buffer that is split, against single-threaded calls.
fn thread_counts<T: Real>() {
    let n = 300_007;
    let (dy, x) = arguments::<T>(n, 21);
    for function in FUNCTIONS {
        let call = |threads: usize| {
            gelu::capi::gelu_set_num_threads(threads);
            let mut out = vec![T::NAN; n];
            let status = if function.backward {
                T::backward(&dy, &x, &mut out, function.approximation)
            } else {
                T::forward(&x, &mut out, function.approximation)
            };
            assert_eq!(status, 0);
            out
        };
        let right = call(1);
        for threads in [2, 3, 7, 0] {
            same_bits(&call(threads), &right, &format!("{} on {threads} threads", function.name()));
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    thread_counts::<f32>();
    thread_counts::<f64>();
}

#[cfg(unix)]
mod guarded {
    use super::{Real, arguments, for_each_function, run_at, same_bits};
    use core::ptr;

    /// Memory that ends right before one inaccessible page and starts right after another.
    struct Guarded {
        base: *mut u8,
        page: usize,
        pages: usize,
    }

    impl Guarded {
        fn new(bytes: usize) -> Self {
            // SAFETY: sysconf has no preconditions.
            let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page size");
            let pages = bytes.div_ceil(page);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            // SAFETY: a new mapping, of which only the inner pages become accessible.
            let base = unsafe {
                let base = libc::mmap(ptr::null_mut(), (pages + 2) * page, libc::PROT_NONE, flags, -1, 0);
                assert_ne!(base, libc::MAP_FAILED);
                let inner = base.byte_add(page);
                assert_eq!(libc::mprotect(inner, pages * page, libc::PROT_READ | libc::PROT_WRITE), 0);
                base
            };
            Self { base: base.cast(), page, pages }
        }

        /// The places of `bytes` bytes at the start and at the end.
        fn places(&self, bytes: usize) -> [*mut u8; 2] {
            let start = self.base.wrapping_add(self.page);
            [start, start.wrapping_add(self.pages * self.page - bytes)]
        }

        fn read_only(&self, yes: bool) {
            let access = if yes { libc::PROT_READ } else { libc::PROT_READ | libc::PROT_WRITE };
            // SAFETY: the inner pages of the mapping.
            let done =
                unsafe { libc::mprotect(self.base.add(self.page).cast(), self.pages * self.page, access) };
            assert_eq!(done, 0);
        }
    }

    impl Drop for Guarded {
        fn drop(&mut self) {
            // SAFETY: the mapping made above.
            unsafe { libc::munmap(self.base.cast(), (self.pages + 2) * self.page) };
        }
    }

    fn edges<T: Real>() {
        let [dy_memory, x_memory, out_memory] = [0; 3].map(|_| Guarded::new(131 * size_of::<T>()));
        for_each_function::<T>(|function, backend, what| {
            for n in 1..=130 {
                let (dy, x) = arguments::<T>(n, n as u64);
                let right = function.run(backend, &dy, &x);
                let bytes = n * size_of::<T>();
                for end in 0..2 {
                    let [dy_at, x_at, out_at] = [&dy_memory, &x_memory, &out_memory]
                        .map(|memory| memory.places(bytes)[end].cast::<T>());
                    // SAFETY: n elements each; the inputs are read-only while the kernel runs.
                    let got: Vec<T> = unsafe {
                        dy_at.copy_from(dy.as_ptr(), n);
                        x_at.copy_from(x.as_ptr(), n);
                        dy_memory.read_only(true);
                        x_memory.read_only(true);
                        run_at(function, backend, dy_at, x_at, out_at, n);
                        dy_memory.read_only(false);
                        x_memory.read_only(false);
                        (0..n).map(|i| out_at.add(i).read()).collect()
                    };
                    same_bits(&got, &right, &format!("{what}, n = {n}"));
                }
            }
        });
    }

    #[test]
    fn buffers_against_inaccessible_pages_on_both_sides_and_read_only_inputs_do_not_fault() {
        edges::<f32>();
        edges::<f64>();
    }
}
