//! Whatever the tool prints, its dialect gives a reply or an error.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../dialect.rs"]
mod dialect;

fuzz_target!(|data: &[u8]| dialect::read("codex", data));
