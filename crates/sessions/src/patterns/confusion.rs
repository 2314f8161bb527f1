//! Confusion: calls, paths or words of another task than the one asked for.

mod addressed;
mod code;
mod folder;
mod ground;
mod judge;
mod kit;
mod word;

use std::path::Path;

pub(super) use self::ground::Ground;

use self::folder::{common_root, root_as_told};
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::{Quotes, sentences};

/// A call that does not belong to what was asked for.
struct Stray {
    item: usize,
    words: String,
    reasons: u32,
}

/// Strays below this may be a look aside.
const MIN_REASONS: u32 = 2;
/// Words of the model above this say more than what it does next.
const MAX_ANNOUNCED: usize = 600;
/// Strays that a finding shows.
const MAX_STRAYS: usize = 4;

/// Calls in this window that belong to another task. What was known before a compaction is known
/// still: `ground` goes from one window to the next.
pub(super) fn find(
    window: &Window<'_>,
    project: Option<&Path>,
    ground: &mut Ground,
    quotes: &mut Quotes,
) -> Option<PatternFinding> {
    let root = project
        .map(|it| it.to_string_lossy().into_owned())
        .or_else(|| root_as_told(window))
        .or_else(|| common_root(window));
    let mut strays: Vec<Stray> = Vec::new();
    // To read elsewhere is to look aside; what is done there is another matter.
    let mut acts = 0;
    for (at, item) in window.items.iter().enumerate() {
        if let Some(call) = item.call() {
            match ground.judge(call, root.as_deref()) {
                Some((reasons, words)) if reasons > 0 => {
                    ground.stray_calls.insert(call.id.clone());
                    // One file of a task that was left may be of this one as well.
                    ground.return_to(call);
                    acts += u32::from(call.kind != crate::ToolKind::Read);
                    strays.push(Stray {
                        item: at,
                        words,
                        reasons,
                    });
                }
                Some(_) => ground.at_home += 1,
                None => {}
            }
            ground.note_call(call, root.as_deref());
        } else if let Some(prompt) = item.prompt() {
            ground.note_prompt(prompt.as_str(), root.as_deref());
        } else if let Some(text) = item.model_text() {
            if text.len() <= MAX_ANNOUNCED {
                text.as_str().clone_into(&mut ground.announced);
            }
            if let Some(words) = ground.unasked(text.as_str()) {
                strays.push(Stray {
                    item: at,
                    words: words.to_owned(),
                    reasons: MIN_REASONS,
                });
                acts += 1;
            }
        } else if let Some(result) = item.result() {
            let is_stray = ground.stray_calls.contains(&result.call);
            if !is_stray && result.failure.is_none() {
                ground.note_text(result.text.as_str());
                if let Some(call) = window.call_of(result) {
                    ground.note_result(call, result.text.as_str(), root.as_deref());
                }
            }
        } else if let Some((_, text)) = item.text() {
            ground.note_text(text.as_str());
            ground.note_kits(text.as_str(), root.as_deref());
        }
    }
    let reasons: u32 = strays.iter().map(|it| it.reasons).sum();
    // Where most calls stray there is no task from which they do: the rule does not know it.
    if reasons < MIN_REASONS || acts == 0 || strays.len() > ground.at_home {
        return None;
    }
    Some(describe(window, &strays, quotes))
}

fn describe(window: &Window<'_>, strays: &[Stray], quotes: &mut Quotes) -> PatternFinding {
    let mut evidence = Vec::new();
    let first = strays.first().map_or(0, |it| it.item);
    let task = window.items[..first].iter().rev().find_map(|item| {
        let text = item.prompt()?;
        let entry = item.entry;
        Some(PatternEvidence::from_text(
            EvidenceRole::Cause,
            entry,
            text,
            sentences(text.as_str()).first()?.text,
            quotes,
        ))
    });
    evidence.extend(task);
    for stray in strays.iter().take(MAX_STRAYS) {
        let entry = window.items[stray.item].entry;
        evidence.push(PatternEvidence::from_words(
            EvidenceRole::Effect,
            entry,
            &stray.words,
            quotes,
        ));
    }
    let is_strong = strays.len() > 2 || strays.iter().any(|it| it.reasons > 1);
    PatternFinding {
        pattern: Pattern::Confusion,
        severity: if is_strong {
            Severity::Red
        } else {
            Severity::Amber
        },
        confidence: if is_strong { 0.8 } else { 0.65 },
        cure: Cure::Isolate,
        reason: "Calls belong to another task than the one that was asked for.".to_owned(),
        evidence,
        is_current: window.is_current,
    }
}
