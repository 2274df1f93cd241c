//! Made by tools/double_tanh.py.

use crate::simd::double::Exp2Table;

/// K·2^(j/8), each within 0.042 ulp of a double, that of j = 2 within a 48th of it; K is just above 1.
pub(crate) static EXP2: Exp2Table = Exp2Table::new([
    0x3ff000001be42b73, // 1.0000001039031445
    0x3ff172b85ae7ba84, // 1.0905078459724402
    0x3ff306fe2b5cdb16, // 1.1892072385650798
    0x3ff4bfdaf961d1b6, // 1.2968396893967173
    0x3ff6a09e8df0f55d, // 1.4142137093143312
    0x3ff8ace56d2e4680, // 1.5422109856484951
    0x3ffae89fc8431cf5, // 1.6817930052509926
    0x3ffd58191022c58e, // 1.8340082769685497
]);
/// ln K.
pub(crate) const LN_K: f64 = f64::from_bits(0x3e7be42b5ab09bdf); // 1.0390313913474856e-07
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
/// The zero t0 of g'(-t), the nearest double.
pub(crate) const ZERO: f64 = f64::from_bits(0x3fe81429f9e97e4d); // 0.7524614220710163
/// t0 - `ZERO`.
pub(crate) const ZERO_LOW: f64 = f64::from_bits(0xbc84f523ed77dbdc); // -3.635560509207687e-17
/// `e^f = 1 + f + f²·EXP_PRECISE(f)`, |f| <= ln 2/16; error 2^-66.5.
pub(crate) const EXP_PRECISE: [f64; 7] = [
    f64::from_bits(0x3fe0000000000000), // 0.5
    f64::from_bits(0x3fc55555555555fa), // 0.16666666666667124
    f64::from_bits(0x3fa5555555555629), // 0.041666666666668135
    f64::from_bits(0x3f81111110a17dd2), // 0.008333333320648704
    f64::from_bits(0x3f56c16c1623246f), // 0.0013888888866395962
    f64::from_bits(0x3f2a01fb31eaed64), // 0.00019842330308060118
    f64::from_bits(0x3efa01fc3fd18c68), // 2.4802928227163004e-05
];
/// The derivative of g'(-t) at t0, the nearest double.
pub(crate) const SLOPE: f64 = f64::from_bits(0xbfdb8bacd2c96b91); // -0.4304000910248585
/// g'(-ZERO - d) = (d - ZERO_LOW)·(SLOPE + NEAR_ZERO(d)), |d| <= 2^-8; error 2^-63.2.
pub(crate) const NEAR_ZERO: [f64; 8] = [
    f64::from_bits(0xbc5c90ae916d29e2), // -6.19408250762221e-18
    f64::from_bits(0x3fd8cd1a2b2fff33), // 0.38751844613578895
    f64::from_bits(0x3f9029615edb0776), // 0.015782853521848016
    f64::from_bits(0xbfbd2b77346470ab), // -0.11394448308095899
    f64::from_bits(0x3f9104a83edadcbf), // 0.016619328342781566
    f64::from_bits(0x3f9427996dc1b631), // 0.01968230945970201
    f64::from_bits(0xbf758c973a33c6aa), // -0.005261030895086153
    f64::from_bits(0xbf63d8d0d6ef67e8), // -0.002422721757722169
];
