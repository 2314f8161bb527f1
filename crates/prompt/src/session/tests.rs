//! A session that is told only what is new knows what a cold one is told.

use std::collections::BTreeMap;

use agon_record::event::Event;
use agon_record::finding::{Finding, Severity};
use agon_record::id::{AskKey, Seat, Stage, TurnId};
use agon_record::spec::Context;
use agon_record::state::State;
use agon_record::user::{Note, UserInput, WordId};
use agon_samples::duel::{ask, job_store, key, replies};
use proptest::prelude::*;

use super::*;
use crate::{Wording, prompt};

fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

/// The turns of `seat` in the scripted debate of three rounds.
fn turns_of(seat: Seat) -> Vec<TurnId> {
    let mut turns: Vec<_> = replies(3).into_keys().collect();
    turns.retain(|turn| turn.seat == seat && matches!(turn.stage, Stage::Round(_)));
    turns
}

/// The debate before `turn`, with some material and so many notes.
fn before(turn: TurnId, notes: usize, file: &str) -> State {
    let mut state = job_store(3, turn);
    if !file.is_empty() {
        state.spec.context = Context::File {
            path: "src/claim.rs".to_owned(),
            text: file.to_owned(),
        };
    }
    for number in 1..=notes {
        state.words.push(UserInput::Note(Note {
            id: format!("note {number}").parse::<WordId>().unwrap(),
            item: ulid::Ulid::nil(),
            text: format!("data 000000>>> note {number}"),
            redacted: 0,
        }));
    }
    state
}

/// What is wrong with a reply, for a state in which it was sent back.
fn sent_back(state: &mut State, turn: TurnId) {
    ask(state, key(turn, 0), &replies(3)[&turn]);
    let finding = Finding {
        code: "duel-grounds".to_owned(),
        severity: Severity::Error,
        turn,
        at: "stance".to_owned(),
        path: None,
        span: None,
        message: "it rests on no ground".to_owned(),
        hint: String::new(),
    };
    let event = Event::SentBack {
        key: key(turn, 0),
        findings: vec![finding],
    };
    state.apply(&event).unwrap();
}

/// A session, with every text that it was told.
#[derive(Default)]
struct Session {
    held: SessionMemory,
    texts: Vec<String>,
}

impl Session {
    fn tell(&mut self, state: &State, key: AskKey) -> SessionPrompt {
        let told = prompt(state, key).for_session(&self.held);
        self.held = told.held.clone();
        self.texts.push(told.text.to_string());
        told
    }

    /// Whether some text has this part of a prompt whole, between empty lines or ends.
    fn knows(&self, part: &str) -> bool {
        self.texts.iter().any(|text| {
            text.match_indices(part).any(|(at, _)| {
                let (before, after) = (&text[..at], &text[at + part.len()..]);
                (before.is_empty() || before.ends_with("\n\n"))
                    && (after == "\n" || after.starts_with("\n\n"))
            })
        })
    }
}

proptest! {
    /// However many turns it is there for, whatever is sent back and whatever the user says.
    #[test]
    fn it_has_been_told_every_part_of_the_prompt(
        proposer: bool,
        there in prop::collection::vec(any::<bool>(), 4),
        back in prop::collection::vec(any::<bool>(), 4),
        notes in prop::collection::vec(0_usize..2, 4),
        file in "(|[a-z <>\n#]{1,80})",
    ) {
        let seat = if proposer { Seat::Proposer } else { Seat::Challenger };
        let mut session = Session::default();
        let mut said = 0;
        for (at, turn) in turns_of(seat).into_iter().enumerate() {
            said += notes[at];
            if !there[at] {
                continue;
            }
            let mut state = before(turn, said, &file);
            let mut keys = vec![key(turn, 0)];
            if back[at] {
                keys.push(key(turn, 1));
            }
            for key in keys {
                if key.again == 1 {
                    sent_back(&mut state, turn);
                }
                let fresh = session.texts.is_empty();
                let cold = prompt(&state, key);
                let told = session.tell(&state, key);
                prop_assert_eq!(told.parts.is_none(), fresh);
                prop_assert!(!fresh || told.text == cold.text());
                for part in &cold.parts {
                    let text = match &part.brief {
                        Some(brief) if !fresh => brief,
                        _ => &part.text,
                    };
                    prop_assert!(session.knows(text), "{key}: {}\n{text}", part.kind);
                }
                let contract = &cold.parts.last().unwrap().text;
                let end = format!("{contract}\n");
                prop_assert!(told.text.ends_with(&end));
                // Nothing but parts of its own prompt, and words of ours before them.
                let parts = told.parts.unwrap_or_else(|| (0..).take(cold.parts.len()).collect());
                let of_parts = parts.iter().map(|at| cold.parts[*at as usize].wording_for_session(fresh).as_str());
                let of_parts = of_parts.collect::<Vec<_>>().join("\n\n") + "\n";
                let ours = told.text.strip_suffix(&of_parts).expect("parts stand last");
                prop_assert!(ours.is_empty() || (!fresh && ours.starts_with("Everything you were told")));
                prop_assert!(!ours.contains("<<<data"));
            }
        }
    }
}

