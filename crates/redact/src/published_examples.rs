//! Well-known example secrets from published documents.

// The shortest example has 15 characters, so a shorter value cannot contain one.
/// Minimum length of a value that is compared.
const MIN_LENGTH: usize = 10;

/// Examples of standards and vendors, and keys shared by all copies of an emulator.
pub(crate) const PUBLISHED: &[&str] = &[
    // Azure's storage and Cosmos emulators.
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw",
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw",
    // The signatures of the tokens on jwt.io and in RFC 7519.
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    "TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    // RFC 6749, RFC 6750 and RFC 7617.
    "2YotnFZFEjr1zCsicMWpAA",
    "tGzv3JOkF0XG5Qx2TlKWIA",
    "SplxlOBeZQQYbYS6WxSbIA",
    "7Fjfp0ZBr1KtDRbnfVdmIw",
    "czZCaGRSa3F0MzpnWDFmQmF0M2JW",
    "czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3",
    "mF_9.B5f-4.1JqM",
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
    // The documentation of Stripe and Telegram.
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "sk_test_BQokikJOvBiI2HlWgH4olfQ2",
    "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11",
    "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    // The first accounts of a local blockchain.
    "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
    // BIP 39.
    "legal winner thank year wave sausage worth useful legal winner thank yellow",
    "letter advice cage absurd amount doctor acoustic avoid letter advice cage above",
];

/// Returns whether `value` is or contains a well-known example.
pub(crate) fn is_published(value: &str) -> bool {
    value.len() >= MIN_LENGTH && PUBLISHED.iter().any(|example| value.contains(example))
}
