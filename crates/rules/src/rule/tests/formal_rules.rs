//! The rules of a formal debate, from the text of a reply.

use std::collections::BTreeSet;

use agon_record::event::{Event, Imported, ScoreEntry};
use agon_record::finding::Severity;
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{
    Argument, Attack, AttackKind, Case, Contention, Defend, DefenseKind, Formal, Moves, Rescoring,
    Scores, Scoring, Theses,
};
use agon_record::score::Score;
use agon_record::state::State;
use proptest::prelude::*;
use serde_json::json;

use super::fixture::id;
use super::formal::{TURNS, all, base, before, found, read, rescored, scored, spec};
use super::formal_breaches::{BREACHES, beside};
use crate::rule::{DebatePoints, check_moves, check_moves_among, find_rule, relax_word_limits};

#[test]
fn the_formal_fixture_breaks_no_rule() {
    for turn in TURNS {
        assert_eq!(found(turn, &base(turn)), [], "{turn}");
    }
}

#[test]
fn each_formal_breach_is_found_at_its_place_and_no_other_rule_complains() {
    for (code, turn, change, at, says) in BREACHES {
        let mut changed = base(turn);
        change(&mut changed);
        let found = found(turn, &changed);
        let name = format!("{code} in {turn}: {found:#?}");
        let of_it: Vec<_> = found.iter().filter(|found| found.code == *code).collect();
        assert_eq!(of_it.len(), 1, "{name}");
        assert_eq!(
            (of_it[0].at.as_str(), of_it[0].turn),
            (*at, id(turn)),
            "{name}"
        );
        assert_eq!(
            of_it[0].severity,
            find_rule(code).unwrap().severity,
            "{name}"
        );
        let text = format!("{} / {}", of_it[0].message, of_it[0].hint);
        assert!(text.contains(says), "{says}: {name}");
        let others: BTreeSet<_> = found
            .iter()
            .map(|found| found.code.as_str())
            .filter(|other| other != code && !beside(code).contains(other))
            .collect();
        assert!(others.is_empty(), "{name}");
    }
}

#[test]
fn the_findings_of_a_formal_turn_stay_when_the_debate_goes_on() {
    let all = all();
    for turn in TURNS {
        let moves = read(turn, &base(turn)).moves;
        assert_eq!(check_moves(&all, id(turn), &moves), [], "{turn}");
    }
    for (code, turn, change, ..) in BREACHES {
        let mut changed = base(turn);
        change(&mut changed);
        let moves = read(turn, &changed).moves;
        let then = check_moves(&before(turn), id(turn), &moves);
        assert_eq!(
            check_moves(&all, id(turn), &moves),
            then,
            "{code} in {turn}"
        );
    }
}

#[test]
fn turns_checked_with_the_same_points_have_the_findings_of_each_alone() {
    let all = all();
    let points = DebatePoints::of(&all);
    for (code, turn, change, ..) in BREACHES {
        let mut changed = base(turn);
        change(&mut changed);
        let moves = read(turn, &changed).moves;
        let alone = check_moves(&all, id(turn), &moves);
        let among = check_moves_among(&points, id(turn), &moves);
        assert_eq!(among, alone, "{code} in {turn}");
    }
}

#[test]
fn ten_thousandths_off_zero_are_a_sum_of_zero() {
    let mut scores = base("r1.judge");
    scores["scores"][0]["score"] = json!(0.11);
    assert_eq!(found("r1.judge", &scores), []);
}

#[test]
fn an_old_score_may_be_rounded_differently() {
    for old in [json!(0.3004), json!(0.2996), json!(0.3), json!(null)] {
        let mut scores = base("r1.judge");
        scores["rescores"][0]["old_score"] = old;
        assert_eq!(found("r1.judge", &scores), []);
    }
}

#[test]
fn a_rescore_may_use_its_whole_step() {
    for new in [-0.2, 0.8] {
        let mut scores = base("r1.judge");
        scores["rescores"] = json!([rescored("prop_000a", new)]);
        assert_eq!(found("r1.judge", &scores), []);
    }
}

