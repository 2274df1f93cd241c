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
/// K·2^(j/8), each within 0.022 ulp of a double, and K in the middle of R(t)·(t + 1.09375).
pub(crate) static FORWARD: Exp2Table = Exp2Table::new([
    0x3fe082dfde3f7dee, // 0.5159758892804669
    0x3fe2017076ad9014, // 0.562675697129182
    0x3fe3a2a11405bf31, // 0.6136021987021875
    0x3fe56993f96cd0ec, // 0.6691379424651394
    0x3fe759b4066e1a75, // 0.7297001004779547
    0x3fe976bb49605d5b, // 0.7957436020978251
    0x3febc4ba2a0fad35, // 0.8677645513065843
    0x3fee481f3a7473e4, // 0.9463039533326278
]);
/// R(t)·(t + 1.09375)/K - 1 for t in 0.0 ..= 4.5, z = (t - 1.375)/(t + 6.0) - 0.015625; error 2^-57.5.
pub(crate) const FORWARD_COMMON_POLY: [f64; 17] = [
    f64::from_bits(0x3fa1daadd11be2b0), // 0.03487151315306869
    f64::from_bits(0xbfdac9b2d2e0a377), // -0.418560701308301
    f64::from_bits(0xbfd48baf03c9306e), // -0.32102561349598246
    f64::from_bits(0x400197fe2f9a9ed4), // 2.199215289980069
    f64::from_bits(0xc01395baa643167e), // -4.896219823689192
    f64::from_bits(0x401cd10eb5305c84), // 7.204157668186898
    f64::from_bits(0xc01f00733f059472), // -7.750439629283493
    f64::from_bits(0x40188d14c32f5b58), // 6.1377745149282745
    f64::from_bits(0xc00adaebb0ac54d1), // -3.3568948557463973
    f64::from_bits(0x3feeb2f680227b7a), // 0.959346056235389
    f64::from_bits(0x3fc7084593b87438), // 0.17993993485370807
    f64::from_bits(0xbfd2034a126fd9e1), // -0.28145076561432175
    f64::from_bits(0x3facc208fa6a720c), // 0.056167870109877865
    f64::from_bits(0x3fa9be7c25ec0c62), // 0.05028140986362285
    f64::from_bits(0xbf985c653035bb3a), // -0.023789959971902898
    f64::from_bits(0xbf81a0c906a8f473), // -0.00860745479178091
    f64::from_bits(0x3f7c0c5fec617649), // 0.006847738934167299
];
/// 2^600·K·2^(j/8), each within 0.025 ulp, for another K.
pub(crate) static FORWARD_RARE: Exp2Table = Exp2Table::new([
    0x655c496f328bded8, // 0.44198207794350486
    0x655ed8d7156c7561, // 0.48198487369685067
    0x6560d1c85ac20cc9, // 0.5256082317941032
    0x6562577d400b53d1, // 0.5731798411239827
    0x65640077a3ec78e0, // 0.625057048953547
    0x6565cfe8c3997c94, // 0.6816295452407695
    0x6567c94bd3b00396, // 0.7433222898981622
    0x6569f06cb204766d, // 0.8105987049963922
]);
/// R(t)·(t + 1.09375)/K - 1 for t in 4.5 ..= 41.0, z = (t - 8.0)/(t + 2.0) - 0.0; error 2^-59.0.
pub(crate) const FORWARD_RARE_POLY: [f64; 17] = [
    f64::from_bits(0x3f85e62ab8d523c1), // 0.010692914739267924
    f64::from_bits(0xbfbd80a1d9d1c168), // -0.11524402206283002
    f64::from_bits(0x3f70f733a9458900), // 0.004142000009183855
    f64::from_bits(0x3f6fe302b06ab573), // 0.003892426731303794
    f64::from_bits(0xbf4afd47926cf7c2), // -0.0008236503098044622
    f64::from_bits(0xbf171c55324fbb2c), // -8.816022871347963e-05
    f64::from_bits(0x3f09916003b1a8e2), // 4.876684439454757e-05
    f64::from_bits(0x3ed1403500247fba), // 4.112913304404827e-06
    f64::from_bits(0xbecbacdaed3fe626), // -3.2991427847378357e-06
    f64::from_bits(0xbe9cb56fa5ccf720), // -4.2779348579160177e-07
    f64::from_bits(0x3e908821d4481efe), // 2.4634251286112887e-07
    f64::from_bits(0x3e700e5c2f32996c), // 5.981361166310729e-08
    f64::from_bits(0xbe5274dacd205112), // -1.718892123782273e-08
    f64::from_bits(0xbe424058957b7092), // -8.49894791993784e-09
    f64::from_bits(0x3e0d06775e800791), // 8.44746214819148e-10
    f64::from_bits(0x3e12ac5f88c82fa0), // 1.086931020126333e-09
    f64::from_bits(0xbde4c3aa94858126), // -1.5108032382494993e-10
];
/// K·2^(j/8), each within 0.033 ulp of a double, and K such that |H(t)/K - (1 + 10/(t + 6.0))| is small.
pub(crate) static BACKWARD_COMMON: Exp2Table = Exp2Table::new([
    0x3fce501c7ceb3518, // 0.2368198022799468
    0x3fd0873b0dcab3f3, // 0.2582538256345394
    0x3fd20630950d542c, // 0.28162779384485037
    0x3fd3a7cf43d73cd4, // 0.3071172869212664
    0x3fd56f3a30f6d6b8, // 0.3349137762228156
    0x3fd75fdd22c9524a, // 0.3652260627471021
    0x3fd97d73235b631f, // 0.39828184559660146
    0x3fdbcc0dacf730b5, // 0.4343294324032841
]);
/// H(t)/K - (1 + 10/(t + 6.0)) for t in 0.0 ..= 4.5, z = (t - 0.0)/(t + 6.0) - 0.23; error 2^-57.1.
pub(crate) const BACKWARD_COMMON_POLY: [f64; 16] = [
    f64::from_bits(0xbfbee34d54920cab), // -0.1206558543654405
    f64::from_bits(0xbf71529866babf8a), // -0.004229159657981438
    f64::from_bits(0x400a035c3a43703c), // 3.2516407539206096
    f64::from_bits(0xc014f7df8b18bd1f), // -5.242063687691625
    f64::from_bits(0x401bf50da60f8c8a), // 6.989309878062281
    f64::from_bits(0xc01e7734a5013e66), // -7.616411760521805
    f64::from_bits(0x401a62b93bf4d8fc), // 6.596409737414657
    f64::from_bits(0xc0110d0bfcf2cde0), // -4.262741043395607
    f64::from_bits(0x3ffb5f0dc5f36683), // 1.7107064945652446
    f64::from_bits(0xbfa269da2feb7b31), // -0.03596383891066635
    f64::from_bits(0xbfdbecc0cd4d65b4), // -0.43632526444488495
    f64::from_bits(0x3fc9ee64d0f4cb4d), // 0.2025877018255308
    f64::from_bits(0x3fae904083b3e193), // 0.05969430549334045
    f64::from_bits(0xbfb4e47bd317bf24), // -0.08161138442642063
    f64::from_bits(0xbf6638390f7b8477), // -0.002712356039282822
    f64::from_bits(0x3f9b880997545aa0), // 0.026886129247112422
];
/// K·2^(j/8), each within 0.025 ulp of a double, and K such that |H(t)/K - (1 + 1/(t + 2.0))| is small.
pub(crate) static BACKWARD_RARE: Exp2Table = Exp2Table::new([
    0x3fd95423451c88b9, // 0.39576036214033256
    0x3fdb9f009c123dee, // 0.43157973519643533
    0x3fde1efb971effbf, // 0.470641038493337
    0x3fe06c7173a988b3, // 0.5132376917865912
    0x3fe1e8fa506c3795, // 0.5596896715885459
    0x3fe387f427e48cfd, // 0.6103459147601878
    0x3fe54c7cfb4daa2d, // 0.6655869396466351
    0x3fe739fb05a3fedf, // 0.7258277044456597
]);
/// H(t)/K - (1 + 1/(t + 2.0)) for t in 4.5 ..= 56.0, z = (t - 8.0)/(t + 2.0) - 0.0; error 2^-58.8.
pub(crate) const BACKWARD_RARE_POLY: [f64; 16] = [
    f64::from_bits(0xbf728d9584bcc120), // -0.004529556328450007
    f64::from_bits(0x3f24fea863c0524f), // 0.00016017728364716092
    f64::from_bits(0x3f8aadb20b63838c), // 0.013026610348278365
    f64::from_bits(0xbf3cca9cc4956dea), // -0.00043932273236688016
    f64::from_bits(0xbf2b14a7d4c44bbe), // -0.0002066092369053789
    f64::from_bits(0x3ef86a12222f84d8), // 2.3283328243088635e-05
    f64::from_bits(0x3edc841db1038bc3), // 6.798762811596523e-06
    f64::from_bits(0xbeb1d5ace393155e), // -1.063029129875818e-06
    f64::from_bits(0xbe996a4a777fe390), // -3.787159736919375e-07
    f64::from_bits(0x3e698105a23dcf27), // 4.75048873839692e-08
    f64::from_bits(0x3e5eee214621e8af), // 2.8805989045891196e-08
    f64::from_bits(0xbe11a27c11d4ed6b), // -1.026474966941095e-09
    f64::from_bits(0xbe257ef3c7783511), // -2.502452963387412e-09
    f64::from_bits(0xbde941fa28f16c22), // -1.8377412479939774e-10
    f64::from_bits(0x3def95f8184a8073), // 2.2981706481037884e-10
    f64::from_bits(0xbd7fad53c4ffae9e), // -1.800632359819087e-12
];
/// t0 - 3/4, where t0 is the zero of g'(-t).
pub(crate) const ZERO_MIDDLE: f64 = f64::from_bits(0x3f5d5a32fe0167bb); // 0.0017915246935644575
/// What `ZERO_MIDDLE` lacks.
pub(crate) const ZERO_LOW: f64 = f64::from_bits(0x3bb8b3a735257d34); // 5.230803290077916e-21
