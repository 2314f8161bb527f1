//! What a verdict hangs on, by the judge and by the argument graph.

use std::collections::BTreeMap;

use agon_record::event::{Event, Imported, ImportedArgument, Outcome};
use agon_record::id::{NodeId, Seat};
use agon_record::moves::{Challenge, Moves, Side};
use agon_record::spec::Spec;
use agon_record::state::State;
use agon_record::weights::{EdgeWeights, Weight, WeightName};
use agon_samples::job_store::{Debate, cite_missing_places, job_store, scripted, turn};
use agon_verdict::graph;
use agon_verdict::verdict::{FlipSearch, graph_reading, graph_sentence, verdict};
use serde_json::json;

/// A formal debate of so many arguments a side, all without attacks, scored alike on each side.
fn many(each: u16, scores: [i32; 2]) -> State {
    let mut arguments = Vec::new();
    let mut scored = BTreeMap::new();
    for round in 0..each {
        for (side, thousandths) in ["prop", "opp"].into_iter().zip(scores) {
            let id: agon_record::id::NodeId = format!("{side}_{round:03}").parse().unwrap();
            let contention = json!({ "title": "t", "claim": "c", "grounds": [], "warrant": "" });
            arguments.push(ImportedArgument {
                id,
                contention: serde_json::from_value(contention).unwrap(),
            });
            let score = json!({ "score": f64::from(thousandths) / 1e3, "reasoning": "" });
            scored.insert(id, vec![serde_json::from_value(score).unwrap()]);
        }
    }
    let mut state = State::open(Spec::formal("many", "Ban private cars in cities"));
    let imported = Imported {
        files: BTreeMap::new(),
        arguments,
        scores: scored,
        judged: Some(each - 1),
        findings: Vec::new(),
    };
    state.apply(&Event::Imported(Box::new(imported))).unwrap();
    state
}

/// What the judge names, what the graph names, and what is said of that.
fn hangs_on(state: &State) -> (String, String, String) {
    let verdict = verdict(state).unwrap();
    let joined = |ids: &[NodeId]| {
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        ids.join(" ")
    };
    (
        joined(&verdict.hangs_on),
        joined(&verdict.graph_hangs_on),
        graph_sentence(&verdict).unwrap(),
    )
}

/// The job store as this judge rules on it, without what the challenger says unless `challenged`.
fn judged(winner: Side, challenged: bool) -> State {
    let mut debate = Debate::open();
    debate.spec.kind.as_duel_mut().unwrap().rounds = 1;
    debate.speak_until("r1.pro");
    let Moves::Challenge(challenge) = scripted(turn("r1.cha")) else {
        panic!("a challenge");
    };
    let challenge = if challenged {
        challenge
    } else {
        Challenge::default()
    };
    debate.speak(turn("r1.cha"), Moves::Challenge(challenge));
    let Moves::Verdict(mut ruling) = scripted(turn("verdict.judge")) else {
        panic!("a verdict");
    };
    ruling.winner = winner;
    ruling.decisive = vec!["pro_001b".parse().unwrap()];
    debate.speak(turn("verdict.judge"), Moves::Verdict(ruling));
    debate.close(Outcome::Judged);
    debate.state()
}

#[test]
fn a_verdict_hangs_on_what_the_judge_named_and_apart_from_that_on_what_turns_the_graph() {
    let said = |judge: &str, graph: &str, says: &str| {
        (judge.to_owned(), graph.to_owned(), says.to_owned())
    };
    assert_eq!(
        hangs_on(&judged(Side::Proposer, false)),
        said(
            "pro_001b",
            "",
            "Taking away any 3 points leaves the same side ahead."
        )
    );
    let graph = graph_reading(&judged(Side::Challenger, true))
        .scored
        .winner
        .unwrap();
    let (against, answer) = match graph {
        Seat::Proposer => (Side::Challenger, "SQLite"),
        _ => (Side::Proposer, "Plain files"),
    };
    assert_eq!(
        hangs_on(&judged(against, true)),
        said(
            "pro_001b",
            "",
            &format!("Counting all arguments, the {graph} ({answer}) is ahead.")
        )
    );
    let mut debate = job_store();
    for event in &mut debate.events {
        if let Event::Admitted { moves, .. } = event
            && let Moves::Verdict(ruling) = &mut **moves
        {
            ruling.decisive = vec!["pro_002a".parse().unwrap()];
        }
    }
    assert_eq!(
        hangs_on(&debate.state()),
        said(
            "pro_002a",
            "pro_001a pro_001b",
            "Take away pro_001a, pro_001b and the challenger (Plain files) is ahead."
        )
    );
}

