//! Replies of a formal debate.

use agon_record::finding::Severity;
use agon_record::moves::{Moves, MovesKind};
use serde_json::{Value, json};

use super::{Parsed, code_of, id, parse};
use crate::parse::{ParseError, parse_bytes};
use crate::rule::tests::formal::{base, contention, read};

const KINDS: [(&str, MovesKind); 4] = [
    ("theses.judge", MovesKind::Theses),
    ("r0.prop", MovesKind::Case),
    ("r1.prop", MovesKind::Rebuttal),
    ("r1.judge", MovesKind::Scores),
];

fn case(reply: &str) -> Result<Parsed, ParseError> {
    parse(reply, MovesKind::Case, id("r0.prop"))
}

fn scores(reply: &str) -> Result<Parsed, ParseError> {
    parse(reply, MovesKind::Scores, id("r1.judge"))
}

fn expected() -> Moves {
    read("r0.prop", &base("r0.prop")).moves
}

/// Code, place and texts of the only finding.
fn only(result: Result<Parsed, ParseError>) -> (String, String, String) {
    let error = result.unwrap_err();
    assert_eq!(error.findings.len(), 1, "{error:?}");
    let finding = &error.findings[0];
    assert_eq!(finding.severity, Severity::Fatal);
    let said = format!("{} / {}", finding.message, finding.hint);
    (error.code, finding.at.clone(), said)
}

#[test]
fn an_opening_is_a_list_wherever_it_stands() {
    let list = base("r0.prop").to_string();
    let pretty = serde_json::to_string_pretty(&base("r0.prop")).unwrap();
    for reply in [
        list.clone(),
        format!("```json\n{pretty}\n```"),
        format!("As said in [1], {{so}}:\n\n~~~\n{pretty}\n~~~\nThat is all."),
        format!("```\n{list}"),
        format!("First [{{x}}] and [1], then {list}"),
        format!("So:\n{pretty}\nThat is all, see [2]."),
        format!("```json\n{list}\n```\n```\n[1, 2]\n```\n"),
        format!("{{\"arguments\": {list}}}"),
        format!("[{{\"arguments\": {list}}}]"),
        format!("{{\"case\": {{\"arguments\": {list}}}}}"),
    ] {
        let parsed = case(&reply).unwrap();
        assert_eq!(
            (parsed.moves, parsed.findings),
            (expected(), Vec::new()),
            "{reply}"
        );
    }
}

#[test]
fn the_last_unfenced_list_counts() {
    let (first, last) = (base("r0.opp"), base("r0.prop"));
    let parsed = case(&format!("Draft: {first}\n\nBetter: {last}")).unwrap();
    assert_eq!(parsed.moves, expected());
}

#[test]
fn places_in_a_list_are_those_of_the_object_it_stands_for() {
    let mut list = base("r0.prop");
    list[1]["claim"] = json!(7);
    list[2]["grounds"][0]["relevance"] = json!(null);
    list[0]["mood"] = json!("bad");
    let error = case(&list.to_string()).unwrap_err();
    let mut places: Vec<_> = error.findings.iter().map(|f| f.at.as_str()).collect();
    places.sort_unstable();
    assert_eq!(
        places,
        ["arguments[1].claim", "arguments[2].grounds[0].relevance"]
    );
    list[1]["claim"] = json!("so");
    list[2]["grounds"][0]["relevance"] = json!("so");
    let parsed = case(&list.to_string()).unwrap();
    let found: Vec<_> = parsed
        .findings
        .iter()
        .map(|f| (f.code.as_str(), f.at.as_str()))
        .collect();
    assert_eq!(found, [("reply-unknown-key", "arguments[0].mood")]);
}

#[test]
fn one_argument_is_no_opening() {
    let (code, at, said) = only(case(&contention("a").to_string()));
    assert_eq!(
        (code.as_str(), at.as_str()),
        ("schema:required", "arguments")
    );
    assert!(said.contains("a single argument, but three"), "{said}");
}

