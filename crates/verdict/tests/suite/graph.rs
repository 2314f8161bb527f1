//! The argument graphs of hand-written debates, whole.

use std::collections::BTreeMap;

use agon_argue::{Gradual, Model};
use agon_record::event::{Event, Imported, ImportedArgument, ScoreEntry};
use agon_record::id::Seat;
use agon_record::moves::{Moves, ReplyKind, RulingKind, Theses};
use agon_record::score::Score;
use agon_record::spec::{FormalSpec, Kind, Spec};
use agon_record::state::State;
use agon_record::weights::{EdgeWeights, Weight, WeightName};
use agon_samples::job_store::{Debate, job_store, scripted, turn};
use agon_verdict::graph::{
    self, Base, DebateGraph, GRAPH_SCHEMA, GraphDoc, GraphStatus, PointId, StrengthDoc,
};
use serde_json::json;

/// A line for each node, with its base weight, and for each edge, with its sign and weight.
fn told(graph: &DebateGraph) -> String {
    let id = |at: agon_argue::ArgId| graph.nodes()[at.index()].id;
    let nodes = graph.nodes().iter().map(|node| {
        let score = node.score.map(|score| format!(" {score}"));
        let (kind, score) = (node.kind.name(), score.unwrap_or_default());
        format!("{} {kind}{score} {:.3}\n", node.id, node.base)
    });
    let edges = graph.edges().iter().map(|edge| {
        let sign = match edge.polarity() {
            Some(agon_argue::Polarity::Attack) => '-',
            Some(agon_argue::Polarity::Support) => '+',
            None => ' ',
        };
        let detail = edge.kind.detail().map(|detail| format!(".{detail}"));
        let (kind, detail) = (edge.kind.name(), detail.unwrap_or_default());
        let (from, to, weight) = (id(edge.from), id(edge.to), edge.weight);
        format!("{from} {sign} {to} {kind}{detail} {weight}\n")
    });
    nodes.chain(edges).collect()
}

fn strengths(graph: &DebateGraph, base: Base) -> [f64; 2] {
    let values = Model::new(Gradual::QuadraticEnergy).evaluate(&graph.to_qbaf(base));
    graph.position_ids().map(|at| values.values[at.index()])
}

/// A formal debate of one opening argument a side and one rebuttal each.
fn cars(weights: EdgeWeights) -> State {
    let theses = Theses {
        proposition: "Cities should ban private cars".to_owned(),
        opposition: "Cities should NOT ban private cars".to_owned(),
    };
    let spec = Spec {
        kind: Kind::formal(FormalSpec {
            theses: Some(theses),
            ..FormalSpec::default()
        }),
        weights,
        ..Spec::formal("cars", "Ban private cars in cities")
    };
    let argument = |id: &str, attacks: serde_json::Value, defends: serde_json::Value| {
        let contention = json!({
            "title": format!("the title of {id}"), "claim": format!("the claim of {id}"),
            "grounds": [], "warrant": "", "attacks": attacks, "defends": defends,
        });
        ImportedArgument {
            id: id.parse().unwrap(),
            contention: serde_json::from_value(contention).unwrap(),
        }
    };
    let attack = |target: &str, part: &str| json!({ "target_id": target, "attack_type": format!("{part}_attack"), "content": "no" });
    let defend = |target: &str, kind: &str| json!({ "target_id": target, "defense_type": kind, "content": "yes" });
    let none = || json!([]);
    let arguments = vec![
        argument("prop_000a", none(), none()),
        argument("prop_000b", none(), none()),
        argument("opp_000a", none(), none()),
        argument("opp_000b", none(), none()),
        argument(
            "prop_001",
            json!([
                attack("opp_000a", "claim"),
                attack("opp_000a", "backing"),
                attack("opp_009", "claim")
            ]),
            json!([
                defend("prop_000a", "reinforce"),
                defend("prop_000b", "clarify")
            ]),
        ),
        argument(
            "opp_001",
            json!([
                attack("prop_000a", "grounds"),
                attack("prop_000b", "warrant")
            ]),
            json!([defend("opp_000b", "concede_and_pivot")]),
        ),
    ];
    let scored = [
        ("prop_000a", 300),
        ("opp_000a", -300),
        ("prop_001", 1_000),
        ("opp_001", -1_000),
    ];
    let scores = scored.map(|(id, thousandths)| {
        let entry = ScoreEntry {
            score: Score::new(thousandths),
            reasoning: String::new(),
            at_ms: None,
            triggered_by: None,
            spread: None,
        };
        (id.parse().unwrap(), vec![entry])
    });
    let mut state = State::open(spec);
    let imported = Imported {
        files: BTreeMap::new(),
        arguments,
        scores: BTreeMap::from(scores),
        judged: Some(1),
        findings: Vec::new(),
    };
    state.apply(&Event::Imported(Box::new(imported))).unwrap();
    state
}

