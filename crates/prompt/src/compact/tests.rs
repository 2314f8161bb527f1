use agon_record::id::{AskKey, Seat};
use agon_record::spec::{Context, Definition};
use agon_record::state::State;
use agon_record::user::{Note, UserInput, WordId};
use agon_samples::duel::{job_store, key};
use agon_samples::formal;

use crate::prompt;

const TURNS: [&str; 6] = [
    "r0.pro",
    "r1.pro",
    "r1.cha",
    "r2.pro",
    "r2.cha",
    "verdict.judge",
];

fn with_budget(mut state: State, budget: u32) -> State {
    for seating in state.seats.values_mut() {
        seating.budget = Some(budget);
    }
    state
}

fn told(turn: &str, budget: u32) -> String {
    let turn = turn.parse().unwrap();
    let state = with_budget(job_store(2, turn), budget);
    prompt(&state, key(turn, 0)).text().to_string()
}

#[test]
fn every_turn_of_a_duel_fits_its_budget_and_says_what_to_do() {
    for turn in TURNS {
        for budget in [600, 1_000, 2_048, 4_096, 8_192] {
            let text = told(turn, budget);
            // SmolLM2 needs a token for 3.67 bytes of English.
            let most = u64::from(budget) * 3 / 5;
            let tokens = text.len() as u64 * 100 / 367;
            assert!(tokens <= most, "{turn}:\n{text}");
            assert!(text.contains(&format!("Turn: {turn}\n")), "{turn}:\n{text}");
            assert!(text.contains("SQLite or plain files for the job store?"));
            assert!(!text.contains("TEMPLATE ERROR"), "{text}");
        }
    }
}

#[test]
fn what_there_is_room_for_is_told_in_a_fence_and_the_newest_stays() {
    let whole = told("r2.cha", 8_192);
    for id in ["pro_001a", "cha_001a", "pro_002a"] {
        assert!(whole.contains(&format!("{id}, ")), "{id}:\n{whole}");
    }
    assert!(whole.contains("<<<data "));
    let little = told("r2.cha", 600);
    assert!(little.contains("pro_002"), "{little}");
    assert!(little.len() < whole.len());
}

#[test]
fn the_turns_of_a_formal_debate_have_one_too() {
    for turn in formal::TURNS {
        let state = with_budget(formal::before(turn), 2_048);
        let turn = formal::turn(turn);
        let text = prompt(&state, AskKey { turn, again: 0 }).text();
        assert!(text.len() * 100 / 367 <= 1_230, "{text}");
        assert!(!text.contains("TEMPLATE ERROR"), "{text}");
        let side = matches!(turn.seat, Seat::Proposition | Seat::Opposition);
        assert_eq!(side, text.contains("You defend this:\n"), "{text}");
    }
}

/// A language, the bytes that SmolLM2 has for a token of it, and a sentence in it.
const LANGUAGES: [(&str, f64, &str); 4] = [
    (
        "en",
        3.67,
        "Two workers can claim one job, since nothing locks both steps. ",
    ),
    (
        "de",
        2.96,
        "Zwei Arbeiter können sich denselben Auftrag nehmen, denn nichts sperrt beide Schritte. ",
    ),
    (
        "ru",
        2.46,
        "Два работника могут взять одно задание, потому что ничто не блокирует оба шага. ",
    ),
    (
        "zh",
        1.53,
        "两个工作者可以领取同一个任务，因为没有任何东西锁住这两个步骤。",
    ),
];

#[test]
fn notes_and_findings_in_any_language_stay_within_the_budget() {
    for (language, bytes, sentence) in LANGUAGES {
        for (budget, notes) in [(1_000, 1), (1_000, 12), (2_048, 12)] {
            let turn = "r1.cha".parse().unwrap();
            let mut state = with_budget(job_store(2, turn), budget);
            state.spec.topic = sentence.repeat(9);
            let note = |nth: u16| noted(nth, &format!("{nth} {}", sentence.repeat(9)));
            state.words = (1..=notes).map(note).collect();
            let text = prompt(&state, key(turn, 0)).text();
            // What we say stands there in English.
            let english = text.bytes().filter(u8::is_ascii).count() as f64;
            let of_english = if language == "de" { bytes } else { 3.67 };
            let tokens = english / of_english + (text.len() as f64 - english) / bytes;
            assert!(
                tokens <= f64::from(budget) * 0.6,
                "{language}, {tokens}:\n{text}"
            );
            let lines: Vec<_> = text.lines().collect();
            let adds = lines.iter().enumerate();
            let adds: Vec<_> = adds
                .filter(|(_, line)| line.ends_with(" adds:"))
                .map(|(at, _)| lines[at + 2])
                .collect();
            assert_eq!(adds.len(), usize::from(notes.min(3)), "{text}");
            let last = adds.last().unwrap();
            assert!(last.starts_with(&format!("{notes} ")), "{text}");
        }
    }
}

fn noted(nth: u16, text: &str) -> UserInput {
    UserInput::Note(Note {
        id: WordId::Note(nth),
        item: ulid::Ulid::nil(),
        text: text.to_owned(),
        redacted: 0,
    })
}

#[test]
fn what_was_given_to_read_is_told_where_there_is_room() {
    let turn = formal::turn("r0.prop");
    let told = |budget| {
        let mut state = with_budget(formal::before("r0.prop"), budget);
        let formal = state.spec.kind.as_formal_mut().unwrap();
        formal.scope = Some("One process on one machine.".to_owned());
        formal.definitions = vec![Definition {
            term: "job".to_owned(),
            meaning: "a file that waits for a worker".to_owned(),
        }];
        state.spec.context = Context::File {
            path: "src/store.rs".to_owned(),
            text: "fn claim() {\n".repeat(400),
        };
        prompt(&state, key(turn, 0)).text().to_string()
    };
    let whole = told(2_048);
    for part in [
        "\nOne process on one machine.\ndata ",
        "\njob: a file that waits for a worker\ndata ",
        "\nsrc/store.rs:\n\nfn claim() {\n",
        "fn claim() {\nfn claim() {",
    ] {
        assert!(whole.contains(part), "{part}:\n{whole}");
    }
    assert!(whole.len() < 3 * 2_048 * 6 / 10, "{whole}");
    // What the question covers has room before what there is to read.
    let mut rising = (330..2_048).step_by(10).map(told);
    let little = rising
        .find(|text| text.contains("What the question covers"))
        .unwrap();
    assert!(!little.contains("fn claim()"), "{little}");
}

#[test]
fn a_prompt_in_the_whole() {
    insta::assert_snapshot!(told("r1.cha", 2_048));
}
