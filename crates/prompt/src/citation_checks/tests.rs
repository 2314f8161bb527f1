use agon_record::event::Event;
use agon_record::ground::{GroundStamp, Pinned};
use agon_record::id::TurnId;
use agon_record::moves::Citation;
use agon_record::stamp::{Absent, Location, SourceText, Stamp, Stamped};
use agon_record::state::State;
use agon_samples::duel::{admit, ask, key, moves, replies, spec};

use super::super::injections::{corpus, outside};
use super::super::prompt;

fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

fn there(file: &str, first: u32, text: &[&str]) -> SourceText {
    SourceText {
        place: Location {
            file: file.to_owned(),
            commit: None,
            lines: [first, first],
        },
        from: first,
        text: text.iter().map(|line| (*line).to_owned()).collect(),
        cut: false,
        blob: "ab".repeat(32),
    }
}

fn stamp(point: usize, file: &str, stamp: Stamp) -> GroundStamp {
    let citation = Citation {
        file: Some(file.to_owned()),
        lines: Some([41, 41]),
        anchor: Some("retries are capped at 3".to_owned()),
        ..Citation::default()
    };
    GroundStamp {
        point,
        ground: 0,
        stamped: Stamped {
            citation,
            extracted: false,
            stamp,
        },
    }
}

/// The opening with one place of each kind, the second of which reads `text`.
fn stamps(text: &str) -> Vec<GroundStamp> {
    vec![
        stamp(
            0,
            "src/store.rs",
            Stamp::Found {
                there: there("src/store.rs", 88, &["fs::rename(&open, &claimed)?;"]),
                note: None,
            },
        ),
        stamp(
            1,
            "src/retry.rs",
            Stamp::Wrong {
                there: there("src/retry.rs", 41, &[text]),
                nearest: None,
                case_differs: false,
                elsewhere: Vec::new(),
            },
        ),
        stamp(
            2,
            "src/none.rs",
            Stamp::Missing {
                what: Absent::File,
                last_line: None,
                instead: Vec::new(),
            },
        ),
    ]
}

/// The scripted debate before `until`, whose opening was looked up.
fn debate(until: TurnId, text: &str) -> State {
    let mut spec = spec(2);
    spec.source = Some(Pinned {
        about: "repo at 3f1c9ae".to_owned(),
        commit: None,
        manifest: "cd".repeat(32),
        root: None,
        pages: false,
    });
    let mut state = State::open(spec);
    for (turn, reply) in replies(2) {
        if turn < until {
            ask(&mut state, key(turn, 0), &reply);
            if turn == self::turn("r1.pro") {
                let stamps = stamps(text);
                let key = key(turn, 0);
                state
                    .apply(&Event::Stamped {
                        key,
                        stamps,
                        commits: None,
                        runs: 0,
                    })
                    .unwrap();
            }
            admit(&mut state, turn, moves(turn, &reply), Vec::new());
        }
    }
    state
}

fn part<'a>(prompt: &'a super::super::Prompt, kind: &str) -> Option<&'a str> {
    let part = prompt.parts.iter().find(|part| part.kind == kind)?;
    Some(&part.text)
}

#[test]
fn the_other_side_and_the_judge_see_each_stamp_and_the_real_text() {
    for name in ["r1.cha", "r2.pro", "verdict.judge"] {
        let turn = turn(name);
        let state = debate(turn, "const MAX_RETRIES: u32 = 5;");
        let prompt = prompt(&state, key(turn, 0));
        let found = part(&prompt, "found").unwrap();
        let lines: Vec<_> = found
            .lines()
            .filter(|line| line.starts_with("- "))
            .collect();
        assert_eq!(
            lines,
            [
                "- pro_001b, ground 1: wrong: the words are not in src/retry.rs; \
                 cited as “src/retry.rs:41, reads `retries are capped at 3`”",
                "- pro_001c, ground 1: missing: no such file; \
                 cited as “src/none.rs:41, reads `retries are capped at 3`”",
                "- pro_001a, ground 1: found: src/store.rs:88; \
                 cited as “src/store.rs:41, reads `retries are capped at 3`”",
            ],
            "{name}"
        );
        let shown = part(&prompt, "shown").unwrap();
        assert!(
            shown.contains(
                "\nsrc/store.rs:88 (cited in pro_001a)\n   88 | fs::rename(&open, &claimed)?;\n\n\
                 src/retry.rs:41 (cited in pro_001b)\n   41 | const MAX_RETRIES: u32 = 5;\n"
            ),
            "{shown}"
        );
    }
}

