//! The rules of a debate: what each holds a turn to, and how bad a breach is.
//!
//! [`parse`](crate::parse) holds a reply to its shape; the rules here hold the
//! moves to the debate. A new rule is a [`Rule`] in the file of its family, a
//! page in `explain/`, and a line in [`RULES`].

mod attack;
mod duel;
mod evidence;
mod opening;
mod person;
mod phrases;
mod repeat;
mod reply;
mod scene;
mod score;
mod texts;
mod verdict;

#[cfg(test)]
pub(crate) mod tests;

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
    /// Its name, such as `attack-target`.
    pub code: &'static str,
    /// The family it belongs to, such as `attack`.
    pub family: &'static str,
    /// How much a breach matters, unless the debate says otherwise.
    pub severity: Severity,
    /// One line that says what it asks.
    pub about: &'static str,
    /// A page in Markdown: what it asks and why, an example that breaks it and one that keeps it.
    pub explain: &'static str,
    /// Adds a finding for each breach; its code is set by [`check_moves`], and so is its severity
    /// where it is not a lesser one.
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

/// What is asked of a turn as a whole: an interview asks for less, and its answers are held to rules
/// of their own before they are part of it (`interview/src/filter.rs`).
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

/// The most findings that one turn gets: the worst of them.
const MAX_FINDINGS: usize = 100;

/// The rule named `code`.
pub fn find_rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// How much a breach of `rule` matters in this debate.
pub fn severity(state: &State, rule: &Rule) -> Severity {
    let own = state.spec.severities.get(rule.code);
    own.copied().unwrap_or(rule.severity)
}

/// Gives `findings` of the parser the severities of this debate.
///
/// One that says that there are no usable moves stays fatal.
pub fn apply_severities(state: &State, findings: &mut [Finding]) {
    for finding in findings {
        if finding.severity != Severity::Fatal
            && let Some(rule) = find_rule(&finding.code)
        {
            finding.severity = severity(state, rule);
        }
    }
}

/// `findings` as they count where no seat can be asked again: too many words are a warning.
pub fn relax_word_limits(mut findings: Vec<Finding>) -> Vec<Finding> {
    let long = findings
        .iter_mut()
        .filter(|finding| finding.code == reply::WORDS.code);
    long.for_each(|finding| finding.severity = Severity::Warning);
    findings
}

/// What `moves`, given as `turn`, break; in the order of the moves, at most 100.
///
/// Only what was said before `turn` counts, so the answer is the same when the
/// debate has gone on since, and `turn` need not be part of it. Pure: the same
/// state and moves give the same findings.
pub fn check_moves(state: &State, turn: TurnId, moves: &Moves) -> Vec<Finding> {
    let stamps = found::stamps_of_turn(state, turn);
    run_rules(&Scene::new(state, turn, moves).with_stamps(stamps))
}

/// What `moves`, given in reply to `key`, break; as [`check_moves`], before they are admitted.
pub(crate) fn check_reply_moves(state: &State, key: AskKey, moves: &Moves) -> Vec<Finding> {
    let stamps = found::stamps_of_ask(state, key);
    let scene = Scene::new(state, key.turn, moves).with_stamps(stamps);
    run_rules(&match key.again {
        0 => scene.as_first_reply(),
        _ => scene,
    })
}

/// The families of rules that hold in every format.
const OF_EVERY_FORMAT: [&str; 2] = ["evidence", "repeat"];

/// The rules that a reply in a debate of this format is checked against.
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

/// What comes first among the findings on a verdict; the rest stand in the order in which the
/// rules find them.
const FIRST_OF_VERDICT: [&str; 4] = ["answer", "agreements", "winner", "why"];

/// Where `at` stands in moves of `kind`: its first name, then its number.
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
