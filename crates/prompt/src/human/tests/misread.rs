//! What could be taken for something else, and is not.

use agon_record::moves::MovesKind;
use serde_json::json;

use super::{object_of, problems};
use crate::human::Unread;
use crate::human::read::parse_answer_of_kind;

#[test]
fn more_words_after_a_choice_are_told_since_they_may_say_otherwise() {
    for (kind, text, line) in [
        (
            MovesKind::Defense,
            "## Answer to cha_001a\nreply: concede nothing, rebut it",
            2,
        ),
        (
            MovesKind::Verdict,
            "winner: proposer did not convince me",
            1,
        ),
        (
            MovesKind::Verdict,
            "# Winner\nproposer\n# Why\nIt held.\n# Winner\nchallenger",
            6,
        ),
        (
            MovesKind::Verdict,
            "# Open\n- q\n# Winner\nproposer\nbecause it holds",
            5,
        ),
        (MovesKind::Verdict, "# Quality of it\nevidence: low", 1),
        (
            MovesKind::Challenge,
            "## Objection on pro_001a\non: pro_001b",
            2,
        ),
        (
            MovesKind::Challenge,
            "# Objections\n- on: pro_001a\n  grounds:\n  - source: x\n    lines: some\n",
            4,
        ),
        (
            MovesKind::Challenge,
            "# Objections\n- on: pro_001a\n  grounds:\n  - source: x\n    citation: Smith 2019, p. 4\n",
            4,
        ),
        (
            MovesKind::Opening,
            "# Stance\nUse it.\n```\n# Arguments\n",
            3,
        ),
        (MovesKind::Blind, "# Because\n- ```rust\n# Answer\n", 2),
    ] {
        let found = problems(kind, text);
        assert_eq!(
            found.first().map(|(at, _)| *at),
            Some(line),
            "{text}: {found:#?}"
        );
    }
}

#[test]
fn an_entry_that_is_told_by_its_heading_or_bullet_alone_is_said() {
    for (kind, text, at) in [
        (
            MovesKind::FollowUp,
            "# Rulings\n- pro_002a: resolved",
            "/assessments/0/ruling",
        ),
        (
            MovesKind::FollowUp,
            "## Ruling on pro_002a: resolved",
            "/assessments/0/ruling",
        ),
        (
            MovesKind::FollowUp,
            "# Rulings\n- pro_002a",
            "/assessments/0/response",
        ),
        (
            MovesKind::Scores,
            "# Scores\n- opp_000a: -0.35",
            "/scores/0/score",
        ),
        (
            MovesKind::Scores,
            "# Scores\n## prop_000a 0,35",
            "/scores/0/score",
        ),
        (
            MovesKind::Challenge,
            "## Objection on pro_001a",
            "/objections/0/target",
        ),
    ] {
        let said = object_of(kind, text);
        assert!(said.pointer(at).is_some(), "{text}: {said}");
    }
    // What the form has of itself is none.
    for text in [
        "## Ruling on pro_002a\nruling:\n",
        "## Nothing found: security\nlooked at:\n-\n",
    ] {
        assert_eq!(
            parse_answer_of_kind(MovesKind::FollowUp, text),
            Err(Unread::Blank),
            "{text}"
        );
    }
}

#[test]
fn signs_flags_code_and_names_stay_as_they_are() {
    for (kind, text, at, words) in [
        (
            MovesKind::Challenge,
            "# Objections\n- pro_001a: -5% throughput",
            "/objections/0/content",
            "-5% throughput",
        ),
        (
            MovesKind::Challenge,
            "## Objection: --force deletes data",
            "/objections/0/content",
            "--force deletes data",
        ),
        (
            MovesKind::Challenge,
            "## Objection: Security, correctness and cost all suffer",
            "/objections/0/content",
            "Security, correctness and cost all suffer",
        ),
        (
            MovesKind::Opening,
            "## Argument: Rewrite it in C#",
            "/arguments/0/title",
            "Rewrite it in C#",
        ),
        (
            MovesKind::Opening,
            "## Argument: use of `rename` ##",
            "/arguments/0/title",
            "use of `rename`",
        ),
        (
            MovesKind::Opening,
            "# Stance\n**position:** `a` stays",
            "/stance",
            "**position:** `a` stays",
        ),
        (
            MovesKind::Blind,
            "# Position\n\\a:~~~b\n# Answer\nx",
            "/position",
            "a:~~~b",
        ),
        (MovesKind::Blind, "answer: `Files`", "/answer", "`Files`"),
        (
            MovesKind::Blind,
            "# Because\n- ```\n  # Answer\n  ```\n",
            "/because/0",
            "```\n# Answer\n```",
        ),
        (
            MovesKind::Blind,
            "# Answer\nYes\n# Position\n```\n{ \"a\": 1 }\n```",
            "/position",
            "```\n{ \"a\": 1 }\n```",
        ),
        (
            MovesKind::Blind,
            "# Because\n- first\n- none\n",
            "/because/0",
            "first",
        ),
        (
            MovesKind::Challenge,
            "## Objection on pro_001a\ncontent: one\ntext: two",
            "/objections/0/content",
            "one\n\ntwo",
        ),
        (
            MovesKind::Opening,
            "## Argument\ngrounds:\n- src/a.rs:3-5 \"a — b\" - says it - matters",
            "/arguments/0/grounds/0/citation/anchor",
            "a — b",
        ),
        (
            MovesKind::Opening,
            "## Argument\ngrounds:\n- src/a.rs:3-5 \"a — b\" - says it - matters",
            "/arguments/0/grounds/0/relevance",
            "matters",
        ),
        (
            MovesKind::Opening,
            "## Argument\ngrounds:\n- src/a.rs - says it - matters",
            "/arguments/0/grounds/0/content",
            "says it",
        ),
    ] {
        let said = object_of(kind, text);
        assert_eq!(said.pointer(at), Some(&json!(words)), "{text}: {said}");
    }
    let said = object_of(
        MovesKind::Opening,
        "## Argument\nclaim: c\nbacking: none\nqualifier: -\ngrounds: none\n",
    );
    assert_eq!(said, json!({ "arguments": [{ "claim": "c" }] }));
    let lines = object_of(
        MovesKind::Opening,
        "## Argument\ngrounds:\n- file: a.rs\n  lines: 12..20\n",
    );
    assert_eq!(
        lines.pointer("/arguments/0/grounds/0/citation/lines"),
        Some(&json!([12, 20]))
    );
}
