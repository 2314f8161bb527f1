//! Checks that the hand-written debates keep the rules.
#![expect(clippy::unwrap_used, reason = "tests")]

use agon_testkit::Script;
use serde_json::Value;

fn moves(script: &Script, turn: &str) -> Value {
    let [reply] = script.turns[turn].as_slice() else {
        panic!("{turn} has one reply");
    };
    let (prose, block) = reply.split_once("\n\n```json\n").unwrap();
    assert!(
        prose.split_whitespace().count() > 30,
        "{turn} argues in prose"
    );
    assert_eq!(reply.matches("```").count(), 2, "{turn} has one block");
    serde_json::from_str(block.strip_suffix("\n```\n").unwrap()).unwrap()
}

fn words(text: &str) -> usize {
    text.split_whitespace()
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .count()
}

/// Checks every text of a reply against its limit, and every ground for its parts.
fn check_limits(turn: &str, value: &Value) {
    match value {
        Value::Array(list) => list.iter().for_each(|item| check_limits(turn, item)),
        Value::Object(fields) => {
            for (key, field) in fields {
                let limit = match key.as_str() {
                    "title" => 7,
                    "claim" => 25,
                    "content" if fields.contains_key("source") => 100,
                    "content" => 75,
                    "relevance" => 30,
                    "warrant" | "backing" => 50,
                    "qualifier" => 10,
                    "anchor" => 12,
                    "why" | "reasoning" => 75,
                    _ => usize::MAX,
                };
                let count = field.as_str().map_or(1, words);
                assert!((1..=limit).contains(&count), "{turn} {key}: {count} words");
                assert!(key != "title" || count >= 5, "{turn} {key}: {count} words");
                let grounds = field.as_array().map_or(1, Vec::len);
                assert!(
                    key != "grounds" || (1..=3).contains(&grounds),
                    "{turn}: {grounds} grounds"
                );
                check_limits(turn, field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The ids that a turn's items get at admission.
fn ids(prefix: &str, reply: &Value, keys: &[&str]) -> Vec<String> {
    let count: usize = keys
        .iter()
        .filter_map(|key| reply[*key].as_array())
        .map(Vec::len)
        .sum();
    (b'a'..)
        .take(count)
        .map(|letter| format!("{prefix}{}", char::from(letter)))
        .collect()
}

fn column(list: &Value, key: &str) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items
        .map(|item| item[key].as_str().unwrap().to_owned())
        .collect()
}

fn check_debate(script: &Script, rounds: usize) {
    let expected = 2 * rounds + 3;
    assert_eq!(script.turns.len(), expected);
    let mut own = Vec::new();
    let mut theirs = Vec::new();
    let mut open_objections = Vec::new();
    for round in 1..=rounds {
        let pro = moves(script, &format!("r{round}.pro"));
        check_limits("pro", &pro);
        let responses = column(&pro["responses"], "objection");
        assert_eq!(
            responses, open_objections,
            "round {round} answers every objection"
        );
        let new = ids(
            &format!("pro_{round:03}"),
            &pro,
            &["responses", "arguments"],
        );
        let answers = new[..responses.len()].to_vec();
        own.extend(new);

        let cha = moves(script, &format!("r{round}.cha"));
        check_limits("cha", &cha);
        assert_eq!(
            column(&cha["assessments"], "response"),
            answers,
            "round {round} rules on all"
        );
        for key in ["objections", "agreements"] {
            let targets = column(&cha[key], "target");
            assert!(
                targets.iter().all(|target| own.contains(target)),
                "{targets:?}"
            );
        }
        let before = cha["assessments"].as_array().map_or(0, Vec::len);
        let keys = ["assessments", "objections", "agreements", "alternatives"];
        let new = ids(&format!("cha_{round:03}"), &cha, &keys);
        let objections = cha["objections"].as_array().unwrap().len();
        open_objections = new[before..before + objections].to_vec();
        theirs.extend(new);
        if round == 1 {
            let mut covered = column(&cha["objections"], "category");
            covered.extend(column(&cha["none_found"], "category"));
            for category in ["correctness", "security", "developer_experience"] {
                assert!(covered.iter().any(|found| found == category), "{category}");
            }
            assert_eq!(cha["alternatives"].as_array().unwrap().len(), 1);
        }
    }
    let verdict = moves(script, "verdict.judge");
    check_limits("verdict", &verdict);
    assert_eq!(verdict["winner"], "proposer");
    let evidence = verdict["agreements"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|agreed| agreed["evidence"].as_array().unwrap().clone());
    for id in evidence.chain(verdict["decisive"].as_array().unwrap().clone()) {
        let id = id.as_str().unwrap().to_owned();
        assert!(
            own.contains(&id) || theirs.contains(&id),
            "{id} is an item of the debate"
        );
    }
    let blind = ["r0.pro", "r0.cha"].map(|turn| moves(script, turn)["answer"].clone());
    assert_eq!(blind, ["SQLite", "Plain files"]);
}

#[test]
fn the_job_store_debate_keeps_the_rules_for_two_rounds() {
    check_debate(&Script::job_store(), 2);
}

#[test]
fn the_longer_one_keeps_them_for_three() {
    check_debate(&Script::job_store_three_rounds(), 3);
}

/// Checks the ids under `key` in a list of the moves.
fn check_targets(turn: &str, moves: &Value, list: &str, open: &[String]) {
    let targets = column(&moves[list], "target_id");
    let known = targets.iter().all(|target| open.contains(target));
    assert!(known, "{turn} {list}: {targets:?}");
}

fn thousandths(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 1_000.0).round() as i64
}

#[test]
fn the_formal_debate_keeps_the_rules_for_three_rebuttals() {
    let script = Script::formal();
    assert_eq!(script.turns.len(), 1 + 4 * 3);
    let theses = moves(&script, "theses.judge");
    assert!(words(theses["proposition"].as_str().unwrap()) > 5);
    assert!(words(theses["opposition"].as_str().unwrap()) > 5);
    let [mut prop, mut opp] = [Vec::new(), Vec::new()];
    let mut scores = std::collections::BTreeMap::new();
    for exchange in 0..=3 {
        let mut pending = Vec::new();
        for (side, other) in [("prop", &opp), ("opp", &prop)] {
            let turn = format!("r{exchange}.{side}");
            let said = moves(&script, &turn);
            check_limits(&turn, &said);
            let own: &Vec<String> = if side == "prop" { &prop } else { &opp };
            check_targets(&turn, &said, "attacks", other);
            check_targets(&turn, &said, "defends", own);
            let base = format!("{side}_{exchange:03}");
            match exchange {
                0 => {
                    let whole = serde_json::json!({ "arguments": said });
                    pending.extend(ids(&base, &whole, &["arguments"]));
                }
                _ => pending.push(base),
            }
        }
        assert_eq!(pending.len(), if exchange == 0 { 6 } else { 2 });
        let turn = format!("r{exchange}.judge");
        let judged = moves(&script, &turn);
        check_limits(&turn, &judged);
        assert_eq!(column(&judged["scores"], "argument_id"), pending, "{turn}");
        for rescore in judged["rescores"].as_array().into_iter().flatten() {
            let id = rescore["argument_id"].as_str().unwrap().to_owned();
            let [old, new] = ["old_score", "new_score"].map(|key| thousandths(&rescore[key]));
            assert_eq!(scores.insert(id, new), Some(old), "{turn}");
            assert!((new - old).abs() <= 500, "{turn}");
        }
        let mut sum = 0;
        for score in judged["scores"].as_array().unwrap() {
            let id = score["argument_id"].as_str().unwrap().to_owned();
            sum += thousandths(&score["score"]);
            scores.insert(id, thousandths(&score["score"]));
        }
        assert_eq!(sum, 0, "{turn}");
        let (for_, against) = pending.into_iter().partition(|id| id.starts_with("prop"));
        let (for_, against): (Vec<_>, Vec<_>) = (for_, against);
        prop.extend(for_);
        opp.extend(against);
    }
    let total = |side: &str| -> i64 {
        let of = scores.iter().filter(|(id, _)| id.starts_with(side));
        of.map(|(_, score)| score).sum()
    };
    assert_eq!([total("prop"), total("opp")], [300, -550]);
}

#[test]
fn a_panel_without_replies_of_its_own_says_what_the_judge_does() {
    use agon_testkit::Cue;
    let script = Script::formal();
    let cue = |turn: &str| Cue::of(&format!("Turn: {turn}\n"));
    assert_eq!(cue("theses.judge").turn.as_deref(), Some("theses.judge"));
    assert_eq!(
        script.reply(&cue("r2.judge-3")),
        script.reply(&cue("r2.judge"))
    );
}
