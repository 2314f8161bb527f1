//! Records of real tools: those that are kept beside this, and fresh ones.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_types,
    reason = "a test fails by panicking, and starts the real tools"
)]

mod counted;
mod damage;
mod fresh;
mod golden;
mod held;
mod placed;
mod scrub;
mod shapes;
