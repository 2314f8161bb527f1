use agon_record::spec::FormatName;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;

use super::*;
use crate::format;
use crate::rule::tests::fixture::{TURNS, base, id, moves};
use crate::rule::tests::formal as formally;

mod formal;

fn turn() -> TurnId {
    id("r0.pro")
}

fn blind(reply: &str) -> Result<Parsed, ParseError> {
    parse(reply, MovesKind::Blind, turn())
}

fn answer(reply: &str) -> String {
    match blind(reply).unwrap().moves {
        Moves::Blind(blind) => blind.answer,
        other @ (Moves::Opening(_)
        | Moves::Challenge(_)
        | Moves::Defense(_)
        | Moves::FollowUp(_)
        | Moves::Verdict(_)
        | Moves::Formal(_)) => panic!("{other:?}"),
    }
}

fn code(reply: &str) -> String {
    code_of(blind(reply))
}

fn code_of(result: Result<Parsed, ParseError>) -> String {
    let error = result.unwrap_err();
    assert!(!error.findings.is_empty());
    assert!(
        error
            .findings
            .iter()
            .all(|finding| finding.severity == Severity::Fatal)
    );
    error.code
}

const A: &str = r#"{"answer": "A", "position": "p"}"#;
const B: &str = r#"{"answer": "B", "position": "p"}"#;

