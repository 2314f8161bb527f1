#![expect(clippy::indexing_slicing, reason = "tests")]

mod breaches;
mod evidence;
pub(crate) mod fixture;
pub(crate) mod formal;
mod formal_breaches;
mod formal_rules;

use std::collections::BTreeSet;

use agon_record::spec::FormatName;
use serde_json::{Value, json};

use super::*;
use breaches::BREACHES;
use fixture::{TURNS, admit, base, before, ground, id, moves};

#[test]
fn the_fixture_breaks_no_rule() {
    for turn in TURNS {
        let found = check_moves(&before(turn), id(turn), &moves(turn, base(turn)));
        assert_eq!(found, [], "{turn}");
    }
}

#[test]
fn every_rule_has_a_breach_or_is_found_by_the_parser_or_by_a_test_of_its_own() {
    let elsewhere = [
        "reply-parse",
        "reply-schema",
        "reply-unknown-key",
        "verdict-winner",
        "evidence-missing",
        "evidence-wrong",
        "evidence-unsupported",
    ];
    for rule in RULES {
        let duel = BREACHES.iter().any(|breach| breach.code == rule.code);
        let formal = formal_breaches::BREACHES;
        let here = duel || formal.iter().any(|(code, ..)| *code == rule.code);
        assert_ne!(here, elsewhere.contains(&rule.code), "{}", rule.code);
    }
}

#[test]
fn a_format_is_checked_against_its_own_families_and_those_of_every_format() {
    let families = |format: &FormatRules| -> BTreeSet<&str> {
        rules_of(format).map(|rule| rule.family).collect()
    };
    let formal = ["attack", "evidence", "opening", "repeat", "reply", "score"];
    assert_eq!(families(FormatName::Formal.rules()), formal.into());
    let duel = ["attack", "duel", "evidence", "repeat", "reply", "verdict"];
    assert_eq!(families(FormatName::Duel.rules()), duel.into());
    let narrow = FormatRules {
        rule_families: &["score"],
        ..*FormatName::Formal.rules()
    };
    assert_eq!(families(&narrow), ["evidence", "repeat", "score"].into());
}

#[test]
fn a_winner_that_never_spoke_is_found() {
    let mut state = State::open(fixture::spec());
    for turn in ["r0.pro", "r0.cha", "r1.pro"] {
        admit(&mut state, turn, base(turn));
    }
    let mut verdict = base("verdict.judge");
    verdict["decisive"] = json!(["pro_001a"]);
    verdict["agreements"] = json!([]);
    let check = |verdict: &Value| {
        check_moves(
            &state,
            id("verdict.judge"),
            &moves("verdict.judge", verdict.clone()),
        )
    };
    assert_eq!(check(&verdict), []);
    verdict["winner"] = json!("challenger");
    let found = check(&verdict);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].code.as_str(), found[0].at.as_str()),
        ("verdict-winner", "winner")
    );
}

#[test]
fn what_is_said_later_does_not_change_the_findings_of_a_turn() {
    let all = {
        let mut state = before("verdict.judge");
        admit(&mut state, "verdict.judge", base("verdict.judge"));
        state
    };
    for breach in BREACHES {
        let mut changed = base(breach.turn);
        (breach.change)(&mut changed);
        let changed = moves(breach.turn, changed);
        let then = check_moves(&before(breach.turn), id(breach.turn), &changed);
        assert_eq!(
            check_moves(&all, id(breach.turn), &changed),
            then,
            "{}",
            breach.code
        );
    }
}

#[test]
fn a_debate_can_change_the_severity_of_a_rule() {
    let mut state = before("r1.pro");
    let mut opening = base("r1.pro");
    opening["arguments"][0]["title"] = json!("Short");
    let opening = moves("r1.pro", opening);
    let severities = |state: &State| -> Vec<Severity> {
        let found = check_moves(state, id("r1.pro"), &opening);
        found.iter().map(|finding| finding.severity).collect()
    };
    assert_eq!(severities(&state), [Severity::Error]);
    state
        .spec
        .severities
        .insert("reply-words".to_owned(), Severity::Warning);
    assert_eq!(severities(&state), [Severity::Warning]);
}

