//! The rules that the moves of a turn must keep, and the severity of each breach.
//!
//! [`parse`](crate::parse) checks the schema of a reply; the rules here check the moves against the
//! debate. To add a rule, write a [`Rule`] in the file of its family, a page in `explain/`, and a
//! line in [`RULES`].

mod attack;
mod duel;
mod evidence;
mod opening;
mod person;
mod phrases;
mod points;
mod repeat;
mod reply;
mod scene;
mod score;
mod texts;
mod verdict;

#[cfg(test)]
pub(crate) mod tests;

pub use points::DebatePoints;
pub use scene::Scene;

use agon_record::evidence as found;
use agon_record::finding::{Finding, Severity};
use agon_record::format::FormatRules;
use agon_record::grammar;
use agon_record::id::{AskKey, TurnId};
use agon_record::moves::{Moves, MovesKind};
use agon_record::spec::Seating;
use agon_record::state::State;

/// A rule of the debate.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The name, such as `attack-target`.
    pub code: &'static str,
    /// The family, such as `attack`.
    pub family: &'static str,
    /// The severity of a breach, unless the debate sets another one.
    pub severity: Severity,
    /// A one-line summary.
    pub about: &'static str,
    /// A Markdown page: what the rule requires and why, an example that breaks it and an example
    /// that follows it.
    pub explain: &'static str,
    /// Adds a finding for each breach. [`check_moves`] sets its code, and its severity unless it is
    /// already lower.
    pub check: fn(&Scene<'_>, &mut Vec<Finding>),
}

/// Every rule, by family.
pub const RULES: &[Rule] = &[
    reply::PARSE,
    reply::SCHEMA,
    reply::UNKNOWN_KEY,
    reply::NOTHING,
    reply::EMPTY,
    reply::WORDS,
    reply::GROUNDS,
    reply::THESES,
    opening::COUNT,
    opening::ATTACKS,
    attack::TARGET,
    attack::KIND,
    attack::REPEAT,
    attack::COUNT,
    attack::DEFENSE,
    score::MISSING,
    score::STRANGER,
    score::REPEAT,
    score::RANGE,
    score::SUM,
    score::RESCORE,
    score::OLD,
    score::STEP,
    score::IDS,
    duel::STANCE,
    duel::ARGUMENTS,
    duel::OBJECTIONS_FIRST,
    duel::OBJECTION_COUNT,
    duel::FLAW,
    duel::CATEGORIES,
    duel::ALTERNATIVE,
    duel::PRAISE,
    duel::OPINION,
    duel::LANGUAGE,
    duel::GROUNDS,
    duel::TRADEOFF,
    duel::UNANSWERED,
    duel::UNRULED,
    duel::FOLLOW_UP,
    duel::WITHDRAWN,
    verdict::WINNER,
    verdict::DECISIVE,
    verdict::AGREEMENTS,
    verdict::IDS,
    verdict::RECOMMENDATION,
    evidence::MISSING,
    evidence::WRONG,
    evidence::UNSUPPORTED,
    repeat::ARGUMENT,
];

/// Rules for complete turns only. An interview asks for less, and its answers have their own rules
/// (`interview/src/filter.rs`).
const ONLY_OF_WHOLE_TURNS: &[&str] = &[
    reply::EMPTY.code,
    reply::WORDS.code,
    duel::STANCE.code,
    duel::FLAW.code,
    duel::CATEGORIES.code,
    duel::ALTERNATIVE.code,
    duel::OPINION.code,
    duel::LANGUAGE.code,
    duel::GROUNDS.code,
    duel::UNANSWERED.code,
    duel::UNRULED.code,
    duel::FOLLOW_UP.code,
    verdict::RECOMMENDATION.code,
    evidence::UNSUPPORTED.code,
    repeat::ARGUMENT.code,
];

/// Maximum number of findings for one turn; the most severe are kept.
const MAX_FINDINGS: usize = 100;

/// Returns the rule named `code`.
pub fn find_rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// Returns the severity of `rule` in this debate.
pub fn severity(state: &State, rule: &Rule) -> Severity {
    let own = state.spec.severities.get(rule.code);
    own.copied().unwrap_or(rule.severity)
}

