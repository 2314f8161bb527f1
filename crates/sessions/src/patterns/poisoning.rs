//! Poisoning: what failed or was refuted is built upon as if it were so.

use std::borrow::Cow;

use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::Quotes;

mod counted;
mod failure;
mod recap;
mod refutation;
mod unused;

pub(super) use recap::find as find_in_recaps;
pub(super) use refutation::searched_name;

/// A place and its words: borrowed from the item's text, or made from its arguments.
#[derive(Clone, Debug)]
struct Mention<'a> {
    item: usize,
    words: Cow<'a, str>,
}

/// Something false that was built upon.
#[derive(Debug)]
struct Poison<'a> {
    reason: &'static str,
    cause: Mention<'a>,
    uses: Vec<Mention<'a>>,
}

/// Most places that a finding shows beside the cause.
const MAX_USES: usize = 4;

/// What failed or was refuted in this window and was built upon later in it.
pub(super) fn find(window: &Window<'_>, quotes: &mut Quotes) -> Vec<PatternFinding> {
    let mut poisons = failure::find(window);
    poisons.extend(refutation::find(window));
    poisons.extend(counted::find(window));
    poisons.extend(unused::find(window));
    poisons
        .into_iter()
        .map(|poison| describe(&poison, window, quotes))
        .collect()
}

fn describe(poison: &Poison<'_>, window: &Window<'_>, quotes: &mut Quotes) -> PatternFinding {
    let mut show = |role, mention: &Mention<'_>| {
        let item = &window.items[mention.item];
        match (item.text(), &mention.words) {
            (Some((_, text)), Cow::Borrowed(words)) => {
                PatternEvidence::from_text(role, item.entry, text, words, quotes)
            }
            (_, words) => PatternEvidence::from_words(role, item.entry, words, quotes),
        }
    };
    let mut evidence = vec![show(EvidenceRole::Cause, &poison.cause)];
    let uses = poison.uses.iter().take(MAX_USES);
    evidence.extend(uses.map(|it| show(EvidenceRole::Effect, it)));
    let cause_turn = window.items[poison.cause.item].entry.turn;
    let is_later = poison
        .uses
        .iter()
        .any(|it| window.items[it.item].entry.turn > cause_turn);
    let is_repeated = poison.uses.len() > 1;
    PatternFinding {
        pattern: Pattern::Poisoning,
        severity: if is_later || is_repeated {
            Severity::Red
        } else {
            Severity::Amber
        },
        confidence: 0.7
            + 0.1 * f64::from(u8::from(is_later))
            + 0.1 * f64::from(u8::from(is_repeated)),
        cure: Cure::Isolate,
        reason: poison.reason.to_owned(),
        evidence,
        is_current: window.is_current,
    }
}
