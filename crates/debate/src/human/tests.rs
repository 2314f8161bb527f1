//! What people write becomes the moves that they meant.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::read::read_kind;
use super::shape::{Field, Shape};
use super::shapes::shape;
use super::{SCISSORS, Unread, form, write};
use crate::id::{AskKey, TurnId};
use crate::moves::MovesKind;
use crate::parse::parse;
use crate::prompt::fixture;
use crate::state::State;

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
    let answer = read_kind(kind, text).unwrap_or_else(|unread| panic!("{unread:#?}\n{text}"));
    let parsed = parse(&answer.reply, kind, turn(kind));
    let parsed = parsed.unwrap_or_else(|error| panic!("{error:#?}\n{}", answer.reply));
    assert_eq!(parsed.findings, []);
    Value::Object(form::object(&parsed.moves))
}

fn problems(kind: MovesKind, text: &str) -> Vec<(u32, String)> {
    match read_kind(kind, text) {
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

Alternative 1: Files with a lock on top
=======
"#;
    let text = text.replace("Alternative 1", "# Alternative 1").replace("=======\n", "Claim: Keep files and add a lock.\nWarrant: One lock is enough for two writers.\nGrounds:\n1. flock(2) — it is atomic\n");
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
    assert_eq!(moves(MovesKind::Challenge, &text), expected);
}

#[test]
fn answers_and_rulings_are_understood() {
    let text = "position: Use SQLite behind the trait.\n\n## Answer to cha_001a\nConcede: no\nreply: conceded\nIt is true.\n\n\
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
    // What stands before a name and after it is one text.
    let text = text.replace(
        "Concede: no\nreply: conceded\nIt is true.",
        "reply: conceded\ncontent: Concede: no\nIt is true.",
    );
    assert_eq!(moves(MovesKind::Defense, &text), expected);
    let text = "## Ruling on pro_002a\nruling: resolved\nIt holds.\n## Ruling on pro_002b\nruling: dodged\nIt answers something else.";
    let rulings = moves(MovesKind::FollowUp, text);
    assert_eq!(rulings["assessments"][1]["ruling"], "dodged");
    assert_eq!(rulings["assessments"][0]["content"], "It holds.");
}

#[test]
fn a_verdict_and_scores_are_understood() {
    let text = "Winner: the challenger\n# Answer\nKeep files.\n# why\nTwo writers.\n# Do next\nAdd a lock.\nUnless: one writer\n\
        # Decisive\ncha_001a, pro_001b and `cha_001b`\n# Quality\n- genuine disagreement: HIGH\n- evidence: low\n- challenge depth: medium\n\
        # Open questions\n- What does a build cost?\n  to settle: cargo build --timings\n# Assumed by both\n* few jobs\n";
    let text = text.replace("the challenger", "challenger");
    let verdict = moves(MovesKind::Verdict, &text);
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
            .contains("the headings are: Objections, Nothing found"),
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
fn a_blank_form_says_nothing_and_asks_for_everything() {
    for kind in MovesKind::ALL {
        let blank = write::write(shape(kind), &Map::new(), true);
        assert_eq!(read_kind(kind, &blank), Err(Unread::Blank), "{blank}");
        for slot in shape(kind).slots {
            assert!(blank.contains(&slot.label[1..]), "{kind:?}: {}", slot.label);
        }
    }
    assert_eq!(read_kind(MovesKind::Blind, ""), Err(Unread::Blank));
}

#[test]
fn a_form_shows_what_was_said_below_the_scissors_and_what_to_answer_above() {
    for (state, key) in forms() {
        let form = form(&state, key);
        let (above, below) = form.split_once(SCISSORS).unwrap();
        let turn = format!("{key} · you sit as {}", key.turn.seat);
        assert!(above.contains(&turn), "{above}");
        assert!(below.contains(state.spec.topic.trim()), "{below}");
        assert!(!form.contains("<<<data"), "{form}");
        let read = super::read(&state, key, &form);
        assert!(matches!(read, Err(Unread::Blank)), "{form}");
    }
}

#[test]
fn the_form_of_a_challenge() {
    let turn: TurnId = "r1.cha".parse().unwrap();
    let state = fixture::job_store(2, turn);
    let form = form(&state, AskKey { turn, again: 0 });
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
    let duel = duel.map(|turn| fixture::job_store(2, turn.parse().unwrap()));
    let turns = [
        "r0.pro",
        "r1.pro",
        "r1.cha",
        "r2.pro",
        "r2.cha",
        "verdict.judge",
    ];
    let formal = ["r0.prop", "r0.judge", "r1.opp", "r1.judge"];
    let states = formal.map(crate::prompt::formal::fixture::before);
    let states = duel.into_iter().chain(states);
    let keys = turns.iter().chain(&formal).map(|turn| AskKey {
        turn: turn.parse().unwrap(),
        again: 0,
    });
    states.zip(keys).collect()
}

fn id() -> impl Strategy<Value = Value> {
    ("(pro|cha|prop|opp)", 0_u16..30, "[a-z]")
        .prop_map(|(seat, round, place)| json!(format!("{seat}_{round:03}{place}")))
}

/// A text as people write it, and as they do not.
fn words() -> impl Strategy<Value = String> {
    let line = "([A-Za-zé0-9#*>|~`\\[{(:,.<!-]{1,8}[ ]?){1,5}";
    prop::collection::vec(line, 1..3)
        .prop_map(|lines| {
            let lines: Vec<_> = lines.iter().map(|line| line.trim()).collect();
            lines.join("\n").trim().to_owned()
        })
        .prop_filter("something is said", |text| {
            text.chars().any(char::is_alphanumeric)
        })
}

fn ground() -> impl Strategy<Value = Value> {
    let citation = prop::option::of(("[a-z]{1,5}/[a-z]{1,5}\\.rs", 1_u32..500, words()));
    (words(), words(), words(), citation)
        .prop_map(|(source, content, relevance, citation)| {
            let mut ground =
                json!({ "source": source, "content": content, "relevance": relevance });
            if let Some((file, line, anchor)) = citation {
                ground["citation"] =
                    json!({ "file": file, "lines": [line, line + 3], "anchor": anchor });
            }
            ground
        })
        .prop_filter("a source that is a place has its citation", |ground| {
            let quotes = ground["source"]
                .as_str()
                .is_some_and(|source| source.contains(['"', '`']));
            ground.get("citation").is_some() || !quotes
        })
}

fn value(field: Field) -> BoxedStrategy<Value> {
    match field {
        Field::Text => words().prop_map(Value::String).boxed(),
        Field::Texts => prop::collection::vec(words(), 1..3)
            .prop_map(|texts| json!(texts))
            .boxed(),
        Field::Choice(choices) => prop::sample::select(choices)
            .prop_map(|word| json!(word))
            .boxed(),
        Field::Id => id().boxed(),
        Field::Ids => prop::collection::vec(id(), 1..3)
            .prop_map(|ids| json!(ids))
            .boxed(),
        Field::Score => (-1_000_i32..1_000)
            .prop_map(|score| json!(f64::from(score) / 1_000.0))
            .boxed(),
        Field::Grounds => prop::collection::vec(ground(), 1..3)
            .prop_map(|all| json!(all))
            .boxed(),
        Field::One(shape) => object(shape).prop_map(Value::Object).boxed(),
        Field::List(shape) => prop::collection::vec(object(shape), 1..3)
            .prop_map(|all| Value::Array(all.into_iter().map(Value::Object).collect()))
            .boxed(),
    }
}

fn object(shape: &'static Shape) -> BoxedStrategy<Map<String, Value>> {
    let slots = shape
        .slots
        .iter()
        .map(|slot| value(slot.field).prop_map(|said| (slot.key.to_owned(), said)));
    let slots: Vec<_> = slots.collect();
    slots.prop_map(|slots| slots.into_iter().collect()).boxed()
}

fn any_kind() -> impl Strategy<Value = MovesKind> {
    prop::sample::select(&MovesKind::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_form_filled_in_reads_back_as_the_same_moves(
        (kind, said) in any_kind().prop_flat_map(|kind| (Just(kind), object(shape(kind)))), hints in any::<bool>(),
    ) {
        let text = write::write(shape(kind), &said, hints);
        prop_assert_eq!(moves(kind, &text), Value::Object(said), "{}", text);
    }

    #[test]
    fn no_text_makes_reading_fail_otherwise_than_by_an_error(
        kind in any_kind(),
        text in "((#{0,3} ?(Objection|Answer|Stance|Arguments?|grounds|Attack|Score|Quality|open|on|kind|content)( [0-9]|:| on pro_001a|)?|- |\\* |1\\. |<!--|-->|```|\\(major\\)|\\PC{0,6}|[\u{1b}\u{0}\u{202e}\\\\:—]| {0,4})[\n ]?){0,40}",
    ) {
        // Whatever it is, the moves parse or there is a word on every line that does not.
        match read_kind(kind, &text) {
            Ok(answer) => drop(parse(&answer.reply, kind, turn(kind))),
            Err(Unread::Blank) => {}
            Err(Unread::Problems(problems)) => {
                prop_assert!(!problems.is_empty());
                prop_assert!(problems.iter().all(|one| one.line > 0 && !one.hint.is_empty()));
            }
        }
    }
}