#[test]
fn a_duel_is_a_graph_of_everything_that_was_said() {
    let graph = graph::build_graph(&job_store().state());
    let expected = "\
position.proposer position 0.500
position.challenger position 0.500
pro_001a argument 0.500
pro_001b argument 0.500
pro_001c argument 0.500
cha_001a objection 0.500
cha_001b objection 0.500
cha_001c objection 0.500
cha_001d agreement 0.500
cha_001e alternative 0.500
pro_002a response 0.500
pro_002b response 0.500
pro_002c response 0.500
pro_002d argument 0.500
cha_002a assessment 0.500
cha_002b assessment 0.500
cha_002c assessment 0.500
cha_002d objection 0.500
cha_002e agreement 0.500
pro_001a + position.proposer argues 1
pro_001b + position.proposer argues 1
pro_001c + position.proposer argues 1
cha_001a - pro_001a objects.grounds 0.7
cha_001a - position.proposer weighs.blocker 1
cha_001b - pro_001c objects.unsupported 0.8
cha_001b - position.proposer weighs.major 0.5
cha_001c - pro_001b objects.grounds 0.7
cha_001d + pro_001a agrees 1
cha_001e + position.challenger argues 1
pro_002a - cha_001a rebuts 1
pro_002b   cha_001b concedes 0
pro_002b - pro_001c gives_up 0.8
pro_002c - cha_001c trades_off 0.5
pro_002d + position.proposer argues 1
cha_002a + pro_002a rules.resolved 0.5
cha_002a - cha_001a gives_up 1
cha_002b   pro_002b rules.sustained 0
cha_002b + cha_001b upholds 0.5
cha_002c + pro_002c rules.resolved 0.5
cha_002c - cha_001c gives_up 1
cha_002d - pro_002d objects.warrant 0.8
cha_002e + pro_002d agrees 1
";
    assert_eq!(told(&graph), expected);
}

#[test]
fn an_objection_is_called_by_its_title_where_it_has_one() {
    let mut debate = Debate::open();
    debate.speak_until("r1.pro");
    let Moves::Challenge(mut challenge) = scripted(turn("r1.cha")) else {
        panic!("a challenge")
    };
    challenge.objections[0].title = Some("Rename is atomic already".to_owned());
    challenge.objections[1].title = None;
    let content = challenge.objections[1].content.clone();
    debate.speak(turn("r1.cha"), Moves::Challenge(challenge));
    let graph = graph::build_graph(&debate.state());
    let called = |id: &str| {
        let mut nodes = graph.nodes().iter();
        let node = nodes.find(|node| node.id.to_string() == id).unwrap();
        node.title.clone()
    };
    assert_eq!(called("cha_001a"), "Rename is atomic already");
    assert_eq!(called("cha_001b"), content);
}

#[test]
fn the_positions_of_a_duel_say_what_each_side_said_last() {
    let debate = job_store();
    let position = |state: &State, seat| {
        let graph = graph::build_graph(state);
        let node = &graph.nodes()[graph.find(PointId::Position(seat)).unwrap().index()];
        (node.title.clone(), node.text.clone())
    };
    let (title, text) = position(&debate.state(), Seat::Proposer);
    assert_eq!(title, "SQLite");
    assert!(
        text.starts_with("Use SQLite for the job store, in WAL mode"),
        "{text}"
    );
    let (title, text) = position(&debate.state(), Seat::Challenger);
    assert_eq!(title, "Plain files");
    assert!(
        text.starts_with("The job store should stay one file a job"),
        "{text}"
    );
    let mut advocate = debate.state();
    advocate.kind.as_duel_mut().unwrap().agreement = Some(false);
    let (title, _) = position(&advocate, Seat::Challenger);
    assert_eq!(title, "Keep files, add flock and index");
}

