//! Lost in the middle: what the user said in an earlier turn is asked for again or broken.

use super::statement::Statement;
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::Quotes;

mod asked;
mod broken;
mod rule;

pub(super) use rule::{Forbidden, forbidden};

/// Below this a context has nothing in which anything could be lost: some five hundred tokens.
const MIN_BYTES: usize = 2 << 10;

/// So much came since that what was said in the same turn is behind as well.
const FAR_BYTES: usize = 8 << 10;

/// A sentence of the user's, and where the model failed to go by it.
struct Loss<'a> {
    /// The prompt.
    item: usize,
    sentence: &'a str,
    is_broken: bool,
    effects: Vec<LossEffect<'a>>,
}

/// Where it shows, in words of the item's text or, where that has none, of its arguments.
struct LossEffect<'a> {
    item: usize,
    words: std::borrow::Cow<'a, str>,
}

/// Places that a finding shows beside the cause.
const MAX_EFFECTS: usize = 4;

/// Rules and facts of the user's that were lost in this window.
pub(super) fn find(
    window: &Window<'_>,
    statements: &[Statement<'_>],
    quotes: &mut Quotes,
) -> Vec<PatternFinding> {
    let mut losses = broken::find(window, statements);
    losses.extend(asked::find(window));
    let mut found: Vec<PatternFinding> = Vec::new();
    let mut flagged: Vec<(usize, &str)> = Vec::new();
    for loss in &losses {
        // Broken and then asked for is one loss.
        if flagged.contains(&(loss.item, loss.sentence)) {
            continue;
        }
        flagged.push((loss.item, loss.sentence));
        found.push(describe(loss, window, quotes));
    }
    found
}

/// Whether what the user said is behind: it was said in an earlier turn, and something came since.
fn is_behind(window: &Window<'_>, said: usize, at: usize) -> bool {
    let turn = |item: usize| window.items[item].entry.turn;
    let all = window.items[at].start;
    let since = all.saturating_sub(window.items[said].end);
    all >= MIN_BYTES && (turn(said) < turn(at) || since >= FAR_BYTES)
}

fn describe(loss: &Loss<'_>, window: &Window<'_>, quotes: &mut Quotes) -> PatternFinding {
    let mut evidence = Vec::new();
    let cause = &window.items[loss.item];
    if let Some(text) = cause.prompt() {
        evidence.push(PatternEvidence::from_text(
            EvidenceRole::Cause,
            cause.entry,
            text,
            loss.sentence,
            quotes,
        ));
    }
    for effect in loss.effects.iter().take(MAX_EFFECTS) {
        let entry = window.items[effect.item].entry;
        let role = EvidenceRole::Effect;
        evidence.push(match (window.items[effect.item].text(), &effect.words) {
            (Some((_, text)), std::borrow::Cow::Borrowed(words)) => {
                PatternEvidence::from_text(role, entry, text, words, quotes)
            }
            (_, words) => PatternEvidence::from_words(role, entry, words, quotes),
        });
    }
    PatternFinding {
        pattern: Pattern::LostInTheMiddle,
        severity: if loss.is_broken {
            Severity::Red
        } else {
            Severity::Amber
        },
        confidence: if loss.is_broken { 0.85 } else { 0.8 },
        cure: Cure::Write,
        reason: if loss.is_broken {
            "What the user said in an earlier turn was broken."
        } else {
            "What the user said in an earlier turn was asked for or had to be said again."
        }
        .to_owned(),
        evidence,
        is_current: window.is_current,
    }
}