#[test]
fn the_parsers_warnings_are_weighed_and_its_fatal_findings_are_not() {
    let mut state = before("r0.pro");
    state
        .spec
        .severities
        .insert("reply-unknown-key".to_owned(), Severity::Error);
    state
        .spec
        .severities
        .insert("reply-schema".to_owned(), Severity::Warning);
    let kind = agon_record::moves::MovesKind::Blind;
    let mut odd = crate::parse::parse(
        r#"{"answer": "a", "position": "b", "mood": 1}"#,
        kind,
        id("r0.pro"),
    )
    .unwrap()
    .findings;
    apply_severities(&state, &mut odd);
    assert_eq!(odd[0].severity, Severity::Error);
    let mut bad = crate::parse::parse(r#"{"answer": "a"}"#, kind, id("r0.pro"))
        .unwrap_err()
        .findings;
    apply_severities(&state, &mut bad);
    assert_eq!(bad[0].severity, Severity::Fatal);
}

#[test]
fn a_concession_may_be_taken_back_with_new_evidence() {
    let mut defense = base("r3.pro");
    let back = json!({ "objection": "cha_001b", "reply": "rebut", "content": "It is wrong after all.",
                       "grounds": [ground("cha_001b is met by concede"), ground("something new")] });
    defense["responses"].as_array_mut().unwrap().push(back);
    assert_eq!(
        check_moves(&before("r3.pro"), id("r3.pro"), &moves("r3.pro", defense)),
        []
    );
}

#[test]
fn old_evidence_in_other_words_is_not_new() {
    let place = json!({ "file": "src/cache.rs", "lines": [3, 9], "anchor": "fn get" });
    let mut state = before("r1.cha");
    let mut challenge = base("r1.cha");
    challenge["objections"][1]["grounds"][0]["citation"] = place.clone();
    admit(&mut state, "r1.cha", challenge);
    admit(&mut state, "r2.pro", base("r2.pro"));
    admit(&mut state, "r2.cha", base("r2.cha"));
    let mut defense = base("r3.pro");
    let mut reworded = ground("in other words");
    reworded["citation"] = place;
    defense["responses"].as_array_mut().unwrap().push(
        json!({ "objection": "cha_001b", "reply": "rebut", "content": "No.", "grounds": [reworded] }),
    );
    let found = check_moves(&state, id("r3.pro"), &moves("r3.pro", defense));
    let codes: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["duel-withdrawn"]);
}

#[test]
fn nothing_found_is_an_honest_follow_up() {
    let mut follow_up = base("r3.cha");
    follow_up["assessments"][0]["ruling"] = json!("sustained");
    follow_up["none_found"] = json!([{ "category": "cost", "looked_at": ["the bill"] }]);
    assert_eq!(
        check_moves(&before("r3.cha"), id("r3.cha"), &moves("r3.cha", follow_up)),
        []
    );
}

#[test]
fn rulings_that_objections_stand_are_a_full_follow_up() {
    for ruling in ["sustained", "dodged", "unsupported", "reframed"] {
        let mut follow_up = base("r3.cha");
        follow_up["assessments"][0]["ruling"] = json!(ruling);
        follow_up["assessments"][0]["grounds"] = json!([]);
        let found = check_moves(&before("r3.cha"), id("r3.cha"), &moves("r3.cha", follow_up));
        assert_eq!(found, [], "{ruling}");
    }
}

