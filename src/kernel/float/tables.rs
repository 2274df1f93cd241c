//! Interval tables of the f32 kernels. Printed by tools/float_tables.py; do not edit.

use super::interval::{words, BackwardTable, ForwardTable};

/// |x| < 3.5625; largest relative error of the fit 2^-26.5, 0.684 ULP in a trial.
pub(super) const FORWARD_NONE: ForwardTable = ForwardTable {
    bound: 3.5625,
    shift: 4.3125,
    centre_c6: words([
        0x00000000, 0x3ebfbbbc, 0x3f703baf, 0x3fad3bca,
        0x3ffdb985, 0x401dbb00, 0x4040ba45, 0x405ab7de,
    ]),
    c0: words([
        0x00000000, 0x3e07c1a2, 0x3e2737e3, 0x3df3d18f,
        0x3d40a50a, 0x3c8a7d5b, 0x3b8050b9, 0x3a8d8f4e,
    ]),
    c1: words([
        0x3f000000, 0x3e5be60d, 0xbd8940da, 0xbe032d7e,
        0xbdb27c27, 0xbd2520fd, 0xbc3e0244, 0xbb6f4f14,
    ]),
    c2: words([
        0xbecc4226, 0xbeb11325, 0xbe1335b3, 0xbc5c2b46,
        0x3d5d0161, 0x3d1fb413, 0x3c780005, 0x3bb81c2b,
    ]),
    c3: words([
        0xb7070403, 0x3db77ee7, 0x3e005214, 0x3d9feb11,
        0x3aab6c6b, 0xbc85949a, 0xbc328085, 0xbba664d1,
    ]),
    c4: words([
        0x3d88929a, 0x3d40d84c, 0xbc737f99, 0xbd14f3e0,
        0xbc9a05de, 0xbaa9f4cb, 0x3b85141b, 0x3b39f166,
    ]),
    c5_c7: words([
        0xbb07f792, 0xbc9cc769, 0xbc95875c, 0xbb0d3754,
        0x3c143754, 0x3b99a708, 0xb85b6738, 0xba60c723,
    ]),
};

/// |x| < 3.8125; largest relative error of the fit 2^-26.3, 0.856 ULP in a trial.
pub(super) const BACKWARD_NONE: BackwardTable = BackwardTable {
    bound: 3.8125,
    shift: 4.0,
    c0_c6: words([
        0x3eda3bf9, 0x01003c9d, 0xbdf7bb05, 0xbddcbc35,
        0xbd56bac7, 0xbc903b38, 0xbb953aa8, 0xbacb3989,
    ]),
    centre: words([
        0x3dc00000, 0x3f407568, 0x3f9d5555, 0x3fe40000,
        0x4014aaab, 0x40360000, 0x40560000, 0x406baaab,
    ]),
    c0_low: words([
        0xba576c07, 0x32b005cd, 0x38b73bbf, 0xb961732b,
        0x38e5ba37, 0xb87a1ddd, 0xb7600899, 0xb67ca796,
    ]),
    c1: words([
        0xbf4a7818, 0xbedcecc9, 0xbdbbc2b8, 0x3dc41d04,
        0x3dbad8db, 0x3d2e6d8f, 0x3c600df6, 0x3babc38f,
    ]),
    c2: words([
        0x3d982fbe, 0x3ec6cd48, 0x3e92cd92, 0x3d765c8a,
        0xbd3269d2, 0xbd268605, 0xbc927e51, 0xbc02c34c,
    ]),
    c3: words([
        0x3e857ec8, 0x3c951727, 0xbe0954f9, 0xbde2ef21,
        0xbcaac2bd, 0x3c745701, 0x3c4e6586, 0x3be62b59,
    ]),
    c4: words([
        0xbce38dcc, 0xbde978cb, 0xbd101341, 0x3d299ccd,
        0x3d025c81, 0x3b96e39a, 0xbb882199, 0xbb704d3e,
    ]),
    c5_c7: words([
        0xbd6f277b, 0x3c71f772, 0x3d263779, 0x3c244750,
        0xbc3d4765, 0xbbeb8737, 0xba239743, 0x3a5ed735,
    ]),
};

