//! The record of a formal debate in a prompt.

use std::collections::BTreeMap;

use agon_record::finding::{Finding, Severity};
use agon_record::id::{NodeId, TurnId};
use agon_record::moves::Contention;
use agon_record::piece::single_line;
use agon_record::state::Admitted;
use agon_rules::floor::{HeardArguments, UnansweredAttack};
use agon_rules::format;
use agon_wording::{OwnWords, Values, Wording, values};

use super::exchange_number;
use crate::broken_rules::BrokenRules;
use crate::contract::comma_separated_ids;
use crate::moves_markdown;
use crate::request::PromptRequest;
use crate::template::{FORMAL_BRIEF, FORMAL_SCORES, FORMAL_TURN};

// The median claim of two real debates has 174 characters, so this is enough to recognize one
// beside its id. The complete claims come later in the prompt.
/// Maximum characters of an argument or attack repeated beside its id.
const POINT_CHARS: usize = 110;
// Twice the longest claim of two real debates, which has 28 words.
/// Maximum characters of a claim in a brief argument.
const CLAIM_CHARS: usize = 400;
// Twice the longest title of two real debates, which has 8 words.
/// Maximum characters of a title.
const TITLE_CHARS: usize = 120;
// The exchange to judge, and the two before it, which its arguments mostly answer.
/// The number of exchanges that a judge always sees in full.
const MIN_WHOLE_EXCHANGES: u16 = 3;
// The longest message in 53 debates recorded for the tests has 71 characters. The rest is for a
// quoted citation.
/// Maximum characters of a finding.
const FINDING_CHARS: usize = 300;
// The 26 arguments of two real debates have 18 findings together, so one turn rarely has more.
/// Maximum findings of one turn.
const MAX_FINDINGS: usize = 12;
/// Maximum number of unanswered attacks repeated; the latest ones are kept.
const MAX_STANDING: usize = 12;

/// The turns that a seat sees.
pub(super) struct HeardTurns {
    /// The turns that a judge sees in brief.
    pub(super) brief: Wording,
    /// The turns shown in full, in order.
    pub(super) whole: Vec<Wording>,
}

/// Returns every visible turn in order, except the judges' turns.
///
/// A side sees all turns in full. A judge sees in full the latest exchanges and every turn with an
/// argument under an open attack, and only title and claim of the others, to limit the prompt.
pub(super) fn split_heard_turns(ask: &PromptRequest<'_>, floor: &HeardArguments<'_>) -> HeardTurns {
    let format = format::format_of(ask.state);
    let visible = ask.state.admitted_turns().filter(|(turn, admitted)| {
        !admitted.moves.contentions().is_empty() && format.may_refer_to(ask.key.turn, *turn)
    });
    let attacks = floor.open_attacks();
    let is_touched = |id: &NodeId| {
        attacks
            .iter()
            .any(|one| one.by == *id || one.attack.target_id == *id)
    };
    let is_late = |turn: TurnId| {
        let age = exchange_number(ask.key.turn).zip(exchange_number(turn));
        age.is_none_or(|(now, then)| now.saturating_sub(then) < MIN_WHOLE_EXCHANGES)
    };
    let judges = ask.key.turn.seat.is_judge();
    let (mut lines, mut whole) = (Vec::new(), Vec::new());
    for (turn, admitted) in visible {
        if !judges || is_late(turn) || admitted.ids.iter().any(is_touched) {
            whole.push(turn_part(ask, turn, admitted));
            continue;
        }
        let arguments = admitted.ids.iter().zip(admitted.moves.contentions());
        lines.extend(arguments.map(|(id, said)| brief_argument_line(*id, said)));
    }
    let brief = match lines.is_empty() {
        true => Wording::default(),
        false => {
            let key = format!("{}-brief", ask.key.first_ask());
            let text = ask.fence_veiled(&key, &"record", &lines.join("\n"));
            FORMAL_BRIEF.fill(values! { text })
        }
    };
    HeardTurns { brief, whole }
}

fn brief_argument_line(id: NodeId, contention: &Contention) -> String {
    let argument = &contention.argument;
    let title = single_line(&argument.title, TITLE_CHARS);
    let claim = single_line(&argument.claim, CLAIM_CHARS);
    format!("- {id}: {title}. {claim}")
}

fn turn_part(ask: &PromptRequest<'_>, turn: TurnId, admitted: &Admitted) -> Wording {
    let seat = turn.seat;
    FORMAL_TURN.fill(values! {
        exchange => exchange_number(turn),
        own => turn.seat == ask.key.turn.seat,
        text => ask.fence_veiled(
            &admitted.key.to_string(),
            &seat,
            &moves_markdown::render_moves(admitted),
        ),
        seat,
        findings => error_values(ask, admitted),
    })
}