#[test]
fn a_title_that_misses_its_limit_by_two_words_is_a_warning() {
    let found = |title: &str| {
        let mut opening = base("r1.pro");
        opening["arguments"][0]["title"] = json!(title);
        let found = check_moves(&before("r1.pro"), id("r1.pro"), &moves("r1.pro", opening));
        let found: Vec<_> = found.iter().map(|one| one.severity).collect();
        found
    };
    assert_eq!(found("Sleeping cars are too costly"), []);
    assert_eq!(found("Sleeping cars are costly"), [Severity::Warning]);
    assert_eq!(found("Sleeping cars cost"), [Severity::Warning]);
    assert_eq!(found("Sleeping cars"), [Severity::Error]);
    assert_eq!(found("a b c d e f g h i"), [Severity::Warning]);
    assert_eq!(found("a b c d e f g h i j"), [Severity::Error]);
}

#[test]
fn a_topic_that_is_not_of_software_needs_any_two_categories() {
    let found = |categories: &[&str]| {
        let mut state = before("r1.cha");
        state.spec.topic = "Should we rent the office for five years?".to_owned();
        let mut challenge = base("r1.cha");
        challenge["none_found"] = json!([]);
        challenge["objections"]
            .as_array_mut()
            .unwrap()
            .truncate(categories.len());
        for (nth, category) in categories.iter().enumerate() {
            challenge["objections"][nth]["category"] = json!(category);
        }
        let found = check_moves(&state, id("r1.cha"), &moves("r1.cha", challenge));
        found.into_iter().map(|one| one.message).collect::<Vec<_>>()
    };
    assert_eq!(found(&["cost", "fairness"]), [""; 0]);
    assert_eq!(found(&["cost", "cost"]), ["the turn covers only cost"]);
}

#[test]
fn whoever_finds_no_flaw_and_says_why_breaks_nothing() {
    let mut challenge = base("r1.cha");
    challenge["objections"] = json!([]);
    let cleared = ["correctness", "security", "developer_experience"].map(
        |category| json!({ "category": category, "looked_at": ["a"], "why": "Both ways held." }),
    );
    challenge["none_found"] = cleared.to_vec().into();
    let found = check_moves(&before("r1.cha"), id("r1.cha"), &moves("r1.cha", challenge));
    assert_eq!(found, []);
}

#[test]
fn a_hedge_in_another_language_and_a_minor_objection_left_open_are_found() {
    let found = |turn: &str, change: fn(&mut Value)| {
        let mut value = base(turn);
        change(&mut value);
        let found = check_moves(&before(turn), id(turn), &moves(turn, value));
        let found = found.into_iter().map(|one| (one.code, one.severity));
        found.collect::<Vec<_>>()
    };
    let error = |code: &str| vec![(code.to_owned(), Severity::Error)];
    let german = |m: &mut Value| m["stance"] = json!("Vielleicht im Speicher.");
    assert_eq!(found("r1.pro", german), error("duel-stance"));
    let minor = |m: &mut Value| drop(m["responses"].as_array_mut().unwrap().remove(2));
    assert_eq!(found("r2.pro", minor), error("duel-unanswered"));
}

#[test]
fn an_old_objection_is_no_new_weakness() {
    let mut follow_up = base("r2.cha");
    // Rulings that certify nothing and hold nothing up.
    for ruling in follow_up["assessments"].as_array_mut().unwrap() {
        ruling["ruling"] = json!("resolved");
        ruling["grounds"] = json!([]);
    }
    follow_up["objections"][0]["target"] = json!("pro_001a");
    let check = |kind: &str| {
        let mut follow_up = follow_up.clone();
        follow_up["objections"][0]["kind"] = json!(kind);
        let found = check_moves(&before("r2.cha"), id("r2.cha"), &moves("r2.cha", follow_up));
        let codes = found.iter().map(|finding| finding.code.clone());
        codes
            .filter(|code| code != "duel-grounds")
            .collect::<Vec<_>>()
    };
    assert_eq!(check("claim"), ["duel-follow-up"]);
    assert_eq!(check("warrant"), [""; 0]);
}

