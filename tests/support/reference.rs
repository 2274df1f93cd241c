//! The multi-precision values in `tests/data`, and the error of a result against them.
//!
//! Errors are in units in the last place (ULP) of the exact value: |got − exact| / ulp(exact), where the ulp is that of
//! the exact value's own binade, and the subnormal spacing at the bottom. 0.5 is correct rounding.

/// One record of a file `*_f64.bin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F64Record {
    /// The argument.
    pub x: f64,
    /// The exact result, rounded to nearest even.
    pub rounded: f64,
    /// (exact − `rounded`) / ulp(exact).
    pub rest: f32,
}

/// One record of a file `*_f32.bin`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F32Record {
    /// The argument.
    pub x: f32,
    /// The exact result, rounded to double.
    pub exact: f64,
}

/// The records of a file `{forward,backward}_*_f64.bin`. Panics where the length is no whole number of records.
pub fn parse_f64(bytes: &[u8]) -> Vec<F64Record> {
    let (records, rest) = bytes.as_chunks::<20>();
    assert!(rest.is_empty(), "{} bytes after the last record", rest.len());
    records
        .iter()
        .map(|record| F64Record {
            x: f64::from_le_bytes(field(record, 0)),
            rounded: f64::from_le_bytes(field(record, 8)),
            rest: f32::from_le_bytes(field(record, 16)),
        })
        .collect()
}

/// The records of a file `*_f32.bin`. Panics where the length is no whole number of records.
pub fn parse_f32(bytes: &[u8]) -> Vec<F32Record> {
    let (records, rest) = bytes.as_chunks::<12>();
    assert!(rest.is_empty(), "{} bytes after the last record", rest.len());
    records
        .iter()
        .map(|record| F32Record {
            x: f32::from_le_bytes(field(record, 0)),
            exact: f64::from_le_bytes(field(record, 4)),
        })
        .collect()
}

fn field<const N: usize>(record: &[u8], start: usize) -> [u8; N] {
    record[start..start + N].try_into().expect("a slice of N bytes")
}

/// The error of `got` in ULP of the exact value `rounded` + `rest` · ulp. Infinite for an infinite or NaN `got`.
pub fn ulp_error_f64(got: f64, rounded: f64, rest: f32) -> f64 {
    if !got.is_finite() {
        return f64::INFINITY;
    }
    let towards_zero = rest.is_sign_negative() != rounded.is_sign_negative();
    let mut exponent = binade(rounded);
    // The exact value was rounded up to a power of two: it lies in the binade below, where the ulp is half as large.
    if towards_zero && rounded.to_bits() << 12 == 0 {
        exponent -= 1;
    }
    let ulp = power_of_two((exponent - 52).max(-1074));
    // The difference is exact wherever `got` is near, so the only error is that of `rest`, some 2⁻²⁵ ULP.
    ((got - rounded) / ulp - f64::from(rest)).abs()
}

/// The error of `got` in ULP of float at `exact`. Infinite for an infinite or NaN `got`.
pub fn ulp_error_f32(got: f32, exact: f64) -> f64 {
    if !got.is_finite() {
        return f64::INFINITY;
    }
    let ulp = power_of_two((binade(exact) - 23).max(-149));
    (f64::from(got) - exact).abs() / ulp
}

/// floor(log2 |x|) of a normal x; −1023 for zero and subnormals, whose ulp is the smallest either way.
fn binade(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// 2 to an exponent in −1074 ..= 1023, exactly (`powi` promises no such thing).
fn power_of_two(exponent: i32) -> f64 {
    if exponent < -1022 {
        f64::from_bits(1 << (exponent + 1074))
    } else {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    }
}

/// The records of a file `gradient_*_f64.bin`: dy, then as in the other files.
pub fn parse_f64_gradient(bytes: &[u8]) -> Vec<(f64, F64Record)> {
    let (records, rest) = bytes.as_chunks::<28>();
    assert!(rest.is_empty(), "{} bytes after the last record", rest.len());
    records.iter().map(|record| (f64::from_le_bytes(field(record, 0)), parse_f64(&record[8..])[0])).collect()
}

/// The records of a file `gradient_*_f32.bin`: dy, then as in the other files.
pub fn parse_f32_gradient(bytes: &[u8]) -> Vec<(f32, F32Record)> {
    let (records, rest) = bytes.as_chunks::<16>();
    assert!(rest.is_empty(), "{} bytes after the last record", rest.len());
    records.iter().map(|record| (f32::from_le_bytes(field(record, 0)), parse_f32(&record[4..])[0])).collect()
}