/// Sets the severities of this debate in the parser's `findings`.
///
/// A finding that there are no usable moves stays fatal.
pub fn apply_severities(state: &State, findings: &mut [Finding]) {
    for finding in findings {
        if finding.severity != Severity::Fatal
            && let Some(rule) = find_rule(&finding.code)
        {
            finding.severity = severity(state, rule);
        }
    }
}

/// Lowers word limit findings to warnings, for replies that cannot be sent back.
pub fn relax_word_limits(mut findings: Vec<Finding>) -> Vec<Finding> {
    let long = findings
        .iter_mut()
        .filter(|finding| finding.code == reply::WORDS.code);
    long.for_each(|finding| finding.severity = Severity::Warning);
    findings
}

/// Returns the rules that `moves` break as `turn`, in the order of the moves, at most 100.
///
/// Only turns before `turn` count, so the result stays the same when the debate continues, and
/// `turn` need not be part of it. It is a pure function of the state and the moves.
pub fn check_moves(state: &State, turn: TurnId, moves: &Moves) -> Vec<Finding> {
    check_moves_among(&DebatePoints::of(state), turn, moves)
}

/// Like [`check_moves`], for a caller that checks several turns of one debate.
pub fn check_moves_among(points: &DebatePoints<'_>, turn: TurnId, moves: &Moves) -> Vec<Finding> {
    let stamps = found::stamps_of_turn(points.state, turn);
    run_rules(&Scene::new(points, turn, moves).with_stamps(stamps))
}

/// Like [`check_moves`], for moves in reply to `key` that are not admitted yet.
pub(crate) fn check_reply_moves(state: &State, key: AskKey, moves: &Moves) -> Vec<Finding> {
    let stamps = found::stamps_of_ask(state, key);
    let points = DebatePoints::of(state);
    let scene = Scene::new(&points, key.turn, moves).with_stamps(stamps);
    run_rules(&match key.again {
        0 => scene.as_first_reply(),
        _ => scene,
    })
}

/// The families of rules that apply to every format.
const OF_EVERY_FORMAT: [&str; 2] = ["evidence", "repeat"];

/// Returns the rules that apply to a format.
fn rules_of(format: &FormatRules) -> impl Iterator<Item = &'static Rule> {
    let families = format.rule_families;
    let holds = move |family| families.contains(family) || OF_EVERY_FORMAT.contains(family);
    RULES.iter().filter(move |rule| holds(&rule.family))
}

fn run_rules(scene: &Scene<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in rules_of(scene.state.format_rules()) {
        if scene.is_interviewed() && ONLY_OF_WHOLE_TURNS.contains(&rule.code) {
            continue;
        }
        let known = findings.len();
        (rule.check)(scene, &mut findings);
        for finding in findings.iter_mut().skip(known) {
            rule.code.clone_into(&mut finding.code);
            finding.severity = match scene.state.spec.severities.get(rule.code) {
                Some(own) => *own,
                None => finding.severity.min(rule.severity),
            };
        }
    }
    let seating = scene.state.seats.get(&scene.turn.seat);
    if seating.is_some_and(Seating::is_human) {
        person::relax_for_person(&mut findings);
    }
    if findings.len() > MAX_FINDINGS {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        findings.truncate(MAX_FINDINGS);
    }
    let kind = scene.moves.kind();
    findings.sort_by_key(|finding| finding_sort_key(kind, &finding.at));
    findings
}

/// The fields whose findings come first on a verdict; the rest keep the order of the rules.
const FIRST_OF_VERDICT: [&str; 4] = ["answer", "agreements", "winner", "why"];

/// Returns the sort key of a place in moves of `kind`: its first name, then its index.
fn finding_sort_key(kind: MovesKind, at: &str) -> (usize, usize) {
    let (name, rest) = match at.split_once(['[', '.']) {
        Some((name, rest)) => (name, rest),
        None => (at, ""),
    };
    let digits = rest.split(']').next().unwrap_or_default();
    let place = if kind == MovesKind::Verdict {
        FIRST_OF_VERDICT.iter().position(|first| *first == name)
    } else {
        let mut fields = grammar::root_part(kind).fields.iter();
        fields.position(|field| field.key == name)
    };
    let name = match name {
        "" => 0,
        _ => place.map_or(usize::MAX, |place| place + 1),
    };
    (name, digits.parse().unwrap_or(0))
}