#[test]
fn a_single_score_is_refused_and_the_list_form_shown() {
    let one = json!({ "argument_id": "prop_001", "score": 0.0, "reasoning": "So." });
    let mut more = one.clone();
    more["rescores"] = json!([]);
    for reply in [
        one.to_string(),
        more.to_string(),
        format!("So:\n```json\n{one}\n```\n"),
        format!("[{one}]"),
    ] {
        let (code, at, said) = only(scores(&reply));
        assert_eq!(
            (code.as_str(), at.as_str()),
            ("schema:required", "scores"),
            "{reply}"
        );
        assert!(said.contains("{\"scores\": [{\"argument_id\": "), "{said}");
        assert!(said.ends_with("\"rescores\": []}"), "{said}");
    }
    let (code, at, said) = only(scores(&format!("[{one}, {one}]")));
    assert_eq!((code.as_str(), at.as_str()), ("schema:type", ""));
    assert!(said.contains("{\"scores\": [{\"argument_id\": "), "{said}");
}

#[test]
fn several_arguments_are_no_rebuttal() {
    let one = contention("a");
    let reply = format!("[{one}, {one}]");
    let (code, _, said) = only(parse(&reply, MovesKind::Rebuttal, id("r1.prop")));
    assert_eq!(code, "schema:type");
    assert!(said.contains("give one argument"), "{said}");
    assert!(parse(&format!("[{one}]"), MovesKind::Rebuttal, id("r1.prop")).is_ok());
}

/// What a change to a valid reply is refused as: code and place.
#[test]
fn each_wrong_value_is_named() {
    type Change = fn(&mut Value);
    let wrong: [(&str, Change, &str, &str); 22] = [
        (
            "r1.judge",
            |m| m["scores"][0]["score"] = json!("0.1"),
            "schema:type",
            "scores[0].score",
        ),
        (
            "r1.judge",
            |m| m["scores"][0]["score"] = json!(null),
            "schema:required",
            "scores[0].score",
        ),
        (
            "r1.judge",
            |m| m["scores"][0]["score"] = json!([0.1]),
            "schema:type",
            "scores[0].score",
        ),
        (
            "r1.judge",
            |m| m["scores"][0]["score"] = json!(true),
            "schema:type",
            "scores[0].score",
        ),
        (
            "r1.judge",
            |m| m["rescores"][0]["new_score"] = json!("NaN"),
            "schema:type",
            "rescores[0].new_score",
        ),
        (
            "r1.judge",
            |m| m["rescores"][0]["new_score"] = json!(null),
            "schema:required",
            "rescores[0].new_score",
        ),
        (
            "r1.judge",
            |m| m["rescores"][0]["old_score"] = json!("0.3"),
            "schema:type",
            "rescores[0].old_score",
        ),
        (
            "r1.judge",
            |m| m["rescores"][0]["reasoning"] = json!(null),
            "schema:required",
            "rescores[0].reasoning",
        ),
        (
            "r1.judge",
            |m| m["rescores"] = json!({}),
            "schema:type",
            "rescores",
        ),
        (
            "r1.judge",
            |m| m["scores"] = json!(null),
            "schema:required",
            "scores",
        ),
        (
            "r1.judge",
            |m| m["scores"][1]["argument_id"] = json!("arguments/opp_001.md"),
            "schema:pattern",
            "scores[1].argument_id",
        ),
        (
            "r1.judge",
            |m| m["scores"] = json!(vec![m["scores"][0].clone(); 51]),
            "schema:maxItems",
            "scores",
        ),
        (
            "r1.prop",
            |m| m["attacks"][0]["target_id"] = json!("../opp_000a"),
            "schema:pattern",
            "attacks[0].target_id",
        ),
        (
            "r1.prop",
            |m| m["attacks"][0]["target_id"] = json!("arguments/opp_000a.md"),
            "schema:pattern",
            "attacks[0].target_id",
        ),
        (
            "r1.prop",
            |m| m["attacks"][0]["target_id"] = json!(""),
            "schema:pattern",
            "attacks[0].target_id",
        ),
        (
            "r1.prop",
            |m| m["attacks"][0]["target_id"] = json!(["opp_000a"]),
            "schema:type",
            "attacks[0].target_id",
        ),
        (
            "r1.prop",
            |m| m["attacks"][0]["attack_type"] = json!("rebut"),
            "schema:enum",
            "attacks[0].attack_type",
        ),
        (
            "r1.prop",
            |m| m["defends"][0]["defense_type"] = json!("attack"),
            "schema:enum",
            "defends[0].defense_type",
        ),
        (
            "r1.prop",
            |m| m["attacks"] = json!("opp_000a"),
            "schema:type",
            "attacks",
        ),
        (
            "r1.prop",
            |m| m["grounds"] = json!("notes"),
            "schema:type",
            "grounds",
        ),
        (
            "r1.prop",
            |m| m["warrant"] = json!(null),
            "schema:required",
            "warrant",
        ),
        (
            "theses.judge",
            |m| m["opposition"] = json!(null),
            "schema:required",
            "opposition",
        ),
    ];
    for (turn, change, code, at) in wrong {
        let mut reply = base(turn);
        change(&mut reply);
        let kind = KINDS.iter().find(|(known, _)| *known == turn).unwrap().1;
        let result = parse(&reply.to_string(), kind, id(turn));
        let (found, place, _) = only(result);
        assert_eq!((found.as_str(), place.as_str()), (code, at), "{reply}");
    }
}

