//! What people write becomes the moves that they meant.

mod misread;
mod written;

use agon_record::grammar::root_part;
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::MovesKind;
use agon_record::state::State;
use agon_rules::parse::parse;
use agon_samples::duel;
use serde_json::{Map, Value, json};

use super::read::parse_answer_of_kind;
use super::{SCISSORS, Unread, render_form, write};

fn turn(kind: MovesKind) -> TurnId {
    let turn = match kind {
        MovesKind::Blind => "r0.pro",
        MovesKind::Opening => "r1.pro",
        MovesKind::Challenge => "r1.cha",
        MovesKind::Defense => "r2.pro",
        MovesKind::FollowUp => "r2.cha",
        MovesKind::Verdict => "verdict.judge",
        MovesKind::Theses => "theses.judge",
        MovesKind::Case => "r0.prop",
        MovesKind::Rebuttal => "r1.prop",
        MovesKind::Scores => "r1.judge",
    };
    turn.parse().unwrap()
}

/// The moves that `text` is read as.
fn moves(kind: MovesKind, text: &str) -> Value {
    let answer =
        parse_answer_of_kind(kind, text).unwrap_or_else(|unread| panic!("{unread:#?}\n{text}"));
    let parsed = parse(&answer.reply, kind, turn(kind));
    let parsed = parsed.unwrap_or_else(|error| panic!("{error:#?}\n{}", answer.reply));
    assert_eq!(parsed.findings, []);
    Value::Object(super::form::moves_to_object(&parsed.moves))
}

/// What `text` says, whether or not it is all that is asked for.
fn object_of(kind: MovesKind, text: &str) -> Value {
    let answer =
        parse_answer_of_kind(kind, text).unwrap_or_else(|unread| panic!("{unread:#?}\n{text}"));
    let (_, moves) = answer.reply.rsplit_once("```json").unwrap();
    serde_json::from_str(moves.trim_end().trim_end_matches("```")).unwrap()
}

fn problems(kind: MovesKind, text: &str) -> Vec<(u32, String)> {
    match parse_answer_of_kind(kind, text) {
        Err(Unread::Problems(problems)) => {
            let problems = problems.into_iter();
            problems
                .map(|one| (one.line, format!("{}; {}", one.message, one.hint)))
                .collect()
        }
        other => panic!("{other:#?}"),
    }
}

#[test]
fn a_challenge_is_understood_as_people_write_it() {
    let text = r#"
## 1. OBJECTIONS

- PRO_001a (major, correctness, warrant): Two renames are not one step.
  They can be torn apart.
  grounds:
  * src/claim.rs:12-29 "rename(from, to)?" — claim and lease are two calls — nothing locks them
  * I have seen it happen.
- `pro_001b` (blocker)
  Category: Developer experience
  Kind: unsupported
  It walks everything at start-up.
  Evidence: src/a.rs:3 "fn main"

### Nothing found: security
- src/store.rs
- the lock

# Alternative 1: Files with a lock on top
Claim: Keep files and add a lock.
Warrant: One lock is enough for two writers.
Grounds:
1. flock(2) — it is atomic
"#;
    let expected = json!({
        "objections": [
            {
                "target": "pro_001a", "kind": "warrant", "category": "correctness", "severity": "major",
                "content": "Two renames are not one step.\nThey can be torn apart.",
                "grounds": [
                    { "source": "src/claim.rs:12-29 \"rename(from, to)?\"", "content": "claim and lease are two calls",
                      "relevance": "nothing locks them",
                      "citation": { "file": "src/claim.rs", "lines": [12, 29], "anchor": "rename(from, to)?" } },
                    { "source": "own statement", "content": "I have seen it happen.",
                      "relevance": "given in support of this point" },
                ],
            },
            {
                "target": "pro_001b", "kind": "unsupported", "category": "developer_experience", "severity": "blocker",
                "content": "It walks everything at start-up.",
                "grounds": [
                    { "source": "src/a.rs:3 \"fn main\"", "content": "src/a.rs:3 \"fn main\"",
                      "relevance": "given in support of this point",
                      "citation": { "file": "src/a.rs", "lines": [3, 3], "anchor": "fn main" } },
                ],
            },
        ],
        "none_found": [{ "category": "security", "looked_at": ["src/store.rs", "the lock"] }],
        "agreements": [],
        "alternatives": [{
            "title": "Files with a lock on top", "claim": "Keep files and add a lock.",
            "warrant": "One lock is enough for two writers.",
            "grounds": [{ "source": "flock(2)", "content": "it is atomic",
                          "relevance": "given in support of this point" }],
        }],
    });
    assert_eq!(moves(MovesKind::Challenge, text), expected);
}

