//! The verifier of findings that a model proposes, over written sessions and findings.

#[path = "examined/set.rs"]
mod set;
#[path = "examined/table.rs"]
mod table;