#[test]
fn half_a_character_and_odd_blanks_cost_no_reply() {
    let half = r#"```json
{"answer": "A \ud83d", "position": "p"}
```"#;
    assert_eq!(answer(half), "A \u{fffd}");
    let blanks = "So:\n{\n\u{a0}\"answer\":\u{2009}\"A\u{a0}B\", \"position\": \"p\"\n}";
    assert_eq!(answer(blanks), "A\u{a0}B");
    let broken = "```json\n{\u{a0}\"answer\": }\n```";
    assert_eq!(code(broken), "json:syntax");
}

#[test]
fn the_last_block_wins_whatever_its_fence() {
    assert_eq!(
        answer(&format!("x\n```json\n{A}\n```\ny\n```\n{B}\n```\n")),
        "B"
    );
    assert_eq!(
        answer(&format!("~~~~jsonc title=\"x\"\n{A}\n~~~~\nbye")),
        "A"
    );
    assert_eq!(
        answer(&format!("  1. so\n     ```json\n     {A}\n     ```")),
        "A"
    );
    assert_eq!(answer(&format!("```json\r\n{A}\r\n```\r\n")), "A");
}

#[test]
fn a_block_that_is_not_json_is_passed_over() {
    assert_eq!(
        answer(&format!(
            "```json\n{A}\n```\nThen run\n```sh\nls -la\n```\n"
        )),
        "A"
    );
    assert_eq!(
        answer(&format!("```json\n{A}\n```\n```\n[1, 2]\n```\n")),
        "A"
    );
    assert_eq!(
        answer(&format!(
            "```json\n{A}\n```\n```json\n{{\"name\": \"pkg\"}}\n```\n"
        )),
        "A"
    );
}

#[test]
fn a_stray_fence_does_not_hide_the_block() {
    assert_eq!(
        answer(&format!("say ``` or\n```\nprose\n```json\n{A}\n```")),
        "A"
    );
}

#[test]
fn the_closing_fence_may_be_missing() {
    assert_eq!(answer(&format!("so\n```json\n{A}")), "A");
    assert_eq!(answer(&format!("so\n```json\n{A}\nThat is all.")), "A");
}

#[test]
fn the_whole_reply_may_be_the_object() {
    assert_eq!(answer(A), "A");
    assert_eq!(answer(&format!("\u{feff} \n{A}\n")), "A");
}

#[test]
fn an_object_in_the_text_is_found_and_the_last_one_counts() {
    assert_eq!(answer(&format!("first {A} then {B}, done {{}} {{x}}")), "B");
    assert_eq!(answer(&format!("```json {A} ```")), "A");
    assert_eq!(
        answer(&format!("the set {{a, b}} and {{\"x\" is odd: {A}")),
        "A"
    );
}

#[test]
fn the_inside_of_a_broken_object_is_not_taken_for_the_moves() {
    let broken =
        r#"{"objections": [{"target": "pro_001a",, "grounds": []}, {"x": 1}], "none_found": []}"#;
    let error = parse(broken, MovesKind::Challenge, turn()).unwrap_err();
    assert_eq!(error.code, "json:syntax");
}

#[test]
fn moves_under_the_name_of_their_kind_are_taken_out() {
    assert_eq!(answer(&format!("```json\n{{\"blind\": {A}}}\n```")), "A");
    assert_eq!(answer(&format!("```json\n{{\"moves\": {A}}}\n```")), "A");
    assert_eq!(answer(&format!("[{A}]")), "A");
}

#[test]
fn a_reply_without_moves_says_why() {
    assert_eq!(code(""), "empty:no_text");
    assert_eq!(code(" \n\t\u{feff}"), "empty:no_text");
    assert_eq!(code("I think files."), "json:none");
    assert_eq!(code("```sh\nls\n```"), "json:none");
    assert_eq!(code("```json\n{\"answer\": \"A\",\n```"), "json:eof");
    assert_eq!(code("```json\n{'answer': 'A'}\n```"), "json:syntax");
    assert_eq!(
        code("```json\n{\"answer\": \"A\", \"posit"),
        "truncated:json"
    );
    assert_eq!(
        code("{\"answer\": \"A\", \"position\": \"p\""),
        "truncated:json"
    );
    assert_eq!(
        code("So: {\"answer\": \"A\", \"position\": \"p\""),
        "truncated:json"
    );
    assert_eq!(code(&format!("```json\n[{A}, {B}]\n```")), "schema:type");
    assert_eq!(code("{\"name\": \"pkg\"}"), "schema:required");
    assert_eq!(code(&"x".repeat(MAX_REPLY + 1)), "too_large:bytes");
}

#[test]
fn a_cut_block_does_not_fall_back_on_a_draft() {
    assert_eq!(
        code(&format!(
            "```json\n{A}\n```\nBetter:\n```json\n{{\"answer\": \"B\""
        )),
        "truncated:json"
    );
}

#[test]
fn bytes_that_are_no_text_say_where() {
    let error = parse_bytes(b"ab\xff", MovesKind::Blind, turn()).unwrap_err();
    assert_eq!(error.to_string(), "PARSE_ERROR:utf8:invalid");
    assert_eq!(
        error.findings[0].message,
        "the reply is not valid UTF-8 from byte 2 on"
    );
    assert!(parse_bytes(A.as_bytes(), MovesKind::Blind, turn()).is_ok());
}

#[test]
fn every_violation_is_named_at_once() {
    let reply = json!({
        "objections": [
            { "target": "pro_001a", "kind": "claims", "category": "correctness", "severity": "major",
              "content": 7, "grounds": [] },
            { "kind": "claim", "category": "correctness", "severity": "major", "content": "c",
              "grounds": [{ "source": "s", "content": "c" }] },
            { "target": "the first", "kind": "claim", "category": "correctness", "severity": "major",
              "content": "c", "grounds": {} },
        ],
        "none_found": "security",
    });
    let error = parse(&reply.to_string(), MovesKind::Challenge, turn()).unwrap_err();
    let mut found: Vec<_> = error
        .findings
        .iter()
        .map(|f| (f.at.as_str(), f.message.as_str(), f.hint.as_str()))
        .collect();
    found.sort_unstable();
    let kinds = "use one of claim, grounds, warrant, backing, unsupported";
    assert_eq!(
        found,
        [
            (
                "none_found",
                "this is a string, not a list",
                "put it in a list, `[…]`"
            ),
            (
                "objections[0].content",
                "this is a number, not a string",
                "give a string in double quotes"
            ),
            (
                "objections[0].kind",
                "this is not one of the allowed words: claim, grounds, warrant, backing, unsupported",
                kinds
            ),
            (
                "objections[1].grounds[0].relevance",
                "this is missing",
                "give `relevance`"
            ),
            ("objections[1].target", "this is missing", "give `target`"),
            (
                "objections[2].grounds",
                "this is an object, not a list",
                "put it in a list, `[…]`"
            ),
            (
                "objections[2].target",
                "this is not the id of a point",
                "give the id of a point, such as pro_001a"
            ),
        ]
    );
    assert!(error.code.starts_with("schema:"), "{}", error.code);
}

#[test]
fn what_is_harmless_is_forgiven() {
    let reply = json!({
        "objections": [{
            "target": " [PRO_001A] ", "kind": "Claim", "category": "Developer Experience",
            "severity": "MAJOR", "content": "c",
            "grounds": [
                { "source": "s", "content": "c", "relevance": "r", "citation": null },
                { "source": "s", "content": "c", "relevance": "r",
                  "citation": { "file": "a.rs", "lines": 7, "anchor": "" } },
            ],
        }],
        "none_found": null,
        "alternatives": [{ "title": "t", "claim": "c", "grounds": [], "warrant": "w", "backing": " ",
                           "qualifier": null }],
    });
    let parsed = parse(&reply.to_string(), MovesKind::Challenge, turn()).unwrap();
    assert_eq!(parsed.findings, []);
    let expected = json!({
        "kind": "challenge",
        "objections": [{
            "target": "pro_001a", "kind": "claim", "category": "developer_experience",
            "severity": "major", "content": "c",
            "grounds": [
                { "source": "s", "content": "c", "relevance": "r" },
                { "source": "s", "content": "c", "relevance": "r",
                  "citation": { "file": "a.rs", "lines": [7, 7] } },
            ],
        }],
        "alternatives": [{ "title": "t", "claim": "c", "grounds": [], "warrant": "w" }],
    });
    assert_eq!(parsed.moves, serde_json::from_value(expected).unwrap());
}

#[test]
fn a_number_in_quotes_is_not_forgiven() {
    let reply = r#"{"objections": [], "alternatives": [{"title": "t", "claim": "c", "warrant": "w",
        "grounds": [{"source": "s", "content": "c", "relevance": "r", "citation": {"file": "f", "lines": ["1", "2"]}}]}]}"#;
    let error = parse(reply, MovesKind::Challenge, turn()).unwrap_err();
    let place = "alternatives[0].grounds[0].citation.lines[0]";
    assert_eq!(
        (error.code.as_str(), error.findings[0].at.as_str()),
        ("schema:type", place)
    );
}

