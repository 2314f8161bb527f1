//! One reply for each way to break a rule.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::fixture::{base, before, ground, id, moves, reasoning};
use crate::rule::{check_moves, find_rule};

/// A reply that breaks exactly one rule.
pub(super) struct Breach {
    pub(super) code: &'static str,
    pub(super) turn: &'static str,
    /// Makes the valid moves of the turn break it.
    pub(super) change: fn(&mut Value),
    /// The place of the finding.
    at: &'static str,
    /// Words of the message and of the hint.
    says: &'static str,
}

const fn breach(
    code: &'static str,
    turn: &'static str,
    change: fn(&mut Value),
    at: &'static str,
    says: &'static str,
) -> Breach {
    Breach {
        code,
        turn,
        change,
        at,
        says,
    }
}

pub(super) const BREACHES: &[Breach] = &[
    breach(
        "reply-nothing",
        "r1.cha",
        |m| *m = json!({}),
        "",
        "no usable move",
    ),
    breach(
        "reply-nothing",
        "r1.pro",
        |m| m["arguments"] = json!([]),
        "",
        "no usable move",
    ),
    breach(
        "reply-nothing",
        "r3.cha",
        |m| *m = json!({}),
        "",
        "no usable move",
    ),
    breach(
        "reply-empty",
        "r1.cha",
        |m| m["agreements"][0]["remaining_risk"] = json!(" - "),
        "agreements[0].remaining_risk",
        "empty",
    ),
    breach(
        "reply-empty",
        "r1.cha",
        |m| m["none_found"][0]["looked_at"] = json!([]),
        "none_found[0].looked_at",
        "the list of checked places is empty",
    ),
    breach(
        "reply-empty",
        "verdict.judge",
        |m| m["do_next"] = json!(""),
        "do_next",
        "empty",
    ),
    breach(
        "reply-words",
        "r0.pro",
        |m| m["answer"] = json!("one two three four five six"),
        "answer",
        "6 words, but at most 5",
    ),
    breach(
        "reply-words",
        "r1.pro",
        |m| m["arguments"][1]["title"] = json!("Short"),
        "arguments[1].title",
        "1 word, but 5 to 7",
    ),
    breach(
        "reply-words",
        "r1.pro",
        |m| m["arguments"][0]["claim"] = json!("word ".repeat(26)),
        "arguments[0].claim",
        "26 words, but at most 25",
    ),
    breach(
        "reply-words",
        "r1.pro",
        |m| m["arguments"][0]["qualifier"] = json!("w ".repeat(11)),
        "arguments[0].qualifier",
        "11 words, but at most 10",
    ),
    breach(
        "reply-words",
        "r1.pro",
        |m| m["arguments"][0]["warrant"] = json!("w ".repeat(51)),
        "arguments[0].warrant",
        "51 words, but at most 50",
    ),
    breach(
        "reply-words",
        "r1.pro",
        |m| m["arguments"][0]["backing"] = json!("w ".repeat(51)),
        "arguments[0].backing",
        "51 words, but at most 50",
    ),
    breach(
        "reply-words",
        "r1.pro",
        |m| m["arguments"][0]["grounds"][0]["content"] = json!("w ".repeat(101)),
        "arguments[0].grounds[0].content",
        "101 words, but at most 100",
    ),
    breach(
        "reply-words",
        "r1.cha",
        |m| m["objections"][2]["grounds"][0]["relevance"] = json!("w ".repeat(31)),
        "objections[2].grounds[0].relevance",
        "31 words, but at most 30",
    ),
    breach(
        "reply-words",
        "r1.cha",
        |m| {
            m["objections"][0]["grounds"][0]["citation"] =
                json!({ "file": "a", "anchor": "w ".repeat(13) })
        },
        "objections[0].grounds[0].citation.anchor",
        "13 words, but at most 12",
    ),
    breach(
        "reply-words",
        "r1.cha",
        |m| m["objections"][1]["content"] = json!("w ".repeat(76)),
        "objections[1].content",
        "76 words, but at most 75",
    ),
    breach(
        "reply-words",
        "r2.pro",
        |m| m["responses"][0]["content"] = json!("w ".repeat(76)),
        "responses[0].content",
        "76 words, but at most 75",
    ),
    breach(
        "reply-words",
        "r2.cha",
        |m| m["assessments"][1]["content"] = json!("w ".repeat(76)),
        "assessments[1].content",
        "76 words, but at most 75",
    ),
    breach(
        "reply-words",
        "verdict.judge",
        |m| m["why"] = json!("w ".repeat(76)),
        "why",
        "76 words, but at most 75",
    ),
    breach(
        "reply-grounds",
        "r2.pro",
        |m| {
            m["responses"][0]["grounds"] =
                json!([ground("1"), ground("2"), ground("3"), ground("4")]);
        },
        "responses[0].grounds",
        "4 grounds",
    ),
    breach(
        "attack-target",
        "r1.cha",
        |m| m["objections"][1]["target"] = json!("cha_001a"),
        "objections[1].target",
        "possible targets in this turn: pro_001a, pro_001b",
    ),
    breach(
        "attack-target",
        "r2.cha",
        |m| m["objections"][0]["target"] = json!("cha_001a"),
        "objections[0].target",
        "cha_001a is the challenger's own point",
    ),
    breach(
        "attack-target",
        "r1.cha",
        |m| m["agreements"][0]["target"] = json!("pro_002a"),
        "agreements[0].target",
        "there is no point pro_002a",
    ),
    breach(
        "attack-target",
        "r2.pro",
        |m| m["responses"][2]["objection"] = json!("cha_001z"),
        "responses[2].objection",
        "possible targets in this turn: cha_001a, cha_001b, cha_001c",
    ),
    breach(
        "attack-kind",
        "r2.pro",
        |m| m["responses"][2]["objection"] = json!("cha_001e"),
        "responses[2].objection",
        "cha_001e is an alternative, not an objection",
    ),
    breach(
        "attack-kind",
        "r3.cha",
        |m| {
            let old = json!({ "response": "pro_002a", "ruling": "dodged", "content": "Old.", "grounds": [] });
            m["assessments"].as_array_mut().unwrap().push(old);
        },
        "assessments[1].response",
        "not an answer from the previous turn",
    ),
    breach(
        "attack-repeat",
        "r1.cha",
        |m| m["objections"][1]["kind"] = json!("claim"),
        "objections[1].target",
        "attacked twice",
    ),
    breach(
        "attack-repeat",
        "r2.pro",
        |m| m["responses"][2]["objection"] = json!("cha_001b"),
        "responses[2].objection",
        "cha_001b is targeted twice",
    ),
    breach(
        "duel-stance",
        "r1.pro",
        |m| m["stance"] = json!("It depends, perhaps memory."),
        "stance",
        "it depends",
    ),
    breach(
        "duel-stance",
        "r2.pro",
        |m| m["position_now"] = json!("Probably memory."),
        "position_now",
        "probably",
    ),
    breach(
        "duel-arguments",
        "r1.pro",
        |m| {
            let one = m["arguments"][0].clone();
            m["arguments"] = json!(vec![one; 6]);
        },
        "arguments",
        "6 arguments",
    ),
    breach(
        "duel-objections-first",
        "r3.cha",
        |m| {
            let agreed = json!([{ "target": "pro_003a", "grounds": [ground("new")], "remaining_risk": "Load." }]);
            *m = json!({ "agreements": agreed });
        },
        "agreements",
        "before it has looked for faults",
    ),
    breach(
        "duel-objection-count",
        "r1.cha",
        |m| {
            let mut fourth = m["objections"][0].clone();
            fourth["kind"] = json!("backing");
            m["objections"].as_array_mut().unwrap().push(fourth);
        },
        "objections",
        "4 objections",
    ),
    breach(
        "duel-categories",
        "r1.cha",
        |m| m["none_found"] = json!([]),
        "none_found",
        "the turn does not cover security",
    ),
    breach(
        "duel-flaw",
        "r1.cha",
        |m| {
            m["objections"] = json!([]);
            m["none_found"] = ["correctness", "security", "developer_experience"]
                .map(|category| json!({ "category": category, "looked_at": ["src/cache.rs"] }))
                .to_vec()
                .into();
        },
        "objections",
        "the turn names no flaw or oversight",
    ),
    breach(
        "duel-opinion",
        "r1.pro",
        |m| {
            m["arguments"][0]["claim"] = json!("Generally speaking, memory is faster.");
            m["arguments"][0]["grounds"] = json!([reasoning("memory")]);
        },
        "arguments[0].claim",
        "this is an opinion",
    ),
    breach(
        "duel-opinion",
        "r2.pro",
        |m| {
            m["responses"][0]["content"] = json!("Ich denke, das stimmt nicht.");
            m["responses"][0]["grounds"] = json!([reasoning("it")]);
        },
        "responses[0].content",
        "ich denke",
    ),
    breach(
        "duel-language",
        "r1.pro",
        |m| m["stance"] = json!("Используйте кэш в памяти."),
        "stance",
        "no phrases are known",
    ),
    breach(
        "duel-stance",
        "r1.pro",
        |m| m["stance"] = json!("Das hängt davon ab, wie groß die Last ist."),
        "stance",
        "das hängt davon ab",
    ),
    breach(
        "duel-unanswered",
        "r2.pro",
        |m| {
            m["responses"].as_array_mut().unwrap().remove(2);
        },
        "responses",
        "not answered: cha_001c",
    ),
    breach(
        "duel-alternative",
        "r1.cha",
        |m| m["alternatives"] = json!([]),
        "alternatives",
        "no alternative answer",
    ),
    breach(
        "duel-praise",
        "r2.pro",
        |m| {
            m["responses"][0]["content"] = json!("That's a really great point! But no.");
        },
        "responses[0].content",
        "praise",
    ),
    breach(
        "duel-praise",
        "r1.cha",
        |m| {
            m["objections"][0]["content"] =
                json!("The proposer makes a strong case, yet it fails.");
        },
        "objections[0].content",
        "praise",
    ),
    breach(
        "duel-praise",
        "r2.cha",
        |m| {
            m["assessments"][1]["content"] = json!("Thank you for the answer.");
        },
        "assessments[1].content",
        "praise",
    ),
    breach(
        "duel-grounds",
        "r1.pro",
        |m| m["arguments"][0]["grounds"] = json!([]),
        "arguments[0].grounds",
        "has no ground",
    ),
    breach(
        "duel-grounds",
        "r1.cha",
        |m| m["objections"][0]["grounds"] = json!([]),
        "objections[0].grounds",
        "has no ground",
    ),
    breach(
        "duel-grounds",
        "r1.cha",
        |m| m["agreements"][0]["grounds"] = json!([]),
        "agreements[0].grounds",
        "has no ground",
    ),
    breach(
        "duel-grounds",
        "r2.pro",
        |m| m["responses"][1]["grounds"] = json!([]),
        "responses[1].grounds",
        "has no ground",
    ),
    breach(
        "duel-grounds",
        "r2.cha",
        |m| m["assessments"][0]["grounds"] = json!([]),
        "assessments[0].grounds",
        "has no ground",
    ),
    breach(
        "duel-tradeoff",
        "r2.pro",
        |m| {
            m["responses"][2]
                .as_object_mut()
                .unwrap()
                .remove("still_favours_because");
        },
        "responses[2].still_favours_because",
        "must say why the position still holds",
    ),
    breach(
        "duel-unanswered",
        "r2.pro",
        |m| {
            m["responses"].as_array_mut().unwrap().remove(1);
        },
        "responses",
        "not answered: cha_001b",
    ),
    breach(
        "duel-unruled",
        "r2.cha",
        |m| {
            m["assessments"].as_array_mut().unwrap().remove(2);
        },
        "assessments",
        "not ruled on: pro_002c",
    ),
    breach(
        "duel-follow-up",
        "r2.cha",
        |m| {
            m["objections"] = json!([]);
            for ruling in m["assessments"].as_array_mut().unwrap() {
                ruling["ruling"] = json!("resolved");
                ruling["grounds"] = json!([]);
            }
        },
        "",
        "no new weakness",
    ),
    breach(
        "duel-withdrawn",
        "r3.pro",
        |m| {
            let back = json!({ "objection": "cha_001b", "reply": "rebut", "content": "It is wrong after all.",
                           "grounds": [ground("cha_001b is met by concede")] });
            m["responses"].as_array_mut().unwrap().push(back);
        },
        "responses[1].grounds",
        "conceded cha_001b before",
    ),
    breach(
        "duel-withdrawn",
        "r2.cha",
        |m| {
            m["objections"][0]["target"] = json!("pro_001b");
            m["objections"][0]["kind"] = json!("claim");
            m["objections"][0]["grounds"] = json!([ground("agreed")]);
        },
        "objections[0].grounds",
        "conceded pro_001b before",
    ),
    breach(
        "verdict-decisive",
        "verdict.judge",
        |m| m["decisive"] = json!([]),
        "decisive",
        "names no point",
    ),
    breach(
        "verdict-decisive",
        "verdict.judge",
        |m| m["decisive"] = json!(["pro_002a", "pro_009z"]),
        "decisive[1]",
        "points of this debate: pro_001a, pro_001b, pro_002a",
    ),
    breach(
        "verdict-agreements",
        "verdict.judge",
        |m| m["agreements"][0]["evidence"] = json!([]),
        "agreements[0].evidence",
        "names no points that show it",
    ),
    breach(
        "verdict-agreements",
        "verdict.judge",
        |m| m["agreements"][0]["evidence"] = json!(["cha_009a"]),
        "agreements[0].evidence[0]",
        "there is no point cha_009a",
    ),
    breach(
        "verdict-ids",
        "verdict.judge",
        |m| m["why"] = json!("What pro_002a shows, cha_009a never met (see pro_001a)."),
        "why",
        "there is no point cha_009a / points of this debate: pro_001a",
    ),
    breach(
        "verdict-ids",
        "verdict.judge",
        |m| m["unless"] = json!("The outbox of pro_001z comes."),
        "unless",
        "there is no point pro_001z",
    ),
    breach(
        "verdict-ids",
        "verdict.judge",
        |m| m["open"] = json!([{ "question": "Is cha_003c so?", "to_settle": "try it" }]),
        "open[0].question",
        "there is no point cha_003c",
    ),
    breach(
        "verdict-recommendation",
        "verdict.judge",
        |m| m["answer"] = json!("It depends on the load"),
        "answer",
        "it depends",
    ),
    breach(
        "verdict-recommendation",
        "verdict.judge",
        |m| m["do_next"] = json!("Consider both."),
        "do_next",
        "begins with \"consider\"",
    ),
    breach(
        "repeat-argument",
        "r2.pro",
        |m| m["arguments"][0]["claim"] = json!("the CLAIM: a"),
        "arguments[0].claim",
        "restates pro_001a",
    ),
    breach(
        "repeat-argument",
        "r1.pro",
        |m| m["arguments"][1]["claim"] = m["arguments"][0]["claim"].clone(),
        "arguments[1].claim",
        "restates `arguments[0]`",
    ),
    breach(
        "repeat-argument",
        "r2.cha",
        |m| {
            m["alternatives"] = json!([{ "title": "A title of five e", "claim": "The claim c.",
                "grounds": [ground("e")], "warrant": "The warrant e" }]);
        },
        "alternatives[0].claim",
        "restates cha_001e",
    ),
];