#[test]
fn a_formal_verdict_has_only_what_turns_the_graph_when_the_totals_and_it_agree() {
    let (judge, graph, says) = hangs_on(&many(2, [100, -100]));
    assert_eq!((judge.as_str(), graph.as_str()), ("", "prop_000"));
    assert_eq!(says, "Take away prop_000 and the opposition is ahead.");
    let (_, graph, says) = hangs_on(&many(1, [0, 0]));
    assert_eq!(graph, "");
    assert_eq!(says, "Counting all arguments, neither side is ahead.");
    let reading = graph_reading(&many(1, [0, 0]));
    assert_eq!(
        (reading.scored.winner, reading.search),
        (None, FlipSearch::NotRun)
    );
    let (_, graph, says) = hangs_on(&many(7, [1_000, -1_000]));
    assert_eq!(graph, "");
    assert_eq!(says, "Taking away any 3 points leaves the same side ahead.");
}

#[test]
fn a_search_that_is_too_long_for_a_verdict_is_given_up_and_the_verdict_says_so() {
    let state = many(200, [200, -200]);
    let reading = graph_reading(&state);
    assert_eq!(reading.scored.winner, Some(Seat::Proposition));
    assert_eq!((reading.flip.len(), reading.search), (0, FlipSearch::Limit));
    let (_, graph, says) = hangs_on(&state);
    assert_eq!(graph, "");
    assert_eq!(
        says,
        "The search for points that would change this hit its limit; run: agon graph many"
    );
}

#[test]
fn a_point_that_cites_a_missing_place_starts_from_a_part_of_its_strength() {
    let base = |state: &State| {
        let graph = graph::build_graph(state);
        let at = graph.find("pro_001a".parse().unwrap()).unwrap();
        let node = graph.nodes()[at.index()].clone();
        (node.base, node.citation_weight.map(Weight::to_f64))
    };
    let mut state = job_store().state();
    assert_eq!(base(&state), (0.5, None));
    assert_eq!(graph_reading(&state).citation_weight, None);
    let before = graph_reading(&state).scored.strengths[&Seat::Proposer];
    cite_missing_places(&mut state, "r1.pro", 0);
    assert_eq!(base(&state), (0.25, Some(0.5)));
    let reading = graph_reading(&state);
    assert!(reading.scored.strengths[&Seat::Proposer] < before);
    assert_eq!(reading.equal.strengths[&Seat::Proposer], before);
    assert_eq!(reading.citation_weight, Some(0.5));
    // As configured: all of it, or the least that there is.
    for (weight, expected) in [(Weight::WHOLE, 0.5), (Weight::NONE, 0.01)] {
        state.spec.weights = EdgeWeights::from_iter([(WeightName::WrongCitation, weight)]);
        assert_eq!(base(&state), (expected, Some(weight.to_f64())));
    }
}

#[test]
fn a_headline_and_the_support_name_what_cites_a_missing_place() {
    let mut state = job_store().state();
    let whole = verdict(&state).unwrap();
    assert!(
        whole
            .headline
            .ends_with("same ruling with the sides swapped")
    );
    let faulty = whole.decisive[0];
    assert_eq!(faulty.to_string(), "pro_001a");
    cite_missing_places(&mut state, "r1.pro", 0);
    cite_missing_places(&mut state, "r1.pro", 2);
    let verdict = verdict(&state).unwrap();
    let end = "sides swapped · hangs on pro_001a (cites a missing place)";
    assert!(verdict.headline.ends_with(end), "{}", verdict.headline);
    let support = &verdict.support[&Seat::Proposer];
    assert_eq!((support.by_reasoning, support.not_there), (0, 2));
    let said =
        "2 of the proposer's 6 points have only wrong or missing citations (pro_001a, pro_001c)";
    assert!(verdict.rigor.contains(said), "{}", verdict.rigor);
    assert!(
        verdict
            .rigor
            .contains("unsupported to the end: pro_001c (cites a missing place) (by")
    );
}