#[test]
fn a_number_no_line_can_have_is_refused() {
    let reply = r#"{"alternatives": [{"title": "t", "claim": "c", "warrant": "w",
        "grounds": [{"source": "s", "content": "c", "relevance": "r", "citation": {"file": "f", "lines": [1, 99999999999]}}]}]}"#;
    let error = parse(reply, MovesKind::Challenge, turn()).unwrap_err();
    assert_eq!(error.code, "schema:data");
}

#[test]
fn unknown_keys_are_warned_of_and_ignored() {
    let reply = r#"{"answer": "A", "position": "p", "mood": "bad", "e\u001b[31mvil\u202e": 1}"#;
    let parsed = blind(reply).unwrap();
    let found: Vec<_> = parsed
        .findings
        .iter()
        .map(|f| (f.code.as_str(), f.severity, f.at.as_str()))
        .collect();
    let code = "reply-unknown-key";
    assert_eq!(
        found,
        [
            (code, Severity::Warning, "mood"),
            (code, Severity::Warning, "evil")
        ]
    );
}

#[test]
fn a_reply_cannot_grow_without_bound() {
    let many = json!({ "answer": "a", "position": "p", "because": vec!["x"; 51] });
    assert_eq!(code(&many.to_string()), "schema:maxItems");
    let long = json!({ "answer": "a", "position": "p".repeat(8_001) });
    assert_eq!(code(&long.to_string()), "schema:maxLength");
    let strange: serde_json::Map<_, _> =
        (0..100_000).map(|n| (format!("k{n}"), json!(1))).collect();
    let mut odd = strange.clone();
    odd.extend([
        ("answer".to_owned(), json!("a")),
        ("position".to_owned(), json!("p")),
    ]);
    let parsed = blind(&Value::Object(odd).to_string()).unwrap();
    assert_eq!(parsed.findings.len(), MAX_FINDINGS);
    let error = blind(&Value::Object(strange).to_string()).unwrap_err();
    assert_eq!(error.findings.len(), 2);
    let wrong = json!({ "objections": vec![json!({}); 40_000] });
    let error = parse(&wrong.to_string(), MovesKind::Challenge, turn()).unwrap_err();
    assert_eq!(error.findings.len(), MAX_FINDINGS);
}

