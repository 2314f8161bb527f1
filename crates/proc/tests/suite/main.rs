//! Real children, and what is left of them.

#![expect(clippy::unwrap_used, reason = "tests")]

mod common;
mod complete;
mod find;
mod guard;
mod held;
mod run;
mod survivor;
