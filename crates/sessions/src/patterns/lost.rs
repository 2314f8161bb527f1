//! Lost in the middle: what stands only in the middle third is asked for again or broken.

use super::statement::Statement;
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::Quotes;

mod asked;
mod broken;
mod rule;

pub(super) use rule::{Forbidden, forbidden};

/// Below this a context has no middle in which anything could be lost: some two thousand tokens.
const MIN_BYTES: usize = 8 << 10;

// A third by bytes is not quite a third by tokens, and what a host does not record stands before
// all else: the edges of the middle are taken a little wider.
/// Where the middle begins and ends.
const MIDDLE: (f64, f64) = (0.30, 0.70);

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

/// Whether a byte stands in the middle of what the model had at an item.
fn is_middle(window: &Window<'_>, byte: usize, at: usize) -> bool {
    let all = window.items[at].start;
    let share = byte as f64 / all.max(1) as f64;
    all >= MIN_BYTES && share >= MIDDLE.0 && share <= MIDDLE.1
}

/// Whether one of the words stands at an edge of what the model had at an item: not in the middle.
fn stands_at_an_edge(window: &Window<'_>, at: usize, has: impl Fn(&str) -> bool) -> bool {
    window.items[..at].iter().any(|item| {
        let middle = usize::midpoint(item.start, item.end);
        !is_middle(window, middle, at) && item.text().is_some_and(|(_, text)| has(text.as_str()))
    })
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
            "What the user said, which stands only in the middle of the context, was broken."
        } else {
            "What the user said, which stands only in the middle of the context, was asked for again."
        }
        .to_owned(),
        evidence,
        is_current: window.is_current,
    }
}
