//! The record of a formal debate, as a seat is told it.

use std::collections::BTreeMap;

use agon_record::finding::{Finding, Severity};
use agon_record::id::{NodeId, TurnId};
use agon_record::moves::Contention;
use agon_record::piece::line;
use agon_record::state::Admitted;
use agon_rules::floor::{Floor, UnansweredAttack};
use agon_rules::format;

use super::exchange;
use crate::ask::PromptRequest;
use crate::broken::Broken;
use crate::contract::list;
use crate::tell;
use crate::wording::template::{FORMAL_SCORES, FORMAL_TURN};
use crate::wording::{OwnWords, Values, Wording, values};

// Claims of two real debates have 174 characters in the middle: enough to know one again beside its
// id. They stand whole further down.
/// Characters of an argument or an attack that are repeated beside its id.
const POINT_CHARS: usize = 110;
// The longest message in 53 debates recorded for the tests has 71 characters; what is cited may be
// quoted in one.
/// Characters of a finding.
const FINDING_CHARS: usize = 300;
// The 26 arguments of two real debates have 18 findings in all, so one turn seldom has more.
/// Findings that are told of one turn.
const MAX_FINDINGS: usize = 12;
/// Unanswered attacks that are repeated; the latest matter most.
const MAX_STANDING: usize = 12;

/// Every turn that is heard, in full and in order; what judges said is not.
pub(super) fn turns(ask: &PromptRequest<'_>) -> Vec<Wording> {
    let format = format::of(ask.state.spec.format());
    let heard = ask.state.spoken().filter(|(turn, admitted)| {
        !admitted.moves.contentions().is_empty() && format.hears(ask.key.turn, *turn)
    });
    heard
        .map(|(turn, admitted)| tell_turn(ask, turn, admitted))
        .collect()
}

fn tell_turn(ask: &PromptRequest<'_>, turn: TurnId, admitted: &Admitted) -> Wording {
    let seat = turn.seat;
    FORMAL_TURN.fill(values! {
        exchange => exchange(turn),
        own => turn.seat == ask.key.turn.seat,
        text => ask.fence(&admitted.key.to_string(), &seat, &tell::moves(admitted)),
        seat,
        findings => findings(ask, admitted),
    })
}

/// The errors with which a turn was admitted, worst first.
fn findings(ask: &PromptRequest<'_>, admitted: &Admitted) -> Option<Values> {
    let errors = admitted.findings.iter();
    let mut errors: Vec<_> = errors.filter(|f| f.severity > Severity::Warning).collect();
    errors.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let more = errors.len().saturating_sub(MAX_FINDINGS);
    let mut broken = Broken::default();
    for finding in errors.into_iter().take(MAX_FINDINGS) {
        let (id, at) = place(admitted, &finding.at);
        let note = note(id, at, finding);
        broken.add(finding, id.as_ref().map(|id| id as &dyn OwnWords), note);
    }
    broken.leave_out(more);
    broken.values(ask, &format!("{}-findings", admitted.key))
}

fn note(id: Option<NodeId>, at: &str, finding: &Finding) -> String {
    let id = id.map(|id| id.to_string());
    let at = (!at.is_empty()).then(|| line(at, 80));
    let place: Vec<_> = id.into_iter().chain(at).collect();
    let place = match place.is_empty() {
        true => "the whole turn".to_owned(),
        false => place.join(", "),
    };
    let message = line(&finding.message, FINDING_CHARS);
    format!("{place}: {message} ({})", finding.code)
}

/// The argument that a place such as `arguments[1].claim` is in, and the
/// place within it; a rebuttal is one argument and does not say which.
fn place<'a>(admitted: &Admitted, at: &'a str) -> (Option<NodeId>, &'a str) {
    let listed = at.strip_prefix("arguments[").and_then(|rest| {
        let (place, rest) = rest.split_once(']')?;
        let id = admitted.ids.get(place.parse::<usize>().ok()?)?;
        Some((Some(*id), rest.trim_start_matches('.')))
    });
    listed.unwrap_or(match admitted.ids.as_slice() {
        [only] => (Some(*only), at),
        _ => (None, at),
    })
}

/// The scores a judge finds, exchange by exchange; empty for a side.
pub(super) fn scores(ask: &PromptRequest<'_>, floor: &Floor<'_>) -> Wording {
    if !ask.key.turn.seat.judges() {
        return Wording::default();
    }
    let mut exchanges: BTreeMap<u16, Vec<Wording>> = BTreeMap::new();
    for (id, score) in floor.scored() {
        let known = exchanges.entry(id.round).or_default();
        known.push(Wording::with("{} {}", &[&id, &score]));
    }
    if exchanges.is_empty() {
        return Wording::default();
    }
    let lines = exchanges.into_iter().map(|(exchange, scores)| {
        let scores = Wording::joined(scores, ", ");
        Wording::with("Exchange {}: {}", &[&exchange, &scores])
    });
    FORMAL_SCORES.fill(values! { lines => lines.collect::<Vec<_>>() })
}

/// A line for each argument that waits for a score.
pub(super) fn pending(floor: &Floor<'_>) -> Vec<String> {
    let pending = floor.pending();
    let heard = floor.arguments().iter();
    let heard = heard.filter(|(id, _)| pending.contains(id));
    heard.map(|(id, said)| tell_pending(*id, said)).collect()
}

fn tell_pending(id: NodeId, contention: &Contention) -> String {
    let claim = line(&contention.argument.claim, POINT_CHARS);
    let attacked = contention.attacks.iter().map(|attack| attack.target_id);
    let defended = contention.defends.iter().map(|defend| defend.target_id);
    let aims = [
        ("attacks", attacked.collect::<Vec<_>>()),
        ("defends", defended.collect()),
    ];
    let aims = aims.into_iter().filter(|(_, ids)| !ids.is_empty());
    let aims: Vec<_> = aims
        .map(|(verb, ids)| format!("{verb} {}", list(ids)))
        .collect();
    match aims.is_empty() {
        true => format!("- {id}: {claim}"),
        false => format!("- {id} ({}): {claim}", aims.join("; ")),
    }
}

/// A line for each attack on the seat's own side that stands unanswered.
pub(super) fn unanswered_attacks(floor: &Floor<'_>) -> Vec<String> {
    let standing = floor.unanswered();
    let left_out = standing.len().saturating_sub(MAX_STANDING);
    let mut lines = Vec::new();
    if left_out > 0 {
        lines.push(format!("{left_out} older ones stand in the record above."));
    }
    lines.extend(standing.iter().skip(left_out).map(tell_standing));
    lines
}

fn tell_standing(standing: &UnansweredAttack<'_>) -> String {
    let UnansweredAttack { by, attack } = standing;
    let (target, kind) = (attack.target_id, attack.attack_type.name());
    let content = line(&attack.content, POINT_CHARS);
    format!("- {by} attacks {target} ({kind}): {content}")
}