#[test]
fn a_sum_of_the_wrong_arguments_is_not_complained_of() {
    let mut scores = base("r1.judge");
    scores["scores"] = json!([scored("prop_001", 0.5), scored("opp_000a", 0.5)]);
    let found = found("r1.judge", &scores);
    let codes: Vec<_> = found.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["score-missing", "score-stranger"]);
}

#[test]
fn what_another_tool_left_unscored_waits_for_the_next_judge() {
    let mut state = State::open(spec());
    let entry = |score| ScoreEntry {
        score: Score::new(score),
        reasoning: "So.".to_owned(),
        at_ms: None,
        triggered_by: None,
        spread: None,
    };
    let contentions = ["r0.prop", "r0.opp", "r1.prop", "r1.opp"].map(|turn| {
        let moves = read(turn, &base(turn)).moves;
        agon_record::point::point_ids(id(turn), &moves)
            .into_iter()
            .zip(moves.contentions().to_vec())
            .collect::<Vec<_>>()
    });
    let arguments = contentions.into_iter().flatten();
    let scored_ids = ["prop_000a", "opp_000a"].map(|id| id.parse::<NodeId>().unwrap());
    let imported = Imported {
        files: [].into(),
        arguments: arguments
            .map(|(id, contention)| agon_record::event::ImportedArgument { id, contention })
            .collect(),
        scores: scored_ids
            .iter()
            .map(|&id| (id, vec![entry(100)]))
            .collect(),
        judged: Some(0),
        findings: Vec::new(),
    };
    state.apply(&Event::Imported(Box::new(imported))).unwrap();
    let scores = json!({ "scores": [
        scored("prop_000b", 0.1), scored("prop_000c", 0.0), scored("prop_001", 0.0),
        scored("opp_000b", -0.1), scored("opp_000c", 0.0), scored("opp_001", 0.0),
    ], "rescores": [rescored("prop_000a", 0.2)] });
    let judge = read("r1.judge", &scores).moves;
    assert_eq!(check_moves(&state, id("r1.judge"), &judge), []);
    super::formal::take(&mut state, "r1.judge", judge.clone());
    let judgment = crate::panel::judgment_by_all_judges(&state, 1);
    state.apply(&Event::Scored(Box::new(judgment))).unwrap();
    assert_eq!(check_moves(&state, id("r1.judge"), &judge), []);
}

#[test]
fn an_imported_turn_is_held_to_the_exchange_it_is_of() {
    let one = read("r1.prop", &base("r1.prop"))
        .moves
        .contentions()
        .to_vec();
    let case = |arguments: Vec<Contention>| Moves::Formal(Formal::Case(Case { arguments }));
    let state = before("r1.prop");
    assert_eq!(check_moves(&state, id("r1.prop"), &case(one.clone())), []);
    let mut other = one.clone();
    other[0].argument.claim = "Another claim".to_owned();
    let two = check_moves(&state, id("r1.prop"), &case([one, other].concat()));
    let said: Vec<_> = two
        .iter()
        .map(|f| (f.code.as_str(), f.message.as_str()))
        .collect();
    assert_eq!(
        said,
        [("opening-count", "2 arguments instead of exactly 1")]
    );
}

#[test]
fn too_many_words_are_a_warning_where_nobody_can_be_asked_again() {
    let mut case = base("r0.prop");
    case[0]["title"] = json!("Too short");
    case[1]["grounds"] = json!([]);
    let found = relax_word_limits(found("r0.prop", &case));
    let said: Vec<_> = found
        .iter()
        .map(|f| (f.code.as_str(), f.severity))
        .collect();
    assert_eq!(
        said,
        [
            ("reply-words", Severity::Warning),
            ("reply-grounds", Severity::Error)
        ]
    );
}

#[test]
fn findings_of_a_rebuttal_stand_in_its_order() {
    let mut one = base("r1.prop");
    one["defends"][0]["target_id"] = json!("opp_000a");
    one["attacks"][0]["target_id"] = json!("prop_000a");
    one["warrant"] = json!("-");
    one["grounds"] = json!([]);
    one["title"] = json!("Short");
    let found = found("r1.prop", &one);
    let places: Vec<_> = found.iter().map(|found| found.at.as_str()).collect();
    assert_eq!(
        places,
        [
            "title",
            "grounds",
            "warrant",
            "attacks[0].target_id",
            "defends[0].target_id"
        ]
    );
}