#[test]
fn no_message_repeats_the_reply() {
    let reply = r#"{"answer": "SECRET", "position": 5, "because": ["SECRET", {"SECRET": 1}]}"#;
    let error = blind(reply).unwrap_err();
    assert_eq!(error.findings.len(), 2);
    for finding in &error.findings {
        assert!(!format!("{finding:?}").contains("SECRET"), "{finding:?}");
    }
    let reply = "```json\n{\"answer\": \"SECRET\" SECRET}\n```";
    let error = blind(reply).unwrap_err();
    assert!(!format!("{error:?}").contains("SECRET"), "{error:?}");
}

/// Replies that are slow, deep or endless for a parser that is not careful.
#[test]
fn hostile_replies_take_linear_time_and_no_stack() {
    let size = 1 << 17;
    let fill = |unit: &str| unit.repeat(size / unit.len());
    let hostile = [
        fill("{"),
        fill("["),
        fill("{\"a\":"),
        fill("[{\"a\":"),
        fill("{\""),
        fill("{\"a\":\"{\","),
        fill("{\"a\"{"),
        fill("{ "),
        fill("```\n"),
        fill("```\n{\n"),
        fill("```\n{\"a\":[\n"),
        fill("~~~\n[1,\n"),
        fill("\n"),
        fill("\\\""),
        fill("{\"a\":1} "),
        fill("{\"a\":{\"b\":[]}}, "),
        format!("{{\"answer\": \"{}", fill("\\u0000")),
        format!("```json\n{{\"answer\": \"a\", \"position\": {}", fill("[")),
        format!("{{\"answer\": {}}}", fill("[1],").trim_end_matches(',')),
        format!("{}{A}", fill("{\"a\": [")),
    ];
    for reply in &hostile {
        for kind in [MovesKind::Blind, MovesKind::Challenge, MovesKind::Case] {
            drop(parse(reply, kind, turn()));
            drop(parse(&format!("```json\n{reply}\n```"), kind, turn()));
        }
    }
}

/// A valid reply of each kind, with its turn.
fn replies() -> Vec<(TurnId, MovesKind, String)> {
    let duel = TURNS
        .iter()
        .map(|turn| (turn, base(turn), FormatName::Duel));
    let formal = formally::TURNS.iter();
    let formal = formal.map(|turn| (turn, formally::base(turn), FormatName::Formal));
    let replies = duel.chain(formal).map(|(turn, base, name)| {
        let json = serde_json::to_string_pretty(&base).unwrap();
        let kind = format::format_by_name(name).moves_kind(id(turn));
        (
            id(turn),
            kind,
            format!("Some prose {{x}}.\n\n```json\n{json}\n```\n"),
        )
    });
    replies.collect()
}

