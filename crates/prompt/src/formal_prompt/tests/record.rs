//! What a seat is told of the record.

use agon_record::finding::{Finding, Severity};
use agon_samples::duel::key;
use agon_samples::formal::{open, said, speak, told, turn};
use serde_json::json;

use super::{at, part};
use crate::prompt;

#[test]
fn the_judge_is_shown_the_scores_as_they_stand() {
    assert_eq!(part(&at("r0.judge"), "scores"), "");
    assert_eq!(part(&at("r1.prop"), "scores"), "");
    let lines = |name: &str| {
        let prompt = at(name);
        let lines = part(&prompt, "scores").lines().map(str::to_owned);
        lines
            .filter(|line| line.starts_with("- "))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lines("r1.judge"),
        [
            "- Exchange 0: prop_000a +0.400, prop_000b +0.100, prop_000c -0.200, \
          opp_000a +0.300, opp_000b -0.100, opp_000c -0.500"
        ]
    );
    assert_eq!(
        lines("r2.judge"),
        [
            "- Exchange 0: prop_000a +0.400, prop_000b +0.100, prop_000c -0.300, \
             opp_000a +0.300, opp_000b -0.400, opp_000c -0.500",
            "- Exchange 1: prop_001 +0.150, opp_001 -0.150",
        ]
    );
}

#[test]
fn an_attack_is_open_until_a_later_turn_defends_its_target() {
    let open = |name: &str| {
        let prompt = at(name);
        let lines = part(&prompt, "challenge").lines();
        let attacks = lines.filter_map(|line| line.strip_prefix("- "));
        attacks
            .map(|line| line.split(':').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(open("r1.prop"), [""; 0]);
    let first = "opp_001 attacks prop_000b (claim_attack)";
    let second = "opp_001 attacks prop_000a (grounds_attack)";
    assert_eq!(open("r2.prop"), [first, second]);
    // The third turn of the proposition defends prop_000b.
    assert_eq!(open("r3.prop"), [second]);
    // A defense written beside an attack has not seen it.
    let mut edited = said();
    edited.get_mut(&turn("r1.prop")).unwrap()["defends"][0]["target_id"] = json!("prop_000b");
    let prompt = prompt(&told(&edited, "r2.prop"), key(turn("r2.prop"), 0));
    assert!(part(&prompt, "challenge").contains(first));
}

#[test]
fn only_the_latest_of_many_open_attacks_are_repeated() {
    let mut many = said();
    let attack = |nth: usize| json!({ "target_id": "prop_000a", "attack_type": "claim_attack", "content": format!("No. {nth}.") });
    let attacks: Vec<_> = (0..14).map(attack).collect();
    many.get_mut(&turn("r1.opp")).unwrap()["attacks"] = json!(attacks);
    let prompt = prompt(&told(&many, "r2.prop"), key(turn("r2.prop"), 0));
    let challenge = part(&prompt, "challenge");
    assert!(challenge.contains("2 older ones are in the record above."));
    assert!(!challenge.contains("No. 1.") && challenge.contains("No. 2."));
    assert_eq!(challenge.matches("- opp_001 attacks").count(), 12);
}

#[test]
fn errors_that_stayed_stand_with_their_turn_and_warnings_do_not() {
    for kept in [
        "Broken rules in this turn that were not corrected:\n\
         - `reply-words`: every text keeps within its word limit (prop_001)\n",
        " findings\n\
         - prop_001, attacks[0].content: 81 words, but at most 75 are allowed (reply-words)\n",
    ] {
        assert!(at("r2.opp").text().contains(kept), "{kept}");
        assert!(at("r1.judge").text().contains(kept), "{kept}");
    }
    let mut state = open();
    for name in ["theses.judge", "r0.prop"] {
        speak(&mut state, turn(name), said()[&turn(name)].clone());
    }
    let opening = turn("r0.prop");
    let mut admitted = state.admitted(opening).unwrap().clone();
    let finding = |at: &str, severity| Finding {
        code: "reply-words".to_owned(),
        severity,
        turn: opening,
        at: at.to_owned(),
        path: None,
        span: None,
        message: "too long".to_owned(),
        hint: String::new(),
    };
    admitted.findings = vec![
        finding("arguments[0].claim", Severity::Warning),
        finding("arguments[2].grounds[0].content", Severity::Error),
        finding("", Severity::Error),
    ];
    let end = agon_record::state::TurnEnd::Admitted(Box::new(admitted));
    state.turns.get_mut(&opening).unwrap().end = Some(end);
    let prompt = prompt(&state, key(turn("r1.opp"), 0));
    let (_, told) = part(&prompt, "turn")
        .split_once("this turn that were not corrected:\n")
        .unwrap();
    let (rules, notes) = told.split_once("\n\n").unwrap();
    assert_eq!(
        rules,
        "- `reply-words`: every text keeps within its word limit (prop_000c)"
    );
    let notes: Vec<_> = notes.lines().skip(3).take(2).collect();
    assert_eq!(
        notes,
        [
            "- prop_000c, grounds[0].content: too long (reply-words)",
            "- the whole turn: too long (reply-words)"
        ]
    );
}

#[test]
fn only_ids_of_earlier_exchanges_may_be_named() {
    let last = |name: &str| {
        let prompt = at(name);
        let lines: Vec<_> = part(&prompt, "contract")
            .lines()
            .map(str::to_owned)
            .collect();
        lines[lines.len() - 2..].to_vec()
    };
    assert_eq!(
        last("r1.opp"),
        [
            "`attacks`, at most 3: `target_id`: one of prop_000a, prop_000b, prop_000c.",
            "`defends`, at most 2: `target_id`: one of opp_000a, opp_000b, opp_000c.",
        ]
    );
    assert_eq!(
        last("r0.judge"),
        [
            "`scores`, which must sum to 0: `argument_id`, once each: prop_000a, prop_000b, prop_000c, \
             opp_000a, opp_000b, opp_000c.",
            "Leave `rescores` empty.",
        ]
    );
}

#[test]
fn a_judge_is_told_in_brief_what_no_open_attack_touches() {
    let mut quiet = said();
    // The opening of the opposition is attacked by nobody, that of the proposition openly.
    for (turn, value) in &mut quiet {
        if turn.seat.is_judge() || value.is_array() {
            continue;
        }
        value["defends"] = json!([]);
        let attacks = value["attacks"].as_array_mut().unwrap();
        attacks.retain(|attack| {
            attack["target_id"]
                .as_str()
                .unwrap()
                .starts_with("prop_000")
        });
    }
    let later = told(&quiet, "r3.judge");
    let judge = prompt(&later, key(turn("r3.judge"), 0));
    let brief = part(&judge, "summary");
    let lines: Vec<_> = brief
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    let ids: Vec<_> = lines.iter().map(|line| &line[2..10]).collect();
    assert_eq!(ids, ["opp_000a", "opp_000b", "opp_000c"]);
    assert!(judge.text().contains("### prop_000a argument"));
    assert!(!judge.text().contains("### opp_000a argument"));
    // Every score stands, of these too.
    assert!(part(&judge, "scores").contains("opp_000a +0.300"));
    // A side is told all of it.
    let side = prompt(&told(&quiet, "r3.prop"), key(turn("r3.prop"), 0));
    assert!(side.text().contains("### opp_000a argument"));
    assert_eq!(part(&side, "summary"), "");
}
