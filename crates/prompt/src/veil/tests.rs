//! What a judge does not see.

use agon_record::event::Event;
use agon_record::finding::{Finding, Severity};
use agon_record::id::{Seat, TurnId};
use agon_record::spec::Context;
use agon_record::state::State;
use agon_samples::duel::{NAMES, ask, job_store, key, replies, told};

use crate::{Prompt, prompt};

fn turn(text: &str) -> TurnId {
    text.parse().unwrap()
}

fn asked(state: &State, text: &str) -> Prompt {
    prompt(state, key(turn(text), 0))
}

/// The parts in which somebody is named: not the topic, and not the material.
fn naming(prompt: &Prompt) -> String {
    let parts = prompt.parts.iter();
    let parts = parts.filter(|part| !matches!(part.kind, "motion" | "context"));
    let texts: Vec<_> = parts.map(|part| part.text.as_str()).collect();
    texts.join("\n\n")
}

/// The scripted debate, in which the challenger names everybody it can.
fn gossip() -> State {
    let mut replies = replies(2);
    let challenge = replies.get_mut(&turn("r1.cha")).unwrap();
    let said = "The claim itself is one rename(2)";
    assert!(challenge.contains(said));
    let gossip = "As pro_001a says, Claude (opus-9) is wrong; the proposer cites gpt-9 and CODEX, \
                  Gemini's pro-9 would not, see r1.pro. Compare .claude/settings.json, CLAUDE.md and \
                  src/proposer.rs: The claim itself is one rename(2)";
    *challenge = challenge.replacen(said, gossip, 1);
    told(2, &replies, TurnId::SWAP)
}

#[test]
fn no_tool_no_model_and_no_seat_is_named_in_a_swap() {
    for rounds in [2, 3] {
        let text = naming(&asked(&job_store(rounds, TurnId::SWAP), "verdict.swap"));
        let lower = text.to_lowercase();
        for name in NAMES {
            assert!(!lower.contains(name), "{name}: {text}");
        }
        for seat in ["proposer", "challenger", "pro_0", "cha_0"] {
            assert!(!lower.contains(seat), "{seat}: {text}");
        }
    }
}

#[test]
fn names_that_the_debaters_use_are_hidden_from_every_judge() {
    let told = |at: &str| {
        let text = naming(&asked(&gossip(), at));
        let line = text.lines().find(|line| line.contains("settings.json"));
        let (_, said) = line.unwrap().split_once("As ").unwrap();
        said.split_once(": The claim").unwrap().0.to_owned()
    };
    let files = "Compare .claude/settings.json, CLAUDE.md and src/proposer.rs";
    assert_eq!(
        told("verdict.judge"),
        format!(
            "pro_001a says, the proposer (the proposer) is wrong; the proposer cites the challenger and \
             the challenger, a tool's a tool would not, see r1.pro. {files}"
        )
    );
    assert_eq!(
        told("verdict.swap"),
        format!(
            "b_001a says, side B (side B) is wrong; side B cites side A and side A, a tool's \
             a tool would not, see r1.b. {files}"
        )
    );
    assert_eq!(told("verdict.judge-2"), told("verdict.judge"));
    // Those who debate read what was said.
    let challenger = asked(&gossip(), "r2.pro").text();
    assert!(challenger.contains("Claude (opus-9) is wrong"));
}

#[test]
fn a_model_that_nobody_named_is_hidden_as_well() {
    let model = "gpt-5.1-codex-max";
    let mut replies = replies(2);
    let challenge = replies.get_mut(&turn("r1.cha")).unwrap();
    let said = "The claim itself is one rename(2)";
    let gossip = format!("As {model} I say that {said}");
    *challenge = challenge.replacen(said, &gossip, 1);
    let mut state = told(2, &replies, TurnId::SWAP);
    for (turn, spoken) in &mut state.turns {
        let given = spoken.asks[0].given.as_mut().unwrap();
        let answered = match turn.seat == Seat::Challenger {
            true => model,
            false => "auto",
        };
        given.model = Some(answered.to_owned());
    }
    for (judge, side) in [
        ("verdict.judge", "the challenger"),
        ("verdict.swap", "side A"),
    ] {
        let text = naming(&asked(&state, judge));
        assert!(!text.contains(model), "{judge}: {text}");
        assert!(text.contains(&format!("As {side} I say that")), "{text}");
    }
    // What a judge is asked does not hang on which model answers.
    let before = asked(&state, "verdict.judge");
    let ruling = replies[&turn("verdict.judge")].clone();
    ask(&mut state, key(turn("verdict.judge"), 0), &ruling);
    let ruled = state.turns.get_mut(&turn("verdict.judge")).unwrap();
    ruled.asks[0].given.as_mut().unwrap().model = Some("rename".to_owned());
    assert_eq!(asked(&state, "verdict.judge"), before);
}