#[test]
fn a_valid_reply_of_each_kind_gives_its_moves() {
    for (turn, kind, reply) in replies() {
        let parsed = parse(&reply, kind, turn).unwrap();
        assert_eq!((parsed.moves.kind(), parsed.findings), (kind, Vec::new()));
        if !matches!(parsed.moves, Moves::Formal(_)) {
            let turn = turn.to_string();
            assert_eq!(parsed.moves, moves(&turn, base(&turn)));
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400), kind in 0_usize..10) {
        drop(parse_bytes(&bytes, MovesKind::ALL[kind], turn()));
    }

    #[test]
    fn any_text_of_signs_that_matter_is_survived(
        text in r#"([{}\[\],:"\\`~ \n]|```|~~~|json|answer|position|1|-|e|null|title|scores|argument_id|é|😀){0,80}"#,
        kind in 0_usize..10,
    ) {
        let kind = MovesKind::ALL[kind];
        match parse(&text, kind, turn()) {
            Ok(parsed) => prop_assert_eq!(parsed.moves.kind(), kind),
            Err(error) => prop_assert!(!error.findings.is_empty()),
        }
    }

    /// Bytes cut out, put in and changed: never a panic, and what is taken can be taken again.
    #[test]
    fn any_change_to_a_valid_reply_is_survived(
        which in any::<Index>(),
        edits in prop::collection::vec((any::<Index>(), any::<Index>(), 0_u8..4, any::<u8>()), 1..6),
    ) {
        let replies = replies();
        let (turn, kind, reply) = &replies[which.index(replies.len())];
        let mut bytes = reply.clone().into_bytes();
        for (from, to, how, byte) in edits {
            let (from, to) = (from.index(bytes.len() + 1), to.index(bytes.len() + 1));
            let (from, to) = (from.min(to), from.max(to));
            match how {
                0 => { bytes.truncate(to); }
                1 => { bytes.drain(from..to.min(from + 40)); }
                2 => { bytes.insert(from, byte); }
                _ => { let copy = bytes[from..to].to_vec(); bytes.splice(from..from, copy); }
            }
        }
        match parse_bytes(&bytes, *kind, *turn) {
            Ok(parsed) => {
                let mut again = serde_json::to_value(&parsed.moves).unwrap();
                again.as_object_mut().unwrap().remove("kind");
                again.as_object_mut().unwrap().remove("said");
                let again = parse(&again.to_string(), *kind, *turn).unwrap();
                prop_assert_eq!(again.moves, parsed.moves);
                prop_assert_eq!(again.findings, []);
            }
            Err(error) => {
                // `PARSE_ERROR:<type>:<code>`, in characters that need no redaction.
                let parts: Vec<_> = error.code.split(':').collect();
                prop_assert_eq!(parts.len(), 2, "{}", error.code);
                let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
                let is_plain = parts.iter().all(|it| !it.is_empty() && it.chars().all(plain));
                prop_assert!(is_plain && error.to_string().len() <= 200, "{}", error.code);
                prop_assert!(!error.findings.is_empty());
                for finding in error.findings {
                    prop_assert!(finding.message.chars().count() <= 200);
                    prop_assert!(!finding.message.chars().any(char::is_control));
                }
            }
        }
    }
}

#[test]
fn a_transcript_without_a_usable_answer_says_why_it_is_not_read() {
    let error = |reply: &str| {
        let error = parse_interview(reply, MovesKind::Opening, id("r1.pro")).unwrap_err();
        (error.to_string(), error.findings[0].message.clone())
    };
    let told = |code: &str, message: &str| (format!("PARSE_ERROR:{code}"), message.to_owned());
    let empty = "interview/1\nproposer: SQLite\nchallenger: plain files\n";
    let nothing = "no answer of the interview could be used";
    assert_eq!(error(empty), told("interview:nothing", nothing));
    let damaged = "the transcript of the interview is corrupted";
    assert_eq!(error("interview/2\n"), told("interview:shape", damaged));
}
