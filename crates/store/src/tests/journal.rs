//! Properties of the journal's lines.

use agon_record::event::{Cap, Cause, CauseCode, Class, Event, Halt, Lost};
use agon_record::state::State;
use agon_samples::batches::{AT, asked, challenge, defense, follow_up, given, opening, spec};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::journal::{JournalFault, Position, encode_line, scan_lines};

fn events() -> impl Strategy<Value = Event> {
    let turn = prop::sample::select(vec![
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "verdict.judge",
        "r0.cha",
    ]);
    let text = any::<String>;
    prop_oneof![
        (turn.clone(), "[a-z]{1,8}").prop_map(|(turn, tool)| asked(turn, &tool)),
        (turn, text()).prop_map(|(turn, text)| given(turn, &text)),
        text().prop_map(|detail| Event::Lost(Lost {
            key: agon_samples::batches::key("r1.cha"),
            class: Class::Retry { after_ms: 2_000 },
            cause: Cause {
                code: CauseCode::Timeout,
                detail
            },
            usage: None,
            took_ms: 1,
            clock_ms: u64::MAX,
        })),
        text().prop_map(|detail| Event::Halted {
            reason: Halt::ProposerLost {
                cause: Cause {
                    code: CauseCode::Empty,
                    detail
                }
            }
        }),
        prop::sample::select(vec![opening(), challenge(), defense(), follow_up()]),
        Just(Event::Capped { cap: Cap::Tokens }),
        any::<bool>().prop_map(|stop| Event::Agreement { stop }),
        Just(Event::Opened(Box::new(spec()))),
    ]
}

type Batches = Vec<(u64, Vec<Event>)>;

fn batches() -> impl Strategy<Value = Batches> {
    let batch = (
        0..4_000_000_000_000_u64,
        prop::collection::vec(events(), 1..4),
    );
    prop::collection::vec(batch, 1..6)
}

/// Returns the journal of some batches, and the end of each line.
fn journal(batches: &Batches) -> (Vec<u8>, Vec<usize>) {
    let (mut file, mut ends, mut at) = (Vec::new(), Vec::new(), Position::START);
    for (at_ms, events) in batches {
        let (line, end) = encode_line(&at, *at_ms, events).unwrap();
        file.extend_from_slice(&line);
        ends.push(file.len());
        at = end;
    }
    (file, ends)
}

fn read(file: &[u8]) -> (Batches, usize, Option<JournalFault>) {
    let scan = scan_lines(file, Position::START);
    let lines = scan.lines.into_iter();
    let batches = lines.map(|line| (line.at_ms, line.events)).collect();
    (batches, scan.torn, scan.fault)
}

proptest! {
    #[test]
    fn what_was_written_reads_back(batches in batches()) {
        prop_assert_eq!(read(&journal(&batches).0), (batches, 0, None));
    }

    #[test]
    fn a_state_reads_back_from_a_snapshot(events in prop::collection::vec(events(), 0..12)) {
        let mut state = State::open(spec());
        for event in &events {
            // A second opening is rejected and changes nothing.
            state.apply(event).ok();
        }
        let json = serde_json::to_string(&state).unwrap();
        prop_assert_eq!(serde_json::from_str::<State>(&json).unwrap(), state);
    }

    #[test]
    fn a_cut_keeps_the_lines_before_it(batches in batches(), cut in any::<Index>()) {
        let (file, ends) = journal(&batches);
        let cut = cut.index(file.len() + 1);
        let whole = ends.iter().filter(|&&end| end <= cut).count();
        let rest = cut - ends[..whole].last().unwrap_or(&0);
        let empty = (whole == 0).then_some(JournalFault::Empty);
        prop_assert_eq!(read(&file[..cut]), (batches[..whole].to_vec(), rest, empty));
    }

    #[test]
    fn a_flipped_byte_is_noticed_and_hides_no_line_before_it(
        batches in batches(), at in any::<Index>(), flip in 1_u8..,
    ) {
        let (mut file, ends) = journal(&batches);
        let at = at.index(file.len());
        file[at] ^= flip;
        let whole = ends.iter().filter(|&&end| end <= at).count();
        let (found, torn, fault) = read(&file);
        prop_assert_eq!(&found, &batches[..whole]);
        prop_assert_eq!(torn, 0);
        prop_assert!(fault.is_some());
    }

    #[test]
    fn a_tail_of_zeros_is_torn(batches in batches(), zeros in 0_usize..5_000) {
        let (mut file, _) = journal(&batches);
        file.resize(file.len() + zeros, 0);
        prop_assert_eq!(read(&file), (batches, zeros, None));
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in any::<Vec<u8>>(), lines in any::<String>()) {
        prop_assert_eq!(read(&bytes).0, []);
        prop_assert_eq!(read(lines.as_bytes()).0, []);
    }

    #[test]
    fn a_line_in_another_place_is_a_fork(batches in batches(), at in any::<Index>()) {
        let (file, ends) = journal(&batches);
        let at = at.index(batches.len());
        let start = at.checked_sub(1).map_or(0, |before| ends[before]);
        let mut doubled = file[..ends[at]].to_vec();
        doubled.extend_from_slice(&file[start..]);
        let line = at as u64 + 2;
        prop_assert_eq!(read(&doubled).2, Some(JournalFault::Forked { line }));
    }
}

