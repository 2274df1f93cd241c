//! Interval tables of the f32 kernels. Printed by tools/float_tables.py; do not edit.

use super::interval::{words, BackwardTable, ForwardTable};

/// |x| < 3.5625; largest relative error of the fit 2^-26.1, 0.719 ULP in a trial.
pub(super) const FORWARD_NONE: ForwardTable = ForwardTable {
    bound: 3.5625,
    shift: 4.3125,
    centre_c6: words([
        0x00000000, 0x3ec5bbb6, 0x3f723bb0, 0x3fad3bca,
        0x3ffab88f, 0x401dbb00, 0x403eba5b, 0x405ab7e0,
    ]),
    c0: words([
        0x00000000, 0x3e0a48e8, 0x3e26ac59, 0x3df3d18f,
        0x3d4924ac, 0x3c8a7d5b, 0x3b8caf22, 0x3a8d8f3f,
    ]),
    c1: words([
        0x3f000000, 0x3e53a2f1, 0xbd8dce88, 0xbe032d7e,
        0xbdb7aa32, 0xbd2520fd, 0xbc4e0983, 0xbb6f4efd,
    ]),
    c2: words([
        0xbecc4228, 0xbeaf713e, 0xbe10353c, 0xbc5c2b46,
        0x3d5c5e69, 0x3d1fb413, 0x3c848f8f, 0x3bb81c1d,
    ]),
    c3: words([
        0xb6bf8325, 0x3dbbf60b, 0x3dffab50, 0x3d9feb11,
        0x3b4ca77b, 0xbc85949a, 0xbc3ad1b0, 0xbba664d4,
    ]),
    c4: words([
        0x3d8882a1, 0x3d3c3817, 0xbc7f060d, 0xbd14f3e0,
        0xbca2b777, 0xbaa9f4cb, 0x3b84fbab, 0x3b39f12f,
    ]),
    c5_c7: words([
        0xbafd9793, 0xbca0076a, 0xbc93875b, 0xbb0d3754,
        0x3c147753, 0x3b99a708, 0x38cc2737, 0xba60a722,
    ]),
};

/// |x| < 3.8125; largest relative error of the fit 2^-26.3, 0.856 ULP in a trial.
pub(super) const BACKWARD_NONE: BackwardTable = BackwardTable {
    bound: 3.8125,
    shift: 4.0,
    c0_c6: words([
        0x3ecd3c11, 0x01003c9d, 0xbdf3baa3, 0xbde4bc3a,
        0xbd56bac7, 0xbc903b37, 0xbb913aa5, 0xbad53999,
    ]),
    centre: words([
        0x3e000000, 0x3f407568, 0x3f9aaaab, 0x3fdeaaab,
        0x4014aaab, 0x40360000, 0x4056aaab, 0x406ad555,
    ]),
    c0_low: words([
        0xb88c27db, 0x32b005cd, 0x393160f2, 0xb9432137,
        0x38e5ba37, 0xb87a1fde, 0x36ab1e62, 0x36432fab,
    ]),
    c1: words([
        0xbf4915e6, 0xbedcecc9, 0xbdd4952a, 0x3db8a463,
        0x3dbad8db, 0x3d2e6d8e, 0x3c5a047a, 0x3bb2b154,
    ]),
    c2: words([
        0x3dc9e0a7, 0x3ec6cd48, 0x3e970bb7, 0x3d986a37,
        0xbd3269d2, 0xbd268605, 0xbc8f4a64, 0xbc0751e1,
    ]),
    c3: words([
        0x3e836d3a, 0x3c95172d, 0xbe0625f4, 0xbdf0adea,
        0xbcaac2bd, 0x3c74580a, 0x3c4b8c63, 0x3bec7956,
    ]),
    c4: words([
        0xbd169dd8, 0xbde978cb, 0xbd216785, 0x3d1fe01b,
        0x3d025c81, 0x3b96e7cc, 0xbb89274c, 0xbb73e30d,
    ]),
    c5_c7: words([
        0xbd68a77c, 0x3c71f772, 0x3d26d777, 0x3c522750,
        0xbc3d4765, 0xbbeba736, 0xba0e7742, 0x3a595736,
    ]),
};