/// The job store with other replies to, and rulings on, the first objection.
fn ruled(reply: ReplyKind, ruling: RulingKind) -> State {
    let mut debate = Debate::open();
    debate.speak_until("r1.cha");
    let (Moves::Defense(mut defense), Moves::FollowUp(mut follow_up)) =
        (scripted(turn("r2.pro")), scripted(turn("r2.cha")))
    else {
        panic!("a defense and what follows it");
    };
    defense.responses.truncate(1);
    defense.responses[0].reply = reply;
    follow_up.assessments.truncate(1);
    follow_up.assessments[0].ruling = ruling;
    debate.speak(turn("r2.pro"), Moves::Defense(defense));
    debate.speak(turn("r2.cha"), Moves::FollowUp(follow_up));
    debate.state()
}

#[test]
fn every_reply_and_ruling_has_its_edges() {
    use ReplyKind::{Concede, Rebut, Tradeoff};
    use RulingKind::{Dodged, Reframed, Resolved, Sustained, Unsupported};
    let cases = [
        (
            Rebut,
            Resolved,
            "- cha_001a rebuts 1|+ pro_002a rules.resolved 0.5|- cha_001a gives_up 1",
        ),
        (
            Tradeoff,
            Sustained,
            "- cha_001a trades_off 0.5|  pro_002a rules.sustained 0|+ cha_001a upholds 0.5",
        ),
        (
            Rebut,
            Dodged,
            "- cha_001a rebuts 1|- pro_002a rules.dodged 0.5",
        ),
        (
            Rebut,
            Unsupported,
            "- cha_001a rebuts 1|- pro_002a rules.unsupported 0.5",
        ),
        (
            Tradeoff,
            Reframed,
            "- cha_001a trades_off 0.5|- pro_002a rules.reframed 0.5",
        ),
        (
            Concede,
            Resolved,
            "  cha_001a concedes 0|- pro_001a gives_up 0.7|+ pro_002a rules.resolved 0",
        ),
        (
            Concede,
            Dodged,
            "  cha_001a concedes 0|- pro_001a gives_up 0.7|- pro_002a rules.dodged 0|+ cha_001a upholds 0.5",
        ),
    ];
    for (reply, ruling, expected) in cases {
        let told = told(&graph::build_graph(&ruled(reply, ruling)));
        let after = |line: &&str| line.starts_with("pro_002a ") || line.starts_with("cha_002a ");
        let edges = told
            .lines()
            .filter(after)
            .filter_map(|line| line.split_once(' '));
        let edges: Vec<_> = edges
            .map(|(_, edge)| edge)
            .filter(|edge| edge.contains('_'))
            .collect();
        assert_eq!(edges.join("|"), expected, "{reply:?} {ruling:?}");
    }
}

#[test]
fn a_formal_debate_is_a_graph_of_attacks_and_defenses_that_starts_from_the_scores() {
    let graph = graph::build_graph(&cars(EdgeWeights::default()));
    let expected = "\
position.proposition position 0.500
position.opposition position 0.500
prop_000a contention +0.300 0.650
prop_000b contention 0.500
prop_001 contention +1.000 0.990
opp_000a contention -0.300 0.350
opp_000b contention 0.500
opp_001 contention -1.000 0.010
prop_000a + position.proposition argues 1
prop_000b + position.proposition argues 1
prop_001 + position.proposition argues 1
prop_001 - opp_000a attacks.claim 1
prop_001 - opp_000a attacks.backing 0.5
prop_001 + prop_000a reinforces 1
prop_001 + prop_000b clarifies 0.3
opp_000a + position.opposition argues 1
opp_000b + position.opposition argues 1
opp_001 + position.opposition argues 1
opp_001 - prop_000a attacks.grounds 0.7
opp_001 - prop_000b attacks.warrant 0.8
opp_001 - opp_000b gives_up 1
";
    assert_eq!(lines(&told(&graph)), lines(expected));
    let [one, other] = strengths(&graph, Base::Scored);
    assert!(one > other, "{one} {other}");
    assert_eq!(graph.nodes()[0].text, "Cities should ban private cars");
    assert_eq!(graph.to_af().attack_count(), 4);
}