/// Returns the errors of an admitted turn, the most severe first.
fn error_values(ask: &PromptRequest<'_>, admitted: &Admitted) -> Option<Values> {
    let errors = admitted.findings.iter();
    let mut errors: Vec<_> = errors.filter(|f| f.severity > Severity::Warning).collect();
    errors.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let more = errors.len().saturating_sub(MAX_FINDINGS);
    let mut broken = BrokenRules::default();
    for finding in errors.into_iter().take(MAX_FINDINGS) {
        let (id, at) = resolve_argument_path(admitted, &finding.at);
        let note = describe_finding(id, at, finding);
        broken.add_finding(finding, id.as_ref().map(|id| id as &dyn OwnWords), note);
    }
    broken.add_omitted_count(more);
    broken.template_values(ask, &format!("{}-findings", admitted.key))
}

fn describe_finding(id: Option<NodeId>, at: &str, finding: &Finding) -> String {
    let id = id.map(|id| id.to_string());
    let at = (!at.is_empty()).then(|| single_line(at, 80));
    let place: Vec<_> = id.into_iter().chain(at).collect();
    let place = match place.is_empty() {
        true => "the whole turn".to_owned(),
        false => place.join(", "),
    };
    let message = single_line(&finding.message, FINDING_CHARS);
    format!("{place}: {message} ({})", finding.code)
}

/// Splits a finding's path such as `arguments[1].claim` into the argument's id and the rest. A
/// rebuttal has one argument, so its path has no index.
fn resolve_argument_path<'a>(admitted: &Admitted, at: &'a str) -> (Option<NodeId>, &'a str) {
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

/// Returns the current scores by exchange; empty for a side.
pub(super) fn scores_part(ask: &PromptRequest<'_>, floor: &HeardArguments<'_>) -> Wording {
    if !ask.key.turn.seat.is_judge() {
        return Wording::default();
    }
    let mut exchanges: BTreeMap<u16, Vec<Wording>> = BTreeMap::new();
    for (id, score) in floor.scored_arguments() {
        let known = exchanges.entry(id.round).or_default();
        known.push(Wording::from_format("{} {}", &[&id, &score]));
    }
    if exchanges.is_empty() {
        return Wording::default();
    }
    let lines = exchanges.into_iter().map(|(exchange, scores)| {
        let scores = Wording::join(scores, ", ");
        Wording::from_format("Exchange {}: {}", &[&exchange, &scores])
    });
    FORMAL_SCORES.fill(values! { lines => lines.collect::<Vec<_>>() })
}

/// Returns a line for each argument without a score.
pub(super) fn unscored_argument_lines(floor: &HeardArguments<'_>) -> Vec<String> {
    let pending = floor.unscored_arguments();
    let visible = floor.arguments().iter();
    let visible = visible.filter(|(id, _)| pending.contains(id));
    visible
        .map(|(id, said)| unscored_argument_line(*id, said))
        .collect()
}

fn unscored_argument_line(id: NodeId, contention: &Contention) -> String {
    let claim = single_line(&contention.argument.claim, POINT_CHARS);
    let attacked = contention.attacks.iter().map(|attack| attack.target_id);
    let defended = contention.defends.iter().map(|defend| defend.target_id);
    let aims = [
        ("attacks", attacked.collect::<Vec<_>>()),
        ("defends", defended.collect()),
    ];
    let aims = aims.into_iter().filter(|(_, ids)| !ids.is_empty());
    let aims: Vec<_> = aims
        .map(|(verb, ids)| format!("{verb} {}", comma_separated_ids(ids)))
        .collect();
    match aims.is_empty() {
        true => format!("- {id}: {claim}"),
        false => format!("- {id} ({}): {claim}", aims.join("; ")),
    }
}

/// Returns a line for each unanswered attack on the seat's own side.
pub(super) fn unanswered_attack_lines(floor: &HeardArguments<'_>) -> Vec<String> {
    let standing = floor.unanswered_attacks();
    let left_out = standing.len().saturating_sub(MAX_STANDING);
    let mut lines = Vec::new();
    if left_out > 0 {
        lines.push(format!("{left_out} older ones are in the record above."));
    }
    lines.extend(standing.iter().skip(left_out).map(unanswered_attack_line));
    lines
}

fn unanswered_attack_line(standing: &UnansweredAttack<'_>) -> String {
    let UnansweredAttack { by, attack } = standing;
    let (target, kind) = (attack.target_id, attack.attack_type.name());
    let content = single_line(&attack.content, POINT_CHARS);
    format!("- {by} attacks {target} ({kind}): {content}")
}