/// |x| < 3.5625; largest relative error of the fit 2^-25.9, 0.827 ULP in a trial.
pub(super) const FORWARD_TANH: ForwardTable = ForwardTable {
    bound: 3.5625,
    shift: 4.3125,
    centre_c6: words([
        0x00000000, 0x3ecabbae, 0x3f683bab, 0x3fcc3b6c,
        0x4003ba4d, 0x401ebae5, 0x4041ba54, 0x405bb892,
    ]),
    c0: words([
        0x00000000, 0x3e0c5357, 0x3e295687, 0x3db5102f,
        0x3d262d19, 0x3c81dd0b, 0x3b5aa0c5, 0x3a515c05,
    ]),
    c1: words([
        0x3f000000, 0x3e4ce197, 0xbd6ac1a1, 0xbdfca713,
        0xbda378ab, 0xbd21b9be, 0xbc302770, 0xbb484889,
    ]),
    c2: words([
        0xbecc4224, 0xbeadef0e, 0xbe1f3b4d, 0x3cf253c9,
        0x3d5c2ddd, 0x3d202014, 0x3c751f7a, 0x3bab35f7,
    ]),
    c3: words([
        0xb73a6154, 0x3dc026a8, 0x3e0173bf, 0x3d31e530,
        0xbb418a4f, 0xbc8516a8, 0xbc37062a, 0xbba7f7b4,
    ]),
    c4: words([
        0x3d89571e, 0x3d37cdbf, 0xbc4a5861, 0xbd08cf36,
        0xbc7edc08, 0xbac9a756, 0x3b86a978, 0x3b44f8b6,
    ]),
    c5_c7: words([
        0xbb17d791, 0xbca5c76c, 0xbc9b275a, 0x3ba93757,
        0x3c081751, 0x3b9656fe, 0x38cae735, 0xba68472b,
    ]),
};

/// |x| < 3.8125; largest relative error of the fit 2^-25.4, 0.897 ULP in a trial.
pub(super) const BACKWARD_TANH: BackwardTable = BackwardTable {
    bound: 3.8125,
    shift: 4.0,
    c0_c6: words([
        0x3ecd3c19, 0x01003c9f, 0xbdf2bb27, 0xbde6bc2b,
        0xbd58bac5, 0xbc933b0f, 0xbb903ace, 0xba9a39e0,
    ]),
    centre: words([
        0x3e000000, 0x3f40a150, 0x3f9aaaab, 0x3fdeaaab,
        0x4014aaab, 0x40355555, 0x4054aaab, 0x406c8000,
    ]),
    c0_low: words([
        0xb88759ed, 0xb1a7b202, 0xb8d117ad, 0x390cbfcd,
        0xb803ae01, 0x385969ef, 0xb726b163, 0xb5a1f041,
    ]),
    c1: words([
        0xbf4911f7, 0xbedc5d66, 0xbdd6d66d, 0x3db5b613,
        0x3dbdc8ef, 0x3d3717c3, 0x3c6a5036, 0x3b94e6aa,
    ]),
    c2: words([
        0x3dcad5ab, 0x3ec668cf, 0x3e95f575, 0x3d9c4d1a,
        0xbd2c2418, 0xbd2e4da1, 0xbca11d92, 0xbbfe0f28,
    ]),
    c3: words([
        0x3e83fe7f, 0x3c8148fd, 0xbe051e4d, 0xbdebcb01,
        0xbcbdc366, 0x3c640ba4, 0x3c638347, 0x3bf3b7d8,
    ]),
    c4: words([
        0xbd1a0aed, 0xbde95712, 0xbd1708f4, 0x3d18b7e1,
        0x3cfee4fd, 0x3bd30232, 0xbb812763, 0xbb846d9a,
    ]),
    c5_c7: words([
        0xbd6da77d, 0x3c885776, 0x3d255777, 0x3c3a2758,
        0xbc24a761, 0xbbf4873d, 0xbab31739, 0x3a581739,
    ]),
};
