//! What the citations of the recorded debate are looked up in.

/// The list of the project's files at the commit that was debated, and each file that is cited: as
/// they are kept beside a record, each in a file named by its hash.
pub(super) const BLOBS: [&[u8]; 17] = [
    include_bytes!(
        "../../demo/blobs/01d42ef3d3768803296720dbfc5e669908347500feb4e53e5deb50eeb0225d5f"
    ),
    include_bytes!(
        "../../demo/blobs/1ca79868c467bdfb88d15e27e53ef7b754bc134eabad65a1ff5c9c8a0202a683"
    ),
    include_bytes!(
        "../../demo/blobs/3c9879db7ef7f216b0e7c88a7071f090c700c20dfc91e17e95c0099ab24fb4c6"
    ),
    include_bytes!(
        "../../demo/blobs/6d3953f04952ceb66f9b1a5dca98c0f9d8cd372dd61b0fbba98dcdada944ce6e"
    ),
    include_bytes!(
        "../../demo/blobs/7ac5f16def080d0efe3db17313d6b9e72f3f1c6f3f25122eaa927689da89d166"
    ),
    include_bytes!(
        "../../demo/blobs/a2bef831ad3914dd77d445a758da291142b0a53d83abb7024c0b24cec6e3912a"
    ),
    include_bytes!(
        "../../demo/blobs/aeefdbd86e59b9c0d0198f8cafd36b6553147b53f8e700431f42290de96c82ac"
    ),
    include_bytes!(
        "../../demo/blobs/aef051664a96d001dd6f7721f063e75b7752b6d3e24ba80ebe5fe2b479253cd2"
    ),
    include_bytes!(
        "../../demo/blobs/b09681063b545dd41e1fe2d3ddaae4024f9ceb3c5b07ea496663e6f1547de771"
    ),
    include_bytes!(
        "../../demo/blobs/b0cc41f07e8867031c7b6109420caa1c313ceb5495fc318570141c850347a2ce"
    ),
    include_bytes!(
        "../../demo/blobs/be4023df4ad2730b3713e91bdae8e68ea1b0ca4232c21ff977cdeed5521d8909"
    ),
    include_bytes!(
        "../../demo/blobs/ca92469be61be807215aaf865954d7e9f9800336acc8d3a527ad243055e17651"
    ),
    include_bytes!(
        "../../demo/blobs/cd1d4cc353d5694519d63393041b896381ed08cdaf690fc7a483dd79a99fc77d"
    ),
    include_bytes!(
        "../../demo/blobs/d7309bf2b2a7e0be7ddea6240a0a22136d948ec84bfeae8f2a546324aa63639a"
    ),
    include_bytes!(
        "../../demo/blobs/e78dbc72902611b3f01fcd833994ddc85b39bd25b88b6b17b19afec501d29fa3"
    ),
    include_bytes!(
        "../../demo/blobs/e9d0de6c5ff80025c9460e5c9f94f4e3529d9b9eed08d7ffe7be9acc71cbf1f7"
    ),
    include_bytes!(
        "../../demo/blobs/f1560e081e250476026cff4c44cd546b68259c148712497212ddeb57450fe5c0"
    ),
];