#[test]
fn a_plain_beginning_that_resembles_praise_is_let_through() {
    for text in [
        "Good indexes cost memory.",
        "Great care is needed.",
        "The point fails.",
        "Fair share is lost.",
    ] {
        let mut challenge = base("r1.cha");
        challenge["objections"][0]["content"] = json!(text);
        let found = check_moves(&before("r1.cha"), id("r1.cha"), &moves("r1.cha", challenge));
        assert_eq!(found, [], "{text}");
    }
}

#[test]
fn a_plain_stance_that_resembles_a_hedge_is_let_through() {
    for text in [
        "Use SQLite, because recovery depends on one atomic step.",
        "Use SQLite: both processes have write access, and a job could be claimed twice.",
        "Keep files if there is one writer, else use SQLite.",
    ] {
        let mut opening = base("r1.pro");
        opening["stance"] = json!(text);
        let found = check_moves(&before("r1.pro"), id("r1.pro"), &moves("r1.pro", opening));
        assert_eq!(found, [], "{text}");
    }
}

#[test]
fn limits_are_not_counted_in_scripts_without_spaces() {
    let mut opening = base("r1.pro");
    opening["arguments"][0]["title"] = json!("缓存应放在内存中");
    assert_eq!(
        check_moves(&before("r1.pro"), id("r1.pro"), &moves("r1.pro", opening)),
        []
    );
}

#[test]
fn findings_stand_in_the_order_of_the_moves() {
    let mut challenge = base("r1.cha");
    challenge["alternatives"][0]["title"] = json!("Short");
    challenge["objections"][2]["grounds"] = json!([]);
    challenge["objections"][0]["target"] = json!("pro_007a");
    challenge["none_found"] = json!([]);
    let found = check_moves(&before("r1.cha"), id("r1.cha"), &moves("r1.cha", challenge));
    let places: Vec<_> = found.iter().map(|finding| finding.at.as_str()).collect();
    assert_eq!(
        places,
        [
            "objections[0].target",
            "objections[2].grounds",
            "none_found",
            "alternatives[0].title"
        ]
    );
}

#[test]
fn a_reply_of_very_many_breaches_gets_the_worst_hundred() {
    let mut challenge = base("r1.cha");
    let mut bad = challenge["objections"][0].clone();
    bad["grounds"] = json!([]);
    bad["target"] = json!("pro_009a");
    challenge["objections"] = json!(vec![bad; 5_000]);
    let found = check_moves(&before("r1.cha"), id("r1.cha"), &moves("r1.cha", challenge));
    assert_eq!(found.len(), 100);
    assert!(
        found
            .iter()
            .all(|finding| finding.severity == Severity::Fatal)
    );
}

#[test]
fn every_rule_is_listed_once_and_explains_itself() {
    let mut codes = BTreeSet::new();
    for rule in RULES {
        assert!(codes.insert(rule.code), "{} is listed twice", rule.code);
        assert!(
            rule.code.starts_with(&format!("{}-", rule.family)),
            "{}",
            rule.code
        );
        assert!(
            !rule.about.is_empty() && !rule.about.ends_with('.'),
            "{}",
            rule.code
        );
        let page = rule.explain;
        assert!(
            page.starts_with(&format!("# {}\n", rule.code)),
            "{}",
            rule.code
        );
        for part in ["\n## Breaks it\n", "\n## Keeps it\n"] {
            assert_eq!(page.matches(part).count(), 1, "{}: {part}", rule.code);
        }
        assert_eq!(
            find_rule(rule.code).map(|found| found.code),
            Some(rule.code)
        );
    }
    assert!(find_rule("no-such-rule").is_none());
}

#[test]
fn the_examples_of_every_page_are_json() {
    for rule in RULES {
        for example in rule.explain.split("```json\n").skip(1) {
            let example = example.split("```").next().unwrap();
            serde_json::from_str::<Value>(example).unwrap_or_else(|e| panic!("{}: {e}", rule.code));
        }
    }
}