#[test]
fn answers_and_rulings_are_understood() {
    let text = "position: Use SQLite behind the trait.\n\n## Answer to cha_001a\nreply: conceded\ncontent: Concede: no\nIt is true.\n\n\
        ## Answer to cha_001b (trade-off)\ncontent: It costs build time.\nstill favours because: builds are cached\n\n## Answer to cha_001c\nreply: <!-- concede -->\ncontent:\n";
    let expected = json!({
        "position_now": "Use SQLite behind the trait.",
        "responses": [
            { "objection": "cha_001a", "reply": "concede", "content": "Concede: no\nIt is true.", "grounds": [] },
            { "objection": "cha_001b", "reply": "tradeoff", "content": "It costs build time.",
              "still_favours_because": "builds are cached", "grounds": [] },
        ],
        "arguments": [],
    });
    assert_eq!(moves(MovesKind::Defense, text), expected);
    let text = "## Ruling on pro_002a\nruling: resolved\nIt holds.\n## Ruling on pro_002b\nruling: dodged\nIt answers something else.";
    let rulings = moves(MovesKind::FollowUp, text);
    assert_eq!(rulings["assessments"][1]["ruling"], "dodged");
    assert_eq!(rulings["assessments"][0]["content"], "It holds.");
}

#[test]
fn a_verdict_and_scores_are_understood() {
    let text = "Winner: challenger\n# Answer\nKeep files.\n# why\nTwo writers.\n# Do next\nAdd a lock.\nUnless: one writer\n\
        # Decisive\ncha_001a, pro_001b and `cha_001b`\n# Quality\n- genuine disagreement: HIGH\n- evidence: low\n- challenge depth: medium\n\
        # Open questions\n- What does a build cost?\n  to settle: cargo build --timings\n# Assumed by both\n* few jobs\n";
    let verdict = moves(MovesKind::Verdict, text);
    assert_eq!(verdict["winner"], "challenger");
    assert_eq!(
        verdict["decisive"],
        json!(["cha_001a", "pro_001b", "cha_001b"])
    );
    assert_eq!(verdict["quality"]["genuine_disagreement"], "high");
    assert_eq!(verdict["open"][0]["to_settle"], "cargo build --timings");
    assert_eq!(verdict["assumed_by_both"], json!(["few jobs"]));
    let text = "# Scores\n## prop_000a\nscore: +0,35\nwhy: it holds\n## Score of opp_000a\nscore: −0.35\nreasoning: it does not\n# Rescores\n";
    let scores = moves(MovesKind::Scores, text);
    assert_eq!(scores["scores"][0]["score"], json!(0.35));
    assert_eq!(scores["scores"][1]["score"], json!(-0.35));
    assert_eq!(scores["scores"][1]["argument_id"], "opp_000a");
}

#[test]
fn json_is_understood_fenced_or_not() {
    let plain = r#"{"answer": "Files", "position": "Plain files do."}"#;
    for text in [
        plain.to_owned(),
        format!("I think so.\n\n```json\n{plain}\n```\n{SCISSORS}\nno"),
    ] {
        assert_eq!(moves(MovesKind::Blind, &text)["answer"], "Files", "{text}");
    }
}

#[test]
fn what_cannot_be_understood_is_said_with_its_line() {
    let text = "# Objections\n## Objection 1\non: the first\nseverity: huge\nfails\n\n# Objektions\nlost\nlost\n";
    let found = problems(MovesKind::Challenge, text);
    let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 4, 7], "{found:#?}");
    assert!(
        found[0].1.contains("`the first` is not the id of a point"),
        "{found:#?}"
    );
    assert!(
        found[1].1.contains("one of: minor, major, blocker"),
        "{found:#?}"
    );
    assert!(
        found[2]
            .1
            .contains("the headings are: First answers, Objections, Nothing found"),
        "{found:#?}"
    );
    let found = problems(
        MovesKind::Opening,
        "I think we should.\nReally.\n# Stance\nUse it.",
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].1.contains("these words stand under no heading"),
        "{found:#?}"
    );
    let found = problems(
        MovesKind::Scores,
        "## Score of prop_000a\nscore: NaN\n<!-- no end\n",
    );
    assert!(found[0].1.contains("this comment has no end"), "{found:#?}");
    let found = problems(MovesKind::Blind, &"x".repeat(2 << 20));
    assert!(
        found[0].1.contains("at most 1048576 are read"),
        "{found:#?}"
    );
}

