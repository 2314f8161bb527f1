//! Facts about a formal debate, computed from its record.

use std::collections::BTreeMap;

use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::moves::{AttackKind, Contention, DefenseKind};
use agon_record::score::Score;
use agon_record::state::State;

/// The change of the lead by one judgment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Swing {
    /// The exchange that was judged.
    pub exchange: u16,
    /// How much the first side gained on the second; negative if it lost ground.
    pub by: Score,
    /// The lead of the first side after the judgment.
    pub lead: Score,
    /// The new arguments, with their first scores.
    pub scored: Vec<(NodeId, Score)>,
    /// Earlier arguments, with the scores before and after.
    pub rescored: Vec<(NodeId, Score, Score)>,
}

/// An attack with its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AimedAttack {
    /// The argument that attacks.
    pub from: NodeId,
    /// The argument attacked.
    pub target: NodeId,
    /// The attacked part.
    pub kind: AttackKind,
    /// The attack, in the attacker's words.
    pub content: String,
}

/// An argument that its own side gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concession {
    /// The argument that contains the concession.
    pub from: NodeId,
    /// The argument given up.
    pub target: NodeId,
    /// The words of the concession.
    pub content: String,
}

/// Returns the arguments of a formal debate in order.
pub fn contentions(state: &State) -> Vec<(NodeId, TurnId, &Contention)> {
    let nodes = state.nodes().into_iter();
    let nodes = nodes.filter_map(|node| Some((node.id, node.turn, node.point.contention()?)));
    nodes.collect()
}

/// Returns the change of the lead by each judgment.
pub fn lead_swings(state: &State) -> Vec<Swing> {
    let [first, _] = state.spec.format().sides();
    let sign = |id: NodeId, score: Score| if id.seat == first { score } else { -score };
    let mut by_exchange: BTreeMap<u16, Swing> = BTreeMap::new();
    for (&id, history) in state.score_histories() {
        let mut before: Option<Score> = None;
        for entry in history {
            let exchange = entry.triggered_by.map_or(id.round, |trigger| trigger.round);
            let swing = by_exchange.entry(exchange).or_insert_with(|| Swing {
                exchange,
                by: Score::ZERO,
                lead: Score::ZERO,
                scored: Vec::new(),
                rescored: Vec::new(),
            });
            swing.by = swing.by + sign(id, entry.score - before.unwrap_or(Score::ZERO));
            match before {
                None => swing.scored.push((id, entry.score)),
                Some(old) => swing.rescored.push((id, old, entry.score)),
            }
            before = Some(entry.score);
        }
    }
    let mut lead = Score::ZERO;
    let mut swings: Vec<_> = by_exchange.into_values().collect();
    for swing in &mut swings {
        lead = lead + swing.by;
        swing.lead = lead;
    }
    swings
}

/// Returns at most `most` judgments that changed the lead most, the largest first.
///
/// The first judgment creates the lead and is not a turning point.
pub fn turning_points(state: &State, most: usize) -> Vec<Swing> {
    let mut swings: Vec<_> = lead_swings(state)
        .into_iter()
        .filter(|swing| swing.exchange > 0 && swing.by != Score::ZERO)
        .collect();
    swings.sort_by_key(|swing| (std::cmp::Reverse(swing.by.abs()), swing.exchange));
    swings.truncate(most);
    swings
}

/// Returns every scored argument with its score, the strongest first.
pub fn arguments_by_score(state: &State) -> Vec<(NodeId, Score)> {
    let current = |(id, history): (&NodeId, &Vec<_>)| Some((*id, latest_score(history)?));
    let mut ranking: Vec<_> = state.score_histories().iter().filter_map(current).collect();
    ranking.sort_by_key(|&(id, score)| (std::cmp::Reverse(score), id));
    ranking
}

fn latest_score(history: &[agon_record::event::ScoreEntry]) -> Option<Score> {
    Some(history.last()?.score)
}

/// Returns every attack in order.
pub fn attacks(state: &State) -> Vec<AimedAttack> {
    let all = contentions(state);
    let attacks = all.iter().flat_map(|(id, _, contention)| {
        contention.attacks.iter().map(|attack| AimedAttack {
            from: *id,
            target: attack.target_id,
            kind: attack.attack_type,
            content: attack.content.clone(),
        })
    });
    attacks.collect()
}

/// Returns the attacks that the attacked side never answered.
///
/// A side answers an attack if, in a later exchange, it defends the attacked argument or attacks
/// the attacking one.
pub fn unanswered_attacks(state: &State) -> Vec<AimedAttack> {
    let all = contentions(state);
    let answers = |attack: &AimedAttack, id: NodeId, contention: &Contention| {
        let later = id.seat == attack.target.seat && id.round > attack.from.round;
        let (mut defends, mut attacks) = (contention.defends.iter(), contention.attacks.iter());
        let defended = defends.any(|defend| defend.target_id == attack.target);
        let countered = attacks.any(|counter| counter.target_id == attack.from);
        later && (defended || countered)
    };
    let mut attacks = attacks(state);
    attacks.retain(|attack| !all.iter().any(|(id, _, said)| answers(attack, *id, said)));
    attacks
}

/// Returns the arguments that their own side gave up, in order.
pub fn concessions(state: &State) -> Vec<Concession> {
    let all = contentions(state);
    let given_up = all.iter().flat_map(|(id, _, contention)| {
        let defends = contention.defends.iter();
        let given_up = defends.filter(|defend| defend.defense_type == DefenseKind::ConcedeAndPivot);
        given_up.map(|defend| Concession {
            from: *id,
            target: defend.target_id,
            content: defend.content.clone(),
        })
    });
    given_up.collect()
}

/// Returns the number of attacks and defenses by each side.
pub fn attack_and_defense_counts(state: &State) -> BTreeMap<Seat, (usize, usize)> {
    let mut counts: BTreeMap<Seat, (usize, usize)> = BTreeMap::new();
    for (id, _, contention) in contentions(state) {
        let (attacks, defenses) = counts.entry(id.seat).or_default();
        *attacks += contention.attacks.len();
        *defenses += contention.defends.len();
    }
    counts
}
