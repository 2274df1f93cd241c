//! Made by tools/double_none.py.

use crate::simd::double::Exp2Table;

/// 8/ln 2.
pub(crate) const EIGHTHS_PER_UNIT: f64 = f64::from_bits(0x40271547652b82fe); // 11.541560327111707
/// ln 2/8, the nearest double.
pub(crate) const STEP_HIGH: f64 = f64::from_bits(0x3fb62e42fefa39ef); // 0.08664339756999316
/// ln 2/8 - `STEP_HIGH`.
pub(crate) const STEP_LOW: f64 = f64::from_bits(0x3c4abc9e3b39803f); // 2.8988085173078744e-18
/// `e^f = 1 + f + f²·EXP(f)`, |f| <= ln 2/16; error 2^-57.6.
pub(crate) const EXP: [f64; 6] = [
    f64::from_bits(0x3fe0000000000117), // 0.500000000000031
    f64::from_bits(0x3fc55555555555d1), // 0.1666666666666701
    f64::from_bits(0x3fa555555470e534), // 0.04166666656278509
    f64::from_bits(0x3f81111110ab8a14), // 0.008333333321791016
    f64::from_bits(0x3f56c1d012089a20), // 0.0013889820039679826
    f64::from_bits(0x3f2a01f8f93e4b0f), // 0.0001984230444774461
];
/// 2^600·K·2^(j/8), each within 0.033 ulp of a double, and K in the middle of t·R(t).
pub(crate) static FORWARD_EXP2: Exp2Table = Exp2Table::new([
    0x655910cf32920ff9, // 0.39165096224337465
    0x655b55948a15a330, // 0.4270984028321889
    0x655dceea54921058, // 0.4657541108974832
    0x656040c93dd6fad9, // 0.5079084594543374
    0x6561b95e92098cfb, // 0.5538781025210534
    0x6563540953bc2e5e, // 0.6040083537531691
    0x656513df3aea56f3, // 0.6586757803622433
    0x6566fc3d79538348, // 0.7182910318043492
]);
/// t·R(t) = K·(1 + polynomial) for t in 5 ..= 41.0, z = 1/(t²/2 + 2.25) - 1/32; error 2^-58.3.
pub(crate) const FORWARD_POLY: [f64; 14] = [
    f64::from_bits(0x3f62cdaf893847d6), // 0.0022953442037385403
    f64::from_bits(0xbfe129ab489cbbef), // -0.5363365572173943
    f64::from_bits(0xbfdf02febc67b4ff), // -0.48455780409751975
    f64::from_bits(0xbff27ada947d4f01), // -1.154993610417421
    f64::from_bits(0xbff3c80ae8ca4139), // -1.2363385289537077
    f64::from_bits(0xc013c843bbc02d3c), // -4.945570882420096
    f64::from_bits(0xbf511bbf729a99af), // -0.0010442132574240805
    f64::from_bits(0xc04522e40a076c1b), // -42.27258420336167
    f64::from_bits(0x405de963a6aae6db), // 119.64670721711757
    f64::from_bits(0xc08b050cdcbb46a1), // -864.6312803870134
    f64::from_bits(0x40b23b77c05a7b98), // 4667.467778830694
    f64::from_bits(0xc0df787fd06878b1), // -32225.997095220435
    f64::from_bits(0x410eb708206bd070), // 251617.01583063928
    f64::from_bits(0xc135814949b7b537), // -1409353.2879594096
];
/// K·2^(j/8), each within 0.029 ulp of a double, and K in the middle of (R(t) - t/√2π)/t.
pub(crate) static BACKWARD_EXP2: Exp2Table = Exp2Table::new([
    0xbfd9093d8980f749, // -0.39118898799994334
    0xbfdb4d538177295e, // -0.4265946163474349
    0xbfddc5ea0d012e20, // -0.4652047278402467
    0xbfe03be0d3006f3e, // -0.5073093529822257
    0xbfe1b4047009055f, // -0.5532247722805258
    0xbfe34e332fc89791, // -0.6032958920738897
    0xbfe50d81dbc2b0f8, // -0.6578988353917614
    0xbfe6f54ca1a99228, // -0.7174437673061833
]);
/// (R(t) - t/√2π)/t = K·(1 + polynomial) for t in 5 ..= 57.0, z = 1/(t²/2 + 2.25) - 1/32; error 2^-62.4.
pub(crate) const BACKWARD_POLY: [f64; 14] = [
    f64::from_bits(0x3f68344917735652), // 0.0029546191759475616
    f64::from_bits(0xbfe2498c685d69f6), // -0.5714780844094196
    f64::from_bits(0xbff160c8cf4fd1b8), // -1.0861290071598955
    f64::from_bits(0xc002c941b887384e), // -2.348269883753381
    f64::from_bits(0xc014297844107e7d), // -5.040497840410919
    f64::from_bits(0xc026e65cfa05db38), // -11.449928105559238
    f64::from_bits(0xc0390c3befab0b30), // -25.047789553889004
    f64::from_bits(0xc04df43aba324413), // -59.908042215866
    f64::from_bits(0xc05f0f2f9bb37cb9), // -124.23728077438399
    f64::from_bits(0xc075e783cb7239f0), // -350.4696764432874
    f64::from_bits(0xc07cfcbe7a85bf7c), // -463.7965035652667
    f64::from_bits(0xc0a8af63092fb19c), // -3159.6934294609364
    f64::from_bits(0x40bcfda635205f13), // 7421.649248145305
    f64::from_bits(0xc0f1c79454e3d456), // -72825.27072508758
];
