//! Whatever a tool replies, the parser gives moves or findings.

#![no_main]

use agon_record::id::{Seat, TurnId};
use agon_record::moves::MovesKind;
use agon_rules::parse::parse_bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [kind, reply @ ..] = data else { return };
    let kind = MovesKind::ALL[usize::from(*kind) % MovesKind::ALL.len()];
    match parse_bytes(reply, kind, TurnId::round(1, Seat::Challenger)) {
        Ok(parsed) => assert_eq!(parsed.moves.kind(), kind),
        Err(error) => assert!(!error.findings.is_empty(), "an error says what is wrong"),
    }
});
