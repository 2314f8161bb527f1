//! The verifier of findings that a model proposes, over written sessions and findings.

#![expect(clippy::unwrap_used, reason = "a test fails where it goes wrong")]

#[path = "examined/set.rs"]
mod set;
#[path = "examined/table.rs"]
mod table;
