//! Made by tools/double_tanh.py.

use crate::simd::double::Exp2Table;

/// K·2^(j/8), each within 0.028 ulp of a double; K is just above 1.
pub(crate) static EXP2: Exp2Table = Exp2Table::new([
    0x3ff00000095f7efc, // 1.0000000349172629
    0x3ff172b846b5fcbd, // 1.0905077707428028
    0x3ff306fe15573682, // 1.1892071565265785
    0x3ff4bfdae15ded10, // 1.2968395999330973
    0x3ff6a09e73c0a228, // 1.4142136117535618
    0x3ff8ace5509f2838, // 1.5422108792577216
    0x3ffae89fa91e4837, // 1.6817928892310314
    0x3ffd5818ee2c567b, // 1.834008150447885
]);
/// ln K.
pub(crate) const LN_K: f64 = f64::from_bits(0x3e62befdf282572f); // 3.4917262249261373e-08
/// -A = -2·√(2/π), 24 bits.
pub(crate) const A_HIGH: f64 = f64::from_bits(0xbff9884540000000); // -1.5957691669464111
/// -A - `A_HIGH`.
pub(crate) const A_LOW: f64 = f64::from_bits(0x3e6857935ee5e06a); // 4.534068042105272e-08
/// -B = -0.044715·A, the nearest double.
pub(crate) const B_HIGH: f64 = f64::from_bits(0xbfb2444f2a4d8b4b); // -0.07135481627260025
/// -B - `B_HIGH`.
pub(crate) const B_LOW: f64 = f64::from_bits(0x3c26c843a29d1c70); // 6.175149918155315e-19
/// -3B, the nearest double.
pub(crate) const B3_HIGH: f64 = f64::from_bits(0xbfcb6676bf7450f0); // -0.21406444881780073
/// -3B - `B3_HIGH`.
pub(crate) const B3_LOW: f64 = f64::from_bits(0xbc6bba7351828aab); // -1.2025242832367862e-17