/// |x| < 3.5625; largest relative error of the fit 2^-26.3, 0.839 ULP in a trial.
pub(super) const FORWARD_TANH: ForwardTable = ForwardTable {
    bound: 3.5625,
    shift: 4.3125,
    centre_c6: words([
        0x00000000, 0x3ec5bbb3, 0x3f653ba9, 0x3fcc3b6c,
        0x3ffab887, 0x401ebae5, 0x403dba79, 0x405bb892,
    ]),
    c0: words([
        0x00000000, 0x3e0a4aa1, 0x3e2a00f2, 0x3db5102f,
        0x3d48e365, 0x3c81dd0b, 0x3b855605, 0x3a515c05,
    ]),
    c1: words([
        0x3f000000, 0x3e53b3e6, 0xbd5b9d56, 0xbdfca713,
        0xbdb96c2e, 0xbd21b9be, 0xbc50fff5, 0xbb484889,
    ]),
    c2: words([
        0xbecc4225, 0xbeaf53e9, 0xbe23cafc, 0x3cf253c9,
        0x3d5baaad, 0x3d202014, 0x3c8c80bb, 0x3bab35f7,
    ]),
    c3: words([
        0xb71a8c20, 0x3dbc84db, 0x3e0204a0, 0x3d31e530,
        0x3b8566f6, 0xbc8516a6, 0xbc47b997, 0xbba7f7b3,
    ]),
    c4: words([
        0x3d8947ee, 0x3d3bc84f, 0xbc380742, 0xbd08cf36,
        0xbca1efa5, 0xbac9a79c, 0x3b840835, 0x3b44f8b6,
    ]),
    c5_c7: words([
        0xbb0eb792, 0xbca2e76a, 0xbc9e0756, 0x3ba93757,
        0x3c0c3751, 0x3b9656ff, 0x39df6735, 0xba68472b,
    ]),
};

/// |x| < 3.8125; largest relative error of the fit 2^-25.4, 0.897 ULP in a trial.
pub(super) const BACKWARD_TANH: BackwardTable = BackwardTable {
    bound: 3.8125,
    shift: 4.0,
    c0_c6: words([
        0x3ecd3c16, 0x01003c9f, 0xbdf6bb5e, 0xbde9bc2f,
        0xbd79bb31, 0xbc8f3b11, 0xbb8c3ac9, 0xba9e39eb,
    ]),
    centre: words([
        0x3e000000, 0x3f40a150, 0x3f9d5555, 0x3fdc0000,
        0x400f5555, 0x40360000, 0x40555555, 0x406c1555,
    ]),
    c0_low: words([
        0xb88729d3, 0xb1a7b202, 0xb957a71c, 0xb961a4cc,
        0x37dd1e55, 0x37ce43fb, 0x3779086e, 0xb521c9f7,
    ]),
    c1: words([
        0xbf4911f7, 0xbedc5d66, 0xbdbe31a2, 0x3daee390,
        0x3dcafd40, 0x3d337aeb, 0x3c63ac8f, 0x3b983d83,
    ]),
    c2: words([
        0x3dcad5a5, 0x3ec668cf, 0x3e91c067, 0x3dab3c25,
        0xbd0ee089, 0xbd2c812f, 0xbc9d94fc, 0xbc016d33,
    ]),
    c3: words([
        0x3e83fe66, 0x3c8148fd, 0xbe08160d, 0xbdf20d55,
        0xbd0c22f7, 0x3c684f8c, 0x3c60cc14, 0x3bf72d48,
    ]),
    c4: words([
        0xbd1a0700, 0xbde95712, 0xbd05e1a3, 0x3d1398c5,
        0x3d0fc7e3, 0x3bc6591f, 0xbb835f73, 0xbb854d14,
    ]),
    c5_c7: words([
        0xbd6d877e, 0x3c885776, 0x3d23d777, 0x3c4fc759,
        0xbc136761, 0xbbf0273d, 0xbaa5f73b, 0x3a54173a,
    ]),
};