#[test]
fn numbers_that_are_none_are_no_json() {
    for number in [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "+0.1",
        ".1",
        "0x1",
        "01",
    ] {
        let reply = base("r1.judge")
            .to_string()
            .replacen("0.1,", &format!("{number},"), 1);
        assert!(reply.contains(number));
        assert_eq!(code_of(scores(&reply)), "json:syntax", "{number}");
    }
}

#[test]
fn a_name_with_two_values_is_refused() {
    let reply = base("r1.judge").to_string();
    let twice = |value| {
        reply.replacen(
            "\"score\":0.1",
            &format!("\"score\":0.1,\"score\":{value}"),
            1,
        )
    };
    assert_ne!(twice("0.2"), reply);
    let (code, _, said) = only(scores(&twice("0.2")));
    assert_eq!(code, "json:data");
    assert!(said.contains("one name has two different values"), "{said}");
    assert!(scores(&twice("0.1")).is_ok());
}

#[test]
fn depth_size_and_bytes_are_bounded() {
    for (turn, kind) in KINDS {
        let parse = |reply: &str| parse(reply, kind, id(turn));
        for (open, close) in [
            ("[", "]"),
            ("{\"a\":", "}"),
            ("[{\"a\":", "}]"),
            ("{\"scores\":[", "]}"),
        ] {
            let deep = format!("{}0{}", open.repeat(10_000), close.repeat(10_000));
            for reply in [
                deep.clone(),
                format!("So: {deep}"),
                format!("```json\n{deep}\n```"),
            ] {
                assert!(code_of(parse(&reply)).starts_with("json:"), "{kind:?}");
            }
            let inside =
                format!("{{\"scores\": {deep}, \"arguments\": {deep}, \"title\": {deep}}}");
            assert_eq!(code_of(parse(&inside)), "json:syntax", "{kind:?}");
            let cut = open.repeat(10_000);
            assert!(["truncated:json", "json:syntax"].contains(&code_of(parse(&cut)).as_str()));
        }
        let valid = base(turn).to_string();
        for end in (1..valid.len()).filter(|&end| valid.is_char_boundary(end)) {
            assert_eq!(
                code_of(parse(&valid[..end])),
                "truncated:json",
                "{}",
                &valid[..end]
            );
        }
        let mut bytes = valid.clone().into_bytes();
        bytes.push(0xff);
        assert_eq!(code_of(parse_bytes(&bytes, kind, id(turn))), "utf8:invalid");
        let large = format!("{}{valid}", " ".repeat(50 << 20));
        assert_eq!(code_of(parse(&large)), "too_large:bytes");
    }
}