/// Lines in any order: arguments of a round are in the order of their seats.
fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn equal_weights_leave_the_scores_out() {
    let graph = graph::build_graph(&cars(EdgeWeights::default()));
    assert_eq!(graph.to_qbaf(Base::Equal).base_weights(), [0.5; 8]);
    assert_ne!(
        strengths(&graph, Base::Equal),
        strengths(&graph, Base::Scored)
    );
}

#[test]
fn configured_weights_are_the_edges_weights() {
    let changed = [
        (WeightName::Argues, Weight::new(250)),
        (WeightName::Claim, Weight::NONE),
    ];
    let graph = graph::build_graph(&cars(changed.into_iter().collect()));
    let told = told(&graph);
    assert!(
        told.contains("prop_000a + position.proposition argues 0.25\n"),
        "{told}"
    );
    assert!(
        told.contains("prop_001 - opp_000a attacks.claim 0\n"),
        "{told}"
    );
    let attacks: Vec<_> = graph.to_af().attacks().collect();
    assert_eq!(attacks.len(), 4, "the attack on the backing is left");
}

#[test]
fn what_is_taken_out_takes_its_edges_along_and_a_position_stays() {
    let graph = graph::build_graph(&job_store().state());
    let struck = ["pro_001a", "pro_001b", "position.proposer"];
    let ids = struck.map(|id| id.parse::<PointId>().unwrap());
    let less = graph.without_points(&ids);
    assert_eq!(less.nodes().len(), graph.nodes().len() - 2);
    let gone = told(&graph);
    let gone: Vec<_> = gone
        .lines()
        .filter(|line| !line.contains("pro_001a") && !line.contains("pro_001b"))
        .collect();
    assert_eq!(told(&less).lines().collect::<Vec<_>>(), gone);
    let ([before, other], [after, still]) = (
        strengths(&graph, Base::Scored),
        strengths(&less, Base::Scored),
    );
    assert!(
        before > other && after < still,
        "{before} {other} {after} {still}"
    );
    assert_eq!(less.find("pro_001a".parse().unwrap()), None);
}

#[test]
fn ids_read_back_as_they_are_written() {
    for id in [
        "position.proposer",
        "position.opposition",
        "pro_001a",
        "opp_003",
    ] {
        assert_eq!(id.parse::<PointId>().unwrap().to_string(), id);
    }
    for id in ["position.", "position.judge-1", "positions", "PRO_001a"] {
        assert!(id.parse::<PointId>().is_err(), "{id}");
    }
}

#[test]
fn the_document_fits_its_schema() {
    let strength = StrengthDoc {
        id: "pro_001a".to_owned(),
        title: String::new(),
        citations: None,
        base: 0.5,
        citation_weight: None,
        strength: None,
        before: Some(0.5),
    };
    let doc = GraphDoc {
        schema: GRAPH_SCHEMA.to_owned(),
        strengths: Some(vec![strength]),
        status: Some(GraphStatus::Exact),
        ..GraphDoc::default()
    };
    let schema = agon_verdict::documents::document_schema("graph").unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let value = serde_json::to_value(&doc).unwrap();
    let faults: Vec<_> = validator
        .iter_errors(&value)
        .map(|fault| fault.to_string())
        .collect();
    assert_eq!(faults, [""; 0]);
    assert_eq!(serde_json::from_value::<GraphDoc>(value).unwrap(), doc);
    let wrong = validator
        .iter_errors(&json!({ "schema": "agon.graph/2" }))
        .count();
    assert!(wrong > 0);
}