fn ids() -> impl Strategy<Value = NodeId> {
    let seats = prop_oneof![
        4 => Just(Seat::Proposition),
        4 => Just(Seat::Opposition),
        1 => Just(Seat::Proposer),
        1 => Just(Seat::Judge(2)),
    ];
    let round = prop_oneof![8 => 0_u16..4, 1 => Just(u16::MAX)];
    let place = prop::option::of(prop_oneof![8 => 0_u16..4, 1 => Just(u16::MAX)]);
    (seats, round, place).prop_map(|(seat, round, place)| NodeId { seat, round, place })
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,12}",
        "(word ){0,120}",
        Just(String::new()),
        Just("文字".to_owned())
    ]
}

fn points() -> impl Strategy<Value = Score> {
    prop_oneof![-1_200..1_200_i32, any::<i32>()].prop_map(Score::new)
}

prop_compose! {
    fn attacks()(target_id in ids(), kind in 0_usize..4, content in texts()) -> Attack {
        let kinds = [AttackKind::Claim, AttackKind::Grounds, AttackKind::Warrant, AttackKind::Backing];
        Attack { target_id, attack_type: kinds[kind], content }
    }
}

prop_compose! {
    fn defends()(target_id in ids(), kind in 0_usize..3, content in texts()) -> Defend {
        let kinds = [DefenseKind::Reinforce, DefenseKind::Clarify, DefenseKind::ConcedeAndPivot];
        Defend { target_id, defense_type: kinds[kind], content }
    }
}

prop_compose! {
    fn contentions()(
        title in texts(), claim in texts(), warrant in texts(), backing in prop::option::of(texts()),
        attacks in prop::collection::vec(attacks(), 0..6),
        defends in prop::collection::vec(defends(), 0..5),
    ) -> Contention {
        let argument = Argument { title, claim, grounds: Vec::new(), warrant, backing, qualifier: None };
        Contention { argument, attacks, defends }
    }
}

fn formal() -> impl Strategy<Value = Formal> {
    let scorings = (ids(), points(), texts()).prop_map(|(argument_id, score, reasoning)| Scoring {
        argument_id,
        score,
        reasoning,
    });
    let rescorings = (ids(), prop::option::of(points()), points(), texts()).prop_map(
        |(argument_id, old_score, new_score, reasoning)| Rescoring {
            argument_id,
            old_score,
            new_score,
            reasoning,
        },
    );
    let scores = prop::collection::vec(scorings, 0..9);
    let rescores = prop::collection::vec(rescorings, 0..5);
    prop_oneof![
        (texts(), texts()).prop_map(|(proposition, opposition)| Formal::Theses(Theses {
            proposition,
            opposition
        })),
        prop::collection::vec(contentions(), 0..5)
            .prop_map(|arguments| Formal::Case(Case { arguments })),
        contentions().prop_map(|one| Formal::Rebuttal(Box::new(one))),
        (scores, rescores)
            .prop_map(|(scores, rescores)| Formal::Scores(Scores { scores, rescores })),
    ]
}

proptest! {
    /// Whatever is said in whatever turn of whatever debate: never a panic, always the same.
    #[test]
    fn any_formal_moves_are_survived(
        formal in formal(), turn in any::<prop::sample::Index>(), so_far in any::<prop::sample::Index>(),
    ) {
        let turns = TURNS.iter().chain(&["r7.prop", "r65535.judge-2", "verdict.judge", "r1.pro", "r0.judge"]);
        let turns: Vec<_> = turns.map(|turn| id(turn)).collect();
        let turn = turns[turn.index(turns.len())];
        let state = before(TURNS[so_far.index(TURNS.len())]);
        let moves = Moves::Formal(formal);
        let found = check_moves(&state, turn, &moves);
        prop_assert!(found.len() <= 100);
        for finding in &found {
            prop_assert_eq!(finding.turn, turn);
            prop_assert!(!finding.message.is_empty() && !finding.hint.is_empty());
        }
        prop_assert_eq!(check_moves(&state, turn, &moves), found);
    }
}