#[test]
fn a_place_of_which_nothing_is_quoted_is_told_apart_from_words_that_were_found() {
    let turn = turn("verdict.judge");
    let there = || there("src/store.rs", 41, &["let five = 5;"]);
    let stamps = [Stamp::Place { there: there() }];
    for one in stamps {
        let mut state = debate(turn, "x");
        let event = Event::Stamped {
            key: key(self::turn("r1.pro"), 0),
            stamps: vec![stamp(0, "src/store.rs", one)],
            commits: None,
            runs: 0,
        };
        state.apply(&event).unwrap();
        let prompt = prompt(&state, key(turn, 0));
        let found = part(&prompt, "found").unwrap();
        assert!(
            found.contains("`place`: the place exists, but nothing is quoted from it."),
            "{found}"
        );
        let line = "- pro_001a, ground 1: place: src/store.rs:41, nothing quoted; cited as ";
        assert!(found.contains(line), "{found}");
        let shown = part(&prompt, "shown").unwrap();
        assert!(shown.contains("   41 | let five = 5;"), "{shown}");
    }

    let quoted = super::super::prompt(&debate(turn, "x"), key(turn, 0));
    let found = part(&quoted, "found").unwrap();
    assert!(!found.contains("`place`"), "{found}");
}

#[test]
fn without_a_source_nothing_is_said_of_stamps() {
    let turn = turn("verdict.judge");
    let prompt = prompt(&agon_samples::duel::job_store(2, turn), key(turn, 0));
    assert_eq!(
        (part(&prompt, "found"), part(&prompt, "shown")),
        (None, None)
    );
}

#[test]
fn the_author_of_a_reply_that_was_sent_back_is_shown_what_stands_there() {
    let opening = turn("r1.pro");
    let mut state = debate(opening, "");
    ask(&mut state, key(opening, 0), &replies(2)[&opening]);
    for event in [
        Event::Stamped {
            key: key(opening, 0),
            stamps: stamps("const MAX_RETRIES: u32 = 5;"),
            commits: None,
            runs: 0,
        },
        Event::SentBack {
            key: key(opening, 0),
            findings: Vec::new(),
        },
    ] {
        state.apply(&event).unwrap();
    }
    let prompt = prompt(&state, key(opening, 1));
    let again = part(&prompt, "again").unwrap();
    assert!(
        again.contains("   41 | const MAX_RETRIES: u32 = 5;"),
        "{again}"
    );
    assert!(!again.contains("   88 | "), "{again}");
}

#[test]
fn no_text_of_the_source_leaves_its_fence() {
    let turn = turn("verdict.judge");
    let told = |text: &str| outside(&prompt(&debate(turn, text), key(turn, 0)).text());
    let plain = told("plain words");
    for (name, text) in corpus() {
        assert_eq!(told(&text), plain, "{name}");
    }
}

#[test]
fn much_real_text_is_cut_and_the_newest_is_kept() {
    let turn = turn("verdict.judge");
    let mut state = debate(turn, "x");
    let long = "y".repeat(1_000);
    let many = (0..40).map(|nth| {
        let first = nth * 10 + 1;
        let there = there("src/long.rs", first, &[long.as_str()]);
        stamp(0, "src/long.rs", Stamp::Found { there, note: None })
    });
    let key_of = key(self::turn("r2.pro"), 0);
    let event = Event::Stamped {
        key: key_of,
        stamps: many.collect(),
        commits: None,
        runs: 0,
    };
    state.apply(&event).unwrap();
    let prompt = prompt(&state, key(turn, 0));
    let shown = part(&prompt, "shown").unwrap();
    assert!(shown.len() < super::MAX_SHOWN + 1_000, "{}", shown.len());
    assert!(shown.contains("src/long.rs:391 "), "{shown}");
    assert!(!shown.contains("src/long.rs:1 "));
    assert!(shown.ends_with("places are left out for length."));
}
