//! Tests of the library's guarantees through its public interface.

#![expect(clippy::unwrap_used, reason = "tests")]

mod brute;
mod common;
mod extensions;
mod flip_order;
mod formats;
mod generated;
mod peers;
mod strength_laws;
mod worked_strengths;