#[test]
fn what_the_debate_is_about_keeps_its_name() {
    let mut state = gossip();
    state.spec.topic = "Claude or Codex for the proposer role?".to_owned();
    state.spec.context = Context::File {
        path: "notes.md".to_owned(),
        text: "gemini is the challenger in pro_001a".to_owned(),
    };
    let prompt = asked(&state, "verdict.swap");
    let text = prompt.text();
    assert!(text.contains("Claude or Codex for the proposer role?"));
    assert!(text.contains("gemini is the challenger in pro_001a"));
    assert!(text.contains("b_001a says, Claude (side B) is wrong; side B cites side A and CODEX"));
}

#[test]
fn both_sides_of_one_tool_cannot_be_told_apart_by_its_name() {
    let mut state = gossip();
    let proposer = state.seats[&Seat::Proposer].clone();
    state.seats.insert(Seat::Challenger, proposer);
    let text = asked(&state, "verdict.judge").text();
    assert!(text.contains("pro_001a says, a tool (a tool) is wrong"));
}

/// What is said of the rounds, in the order in which it is shown.
fn order(prompt: &Prompt) -> Vec<String> {
    let turns = prompt.parts.iter().filter(|part| part.kind == "turn");
    let heads = turns.map(|part| part.text.lines().next().unwrap().to_owned());
    heads.collect()
}

#[test]
fn the_sides_are_shown_the_other_way_round() {
    let state = job_store(2, TurnId::SWAP);
    assert_eq!(
        order(&asked(&state, "verdict.judge")),
        [
            "# First answer of the proposer",
            "# First answer of the challenger",
            "# Round 1: proposer",
            "# Round 1: challenger",
            "# Round 2: proposer",
            "# Round 2: challenger",
        ]
    );
    let swap = asked(&state, "verdict.swap");
    assert_eq!(
        order(&swap),
        [
            "# First answer of side A",
            "# First answer of side B",
            "# Round 1: side A",
            "# Round 1: side B",
            "# Round 2: side A",
            "# Round 2: side B",
        ]
    );
    let part = |kind: &str| {
        let part = swap.parts.iter().find(|part| part.kind == kind).unwrap();
        part.text.clone()
    };
    let (role, end, contract) = (part("role"), part("challenge"), part("contract"));
    assert!(role.find("side A") < role.find("side B"), "{role}");
    let alternative = end.find("- Side A's alternative a_001").unwrap();
    assert!(Some(alternative) < end.find("- Side B's position"), "{end}");
    assert!(contract.contains("\"winner\": \"A|B\""), "{contract}");
    assert!(contract.contains("one of: a_001a, "), "{contract}");
}

#[test]
fn both_judges_read_the_same_words() {
    let state = job_store(2, TurnId::SWAP);
    let words = |at: &str| {
        let text = agon_record::swap::hide_names(&asked(&state, at).text());
        let turns = text
            .lines()
            .filter(|line| line.starts_with("- Objection: "));
        let mut said: Vec<_> = turns.map(str::to_owned).collect();
        said.sort();
        said
    };
    assert!(!words("verdict.swap").is_empty());
    assert_eq!(words("verdict.swap"), words("verdict.judge"));
}

#[test]
fn a_ruling_is_heard_by_no_other_judge() {
    let mut state = job_store(2, turn("verdict.judge"));
    let before = ["verdict.judge-2", "verdict.swap"].map(|at| asked(&state, at));
    let ruling = replies(2)[&turn("verdict.judge")].clone();
    let moves = agon_samples::duel::moves(turn("verdict.judge"), &ruling);
    let findings = vec![broken("decisive[0]")];
    agon_samples::duel::admit(&mut state, turn("verdict.judge"), moves, findings);
    let after = ["verdict.judge-2", "verdict.swap"].map(|at| asked(&state, at));
    assert_eq!(before, after);
}

fn broken(at: &str) -> Finding {
    Finding {
        code: "verdict-decisive".to_owned(),
        severity: Severity::Error,
        turn: TurnId::SWAP,
        at: at.to_owned(),
        path: None,
        span: None,
        message: "there is no point cha_009a".to_owned(),
        hint: "points of this debate: pro_001a, cha_001a".to_owned(),
    }
}

#[test]
fn a_swap_that_is_sent_back_is_told_why_in_its_own_names() {
    let mut state = job_store(2, TurnId::SWAP);
    let reply = "```json\n{\"winner\": \"A\", \"decisive\": [\"a_009a\"]}\n```";
    ask(&mut state, key(TurnId::SWAP, 0), reply);
    let findings = vec![broken("decisive[0]"), broken("disagreements[0].proposer")];
    let key_0 = key(TurnId::SWAP, 0);
    state
        .apply(&Event::SentBack {
            key: key_0,
            findings,
        })
        .unwrap();
    let again = prompt(&state, key(TurnId::SWAP, 1));
    let part = again
        .parts
        .iter()
        .find(|part| part.kind == "again")
        .unwrap();
    for told in [
        "- `decisive[0]`: there is no point a_009a (verdict-decisive). Hint: points of this debate: \
         b_001a, a_001a.",
        "- `disagreements[0].side_b`: there is no point a_009a",
        "{\"winner\": \"A\", \"decisive\": [\"a_009a\"]}",
    ] {
        assert!(part.text.contains(told), "{told}\n\n{}", part.text);
    }
    assert!(!naming(&again).contains("proposer"), "{}", part.text);
}
