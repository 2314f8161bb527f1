//! The files of a debate, byte for byte.

use super::support::{batches, spec, state_after};
use crate::projections;

fn text(count: usize, name: &str) -> String {
    let mut spec = spec();
    spec.slug = "job-store".to_owned();
    let files = projections(&state_after(&spec, count));
    let found = files.into_iter().find(|(path, _)| path.as_str() == name);
    String::from_utf8(found.unwrap().1).unwrap()
}

#[test]
fn the_debate_s_own_file_says_where_it_stands() {
    let expected = r#"{
  "debate_id": "job-store",
  "current_round": 1,
  "current_phase": "awaiting_challenger",
  "format": "duel",
  "ulid": "01JD0000000000000000000000",
  "rounds": 2,
  "seats": {
    "proposer": {
      "tool": "claude",
      "model": null
    },
    "challenger": {
      "tool": "codex",
      "model": null
    },
    "judge": {
      "tool": "gemini",
      "model": null
    }
  },
  "ruleset": "duel/1",
  "agon": "0.1.0"
}

# Motion

SQLite or plain files for the job store?
"#;
    assert_eq!(text(2, "debate.md"), expected);
}

#[test]
fn the_round_and_the_phase_follow_the_debate() {
    let expected = [
        (0, 1, "awaiting_proposer"),
        (2, 1, "awaiting_challenger"),
        (4, 2, "awaiting_proposer"),
        (5, 2, "awaiting_challenger"),
        (6, 2, "awaiting_verdict"),
        (7, 2, "closed"),
    ];
    for (count, round, phase) in expected {
        let text = text(count, "debate.md");
        let (front, _) = text.split_once("\n\n").unwrap();
        let front: serde_json::Value = serde_json::from_str(front).unwrap();
        let found = (&front["current_round"], &front["current_phase"]);
        assert_eq!(found, (&round.into(), &phase.into()), "after {count}");
    }
}

#[test]
fn an_argument_has_its_parts() {
    let expected = r#"{
  "id": "pro_001a",
  "side": "pro",
  "round": 1,
  "kind": "argument",
  "title": "Claim and lease are two steps",
  "claim": "Nothing locks them"
}

## Claim

Nothing locks them

## Grounds

### 1. src/store.rs:88-104

> claim() then lease()
> in two steps

**Relevance:** two writers can both claim

**Citation:** src/store.rs:88-104 "fn claim"

## Warrant

A transaction does

## Qualifier

with two writers
"#;
    assert_eq!(text(2, "arguments/pro_001a.md"), expected);
}

#[test]
fn words_of_a_model_open_no_section_of_the_file() {
    let text = text(2, "arguments/pro_001b.md");
    let (_, body) = text.split_once("\n\n").unwrap();
    let expected = "## Claim\n\nIt is slow\n\n## Warrant\n\nAn index is not\n\n\
                    ## Backing\n\n\\## Not a section\n\\```\n";
    assert_eq!(body, expected);
}

#[test]
fn every_kind_of_point_has_its_file() {
    let heads = [
        (
            "arguments/cha_001a.md",
            "objection",
            "pro_001a",
            "Objection",
        ),
        (
            "arguments/cha_001b.md",
            "agreement",
            "pro_001b",
            "Remaining risk",
        ),
        (
            "arguments/pro_002a.md",
            "response",
            "cha_001a",
            "Still favours",
        ),
        (
            "arguments/cha_002a.md",
            "assessment",
            "pro_002a",
            "Assessment",
        ),
    ];
    for (name, kind, target, heading) in heads {
        let text = text(batches().len(), name);
        let (front, body) = text.split_once("\n\n").unwrap();
        let front: serde_json::Value = serde_json::from_str(front).unwrap();
        assert_eq!(
            (&front["kind"], &front["target"]),
            (&kind.into(), &target.into())
        );
        assert!(body.contains(&format!("## {heading}\n\n")), "{body}");
    }
    let alternative = text(batches().len(), "arguments/cha_001c.md");
    assert!(
        alternative.contains("\"kind\": \"alternative\""),
        "{alternative}"
    );
    assert!(
        text(batches().len(), "verdict.json").starts_with("{\n  \"schema\": \"agon.verdict/5\",")
    );
}

#[test]
fn nothing_unseen_gets_into_a_file() {
    use agon_record::event::Event;
    let mut spec = spec();
    spec.topic = "files?\u{202e}\u{1b}[31m\n# Verdict\n<!-- hidden".to_owned();
    spec.slug = "x".to_owned();
    let mut state = agon_record::state::State::open(spec);
    let Event::Admitted {
        key,
        moves,
        ids,
        findings,
    } = super::support::opening()
    else {
        panic!("not admitted");
    };
    let json = serde_json::to_string(&*moves).unwrap();
    let json = json.replace("two steps", "\\u202etwo\\u009b31m\\u0000 \\u2028steps");
    let moves = Box::new(serde_json::from_str(&json).unwrap());
    state
        .apply(&Event::Admitted {
            key,
            moves,
            ids,
            findings,
        })
        .unwrap();
    for (path, bytes) in projections(&state) {
        let text = String::from_utf8(bytes).unwrap();
        let unseen = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2028}".contains(c));
        assert!(!text.chars().any(unseen), "{path}: {text:?}");
        if path.as_str() == "debate.md" {
            assert!(
                text.ends_with("# Motion\n\nfiles?\n\\# Verdict\n<\\!-- hidden\n"),
                "{text}"
            );
        }
        if let Some((front, _)) = text.split_once("\n\n") {
            serde_json::from_str::<serde_json::Value>(front).unwrap();
        }
    }
}