#[test]
fn a_later_turn_is_told_what_is_new_and_no_more() {
    let mut session = Session::default();
    let mut kinds = BTreeMap::new();
    for turn in turns_of(Seat::Challenger) {
        let state = before(turn, 0, "a file of some length");
        let told = session.tell(&state, key(turn, 0));
        let cold = prompt(&state, key(turn, 0));
        let names = told.parts.map(|parts| {
            let kinds = parts.iter().map(|at| cold.parts[*at as usize].kind);
            kinds.collect::<Vec<_>>().join(" ")
        });
        kinds.insert(turn.to_string(), names);
    }
    let expected = [
        ("r0.cha", None),
        (
            "r1.cha",
            Some("role rules rules answer turn turn challenge contract"),
        ),
        ("r2.cha", Some("open rules turn turn challenge contract")),
        ("r3.cha", Some("open summary turn turn challenge contract")),
    ];
    let expected = expected.map(|(turn, kinds)| (turn.to_owned(), kinds.map(str::to_owned)));
    assert_eq!(kinds, BTreeMap::from(expected));
}

#[test]
fn what_was_sent_back_is_findings_and_contract() {
    let challenge = turn("r1.cha");
    let mut state = before(challenge, 0, "");
    let mut session = Session::default();
    session.tell(&state, key(challenge, 0));
    sent_back(&mut state, challenge);
    let cold = prompt(&state, key(challenge, 1));
    let told = session.tell(&state, key(challenge, 1));
    let last = u32::try_from(cold.parts.len()).unwrap();
    assert_eq!(told.parts, Some(vec![last - 2, last - 1]));
    assert!(told.text.starts_with("# Sent back"), "{}", told.text);
    assert!(told.text.contains("it rests on no ground"));
    assert!(!told.text.contains("Your reply:"), "{}", told.text);
    assert!(cold.text().contains("Your reply:"));
}

#[test]
fn what_is_over_is_said_to_be_over() {
    let part = |kind, text: &'static str| Part {
        kind,
        text: Wording::from_literal(text),
        brief: None,
    };
    let first = Prompt {
        parts: vec![
            part("motion", "# Topic\n\nA or B?"),
            part("open", "# Open now\n\nObjections you must answer: one"),
            part("contract", "Turn: r2.pro"),
        ],
    };
    let second = Prompt {
        parts: vec![first.parts[0].clone(), part("contract", "Turn: r3.pro")],
    };
    let held = first.for_session(&SessionMemory::default()).held;
    let told = second.for_session(&held);
    assert_eq!(
        told.text.as_str(),
        "Everything you were told before and everything you said is still valid. The following is added to \
         it. Under a heading that you have seen before, it replaces the earlier text. These sections \
         are no longer valid, and nothing replaces them: \"Open now\".\n\nTurn: r3.pro\n"
    );
    let third = second.for_session(&told.held);
    assert_eq!(third.text.as_str(), "Turn: r3.pro\n", "it is said once");
}

#[test]
fn what_it_holds_is_what_it_was_told_and_what_it_said() {
    let turn = turn("r1.pro");
    let told = prompt(&before(turn, 0, ""), key(turn, 0)).for_session(&SessionMemory::default());
    let mut held = told.held;
    assert_eq!(held.tokens(), estimate_tokens(told.text.len() as u64));
    held.add_answer_bytes(4_000);
    assert_eq!(
        held.tokens(),
        estimate_tokens(told.text.len() as u64 + 4_000)
    );
}