#[test]
fn hostile_bytes_and_terminal_sequences_are_only_words() {
    let text =
        "# Answer\nFi\u{1b}[31mles\u{1b}]0;x\u{7}\0\r\n# Position\n\u{202e}Plain\u{200b} files.\n";
    let read = moves(MovesKind::Blind, text);
    assert_eq!(
        (&read["answer"], &read["position"]),
        (&json!("Files"), &json!("Plain files."))
    );
}

#[test]
fn a_form_is_unfinished_until_its_line_says_otherwise() {
    for (state, key) in forms() {
        let form = render_form(&state, key);
        assert!(super::is_untouched(&state, key, &form));
        assert_eq!(form.lines().next(), Some(super::UNFINISHED));
        assert_eq!(
            super::mark_finished(&form).lines().count(),
            form.lines().count()
        );
    }
    let turn: TurnId = "r0.pro".parse().unwrap();
    let (state, key) = (duel::job_store(2, turn), AskKey { turn, again: 0 });
    let filled = render_form(&state, key).replacen("# Answer\n", "# Answer\nFiles\n", 1);
    assert!(!super::is_untouched(&state, key, &filled));
    assert_eq!(
        super::parse_answer(&state, key, &filled),
        Err(Unread::Unfinished { line: 1 })
    );
    let answer = super::parse_answer(&state, key, &super::mark_finished(&filled)).unwrap();
    assert_eq!(
        answer.line_of_part("answer"),
        Some(
            1 + u32::try_from(filled.lines().position(|line| line == "# Answer").unwrap()).unwrap()
        )
    );
    assert_eq!(super::mark_unfinished(&filled), filled);
    // What it shows is the debate as it stands, and what was written stays.
    let stale = filled.replacen("SQLite or plain files", "Something old", 1);
    assert_eq!(
        super::refresh_debate_so_far(&state, key, &stale).as_deref(),
        Some(&*filled)
    );
    assert_eq!(super::refresh_debate_so_far(&state, key, &filled), None);
    assert_eq!(
        super::refresh_debate_so_far(&state, key, "# Answer\nFiles\n"),
        None
    );
}

#[test]
fn a_blank_form_says_nothing_and_asks_for_everything() {
    for kind in MovesKind::ALL {
        let blank = write::write_form(root_part(kind), &Map::new(), true);
        assert_eq!(
            parse_answer_of_kind(kind, &blank),
            Err(Unread::Blank),
            "{blank}"
        );
        for slot in root_part(kind).fields {
            assert!(blank.contains(&slot.label[1..]), "{kind:?}: {}", slot.label);
        }
    }
    assert_eq!(
        parse_answer_of_kind(MovesKind::Blind, ""),
        Err(Unread::Blank)
    );
}

#[test]
fn a_form_shows_what_was_said_below_the_scissors_and_what_to_answer_above() {
    for (state, key) in forms() {
        let form = render_form(&state, key);
        let (above, below) = form.split_once(SCISSORS).unwrap();
        let turn = format!("{key} · you sit as {}", key.turn.seat);
        assert!(above.contains(&turn), "{above}");
        assert!(below.contains(state.spec.topic.trim()), "{below}");
        assert!(!form.contains("<<<data"), "{form}");
        let read = super::parse_answer(&state, key, &form);
        assert!(matches!(read, Err(Unread::Blank)), "{form}");
    }
}

#[test]
fn the_form_of_a_challenge() {
    let turn: TurnId = "r1.cha".parse().unwrap();
    let state = duel::job_store(2, turn);
    let form = render_form(&state, AskKey { turn, again: 0 });
    insta::assert_snapshot!(form.split_once("# Round 1").unwrap().0);
}

/// Every turn of a duel and some of a formal debate, each with the debate as it finds it.
fn forms() -> Vec<(State, AskKey)> {
    let duel = [
        "r0.pro",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
    ];
    let duel = duel.map(|turn| duel::job_store(2, turn.parse().unwrap()));
    let turns = [
        "r0.pro",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
    ];
    let formal = ["r0.prop", "r0.judge", "r1.opp", "r1.judge"];
    let states = formal.map(agon_samples::formal::before);
    let states = duel.into_iter().chain(states);
    let keys = turns.iter().chain(&formal).map(|turn| AskKey {
        turn: turn.parse().unwrap(),
        again: 0,
    });
    states.zip(keys).collect()
}