#[test]
fn a_line_that_follows_another_is_a_fork() {
    let line = |from: &Position, stop| encode_line(from, AT, &[Event::Agreement { stop }]).unwrap();
    let (first, end) = line(&Position::START, true);
    let (_, other) = line(&Position::START, false);
    let misnumbered = Position { seq: 7, ..end };
    for from in [other, misnumbered] {
        let file = [first.clone(), line(&from, true).0].concat();
        assert_eq!(read(&file).2, Some(JournalFault::Forked { line: 2 }));
    }
}

#[test]
fn a_line_whose_end_is_overwritten_is_damage_and_no_torn_tail() {
    let (mut file, _) =
        encode_line(&Position::START, AT, &[Event::Agreement { stop: true }]).unwrap();
    let whole = file.len() - 1;
    file[whole] = b'x';
    let damaged = JournalFault::Damaged { line: 1, after: 0 };
    assert_eq!(read(&file), (vec![], 0, Some(damaged)));
    let torn = (vec![], whole, Some(JournalFault::Empty));
    assert_eq!(read(&file[..whole]), torn);
}

#[test]
fn a_line_is_sealed_as_the_format_says() {
    let stop = Event::Agreement { stop: true };
    let (line, end) = encode_line(&Position::START, AT, &[stop]).unwrap();
    let body = format!(
        "{{\"v\":1,\"seq\":1,\"at\":\"2026-11-21T20:00:00.000Z\",\"prev\":\"{}\",\
         \"events\":[{{\"event\":\"agreement\",\"stop\":true}}],",
        "0".repeat(64)
    );
    let hash = blake3::hash(body.as_bytes());
    let text = format!("{body}\"hash\":\"{}\"}}\n", hash.to_hex());
    assert_eq!(String::from_utf8(line).unwrap(), text);
    let offset = text.len() as u64;
    assert_eq!(
        end,
        Position {
            seq: 1,
            hash,
            offset
        }
    );
}

/// Returns a correctly sealed line with another version or other events.
fn sealed(head: &str) -> Vec<u8> {
    let hash = blake3::hash(head.as_bytes());
    format!("{head}\"hash\":\"{}\"}}\n", hash.to_hex()).into_bytes()
}

#[test]
fn lines_of_a_newer_program_are_told_from_damage() {
    let zeros = "0".repeat(64);
    let at = "2026-11-21T20:00:00.000Z";
    let newer = sealed(&format!(
        "{{\"v\":2,\"seq\":1,\"at\":\"{at}\",\"prev\":\"{zeros}\",\"what\":[],"
    ));
    let fault = JournalFault::Newer {
        line: 1,
        version: 2,
    };
    assert_eq!(read(&newer).2, Some(fault.clone()));
    assert_eq!(read(b"{\"v\":2,\"sealed\":\"otherwise\"}\n").2, Some(fault));
    let unknown = sealed(&format!(
        "{{\"v\":1,\"seq\":1,\"at\":\"{at}\",\"prev\":\"{zeros}\",\"events\":[{{\"event\":\"sung\"}}],"
    ));
    assert_eq!(read(&unknown).2, Some(JournalFault::Unknown { line: 1 }));
}

#[test]
fn damage_says_how_much_stands_after_it() {
    let stop = vec![Event::Agreement { stop: true }];
    let batches: Batches = (0..4).map(|n| (n, stop.clone())).collect();
    let (mut file, ends) = journal(&batches);
    file[ends[0] + 20] ^= 1;
    assert_eq!(
        read(&file).2,
        Some(JournalFault::Damaged { line: 2, after: 2 })
    );
    let message = JournalFault::Damaged { line: 2, after: 2 }.to_string();
    assert_eq!(
        message,
        "line 2 of the journal is corrupted; 2 more lines follow"
    );
}

#[test]
fn lines_that_end_as_on_windows_are_read_and_a_change_within_one_is_still_seen() {
    let (file, _) = journal(&vec![(AT, vec![opening()]), (AT, vec![challenge()])]);
    let text = String::from_utf8(file.clone()).unwrap();
    let windows = text.replace('\n', "\r\n").into_bytes();
    let (lines, torn, fault) = read(&windows);
    assert_eq!((lines, torn, fault), read(&file));
    let end = scan_lines(&windows, Position::START).end;
    assert_eq!(end.offset, windows.len() as u64);
    let spoilt = text
        .replacen("\"seq\":1", "\"seq\":\r1", 1)
        .replace('\n', "\r\n");
    assert!(read(spoilt.as_bytes()).2.is_some());
}