/// Rules that say more about a reply which another rule finds unusable.
fn beside(code: &str) -> &'static [&'static str] {
    match code {
        "reply-nothing" => &[
            "duel-alternative",
            "duel-flaw",
            "duel-categories",
            "duel-unruled",
            "duel-follow-up",
        ],
        "duel-objections-first" => &["duel-unruled", "duel-follow-up"],
        "duel-follow-up" => &["duel-grounds"],
        "duel-opinion" => &["evidence-unsupported"],
        "attack-target" => &["duel-unanswered", "duel-unruled", "duel-follow-up"],
        "attack-kind" => &["duel-unanswered"],
        "attack-repeat" => &["duel-unanswered", "duel-withdrawn"],
        "duel-grounds" => &["duel-withdrawn"],
        "duel-arguments" => &["repeat-argument"],
        _ => &[],
    }
}

#[test]
fn each_breach_is_found_at_its_place_and_no_other_rule_complains() {
    for breach in BREACHES {
        let mut changed = base(breach.turn);
        (breach.change)(&mut changed);
        let found = check_moves(
            &before(breach.turn),
            id(breach.turn),
            &moves(breach.turn, changed),
        );
        let name = format!("{} in {}: {found:#?}", breach.code, breach.turn);
        let of_it: Vec<_> = found.iter().filter(|f| f.code == breach.code).collect();
        assert_eq!(of_it.len(), 1, "{name}");
        assert_eq!(of_it[0].at, breach.at, "{name}");
        assert_eq!(of_it[0].turn, id(breach.turn), "{name}");
        assert_eq!(
            of_it[0].severity,
            find_rule(breach.code).unwrap().severity,
            "{name}"
        );
        let text = format!("{} / {}", of_it[0].message, of_it[0].hint);
        assert!(text.contains(breach.says), "{name}");
        let others: BTreeSet<_> = found
            .iter()
            .map(|f| f.code.as_str())
            .filter(|code| *code != breach.code && !beside(breach.code).contains(code))
            .collect();
        assert!(others.is_empty(), "{name}");
    }
}
