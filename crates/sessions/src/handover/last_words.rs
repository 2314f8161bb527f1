//! Finds the model's last message, its last plan and the summary of the last compaction.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::Quotation;
use super::request::{beginning, ending};
use crate::prose::{Quotes, phrases};
use crate::{Entry, EntryKind, ToolKind};

/// What the model said last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastWords {
    /// Its last message that lists steps, unless that is too old or its last message.
    pub plan: Option<Quotation>,
    /// The end of the last compaction's summary, where the open work is.
    pub summary: Option<Quotation>,
    /// Its last message.
    pub message: Option<Quotation>,
}

/// Most characters quoted of a message. Its place leads to the rest.
const MAX_CHARS: usize = 1_000;
/// Most characters quoted of a plan, which is of use only as a whole.
const MAX_PLAN_CHARS: usize = 4_000;
/// Most turns from a plan to the end of the session. Older plans are done or given up.
const MAX_PLAN_AGE: u32 = 3;

/// Returns the model's last message, its last plan and the last summary.
pub(super) fn last_words(entries: &[&Entry], quotes: &mut Quotes) -> LastWords {
    let mut found = LastWords::default();
    let Some(last) = entries.last().map(|it| it.turn) else {
        return found;
    };
    let is_summary =
        |it: &&&Entry| matches!(it.kind, EntryKind::Compaction(_)) && it.kind.text().is_some();
    let summary = entries.iter().rev().find(is_summary);
    found.summary = summary.and_then(|it| ending(it, MAX_CHARS, quotes));
    for entry in entries.iter().rev() {
        let is_recent = entry.turn.saturating_add(MAX_PLAN_AGE) > last;
        match &entry.kind {
            EntryKind::Text(text) if !text.as_str().trim().is_empty() => {
                let is_last = found.message.is_none();
                let is_plan = is_recent && lists_steps(text.as_str());
                if is_last {
                    found.message = beginning(entry, MAX_CHARS, quotes);
                } else if is_plan {
                    found.plan = beginning(entry, MAX_PLAN_CHARS, quotes);
                }
                if is_plan {
                    break;
                }
            }
            // A plan that the model presents with a tool, such as `ExitPlanMode`.
            EntryKind::Call(call) if is_recent && call.kind == ToolKind::Ask => {
                let plan = call.arguments.get("plan").and_then(|it| it.as_str());
                if let Some(plan) = plan {
                    let words = quotes.quote_argument_lines(plan, MAX_PLAN_CHARS);
                    found.plan = Some(Quotation::new(entry, words));
                    break;
                }
            }
            _ => {}
        }
        if found.message.is_some() && !is_recent {
            break;
        }
    }
    found
}

/// The number of a step, or a box to check, as "1." in "Plan: 1. measure 2. cut".
static STEP: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?m)(?:^|\s)\**(?P<number>[1-9]\d?)[.)]\**\s|^\s*[-*+] \[ \] ").ok()
});

/// Returns whether a message lists at least two steps and says that they are a plan.
fn lists_steps(text: &str) -> bool {
    let steps = STEP.iter().flat_map(|it| it.captures_iter(text));
    let mut next = 1_usize;
    let mut boxes = 0_usize;
    let mut first = None;
    for step in steps {
        let at = step.get(0).map_or(0, |it| it.start());
        match step.name("number").map(|it| it.as_str().parse::<usize>()) {
            Some(Ok(number)) if number == next => next += 1,
            Some(_) => continue,
            None => boxes += 1,
        }
        first.get_or_insert(at);
    }
    let before = text.get(..first.unwrap_or(0)).unwrap_or_default();
    boxes >= 2 || next > 2 && phrases().plan.is_match(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_plan_where_the_words_before_them_say_so() {
        for plan in [
            "Plan: 1. measure. 2. cut.",
            "Here is what I'll do:\n1. measure\n2. cut",
            "Nächste Schritte:\n\n**1.** messen\n**2.** schneiden",
            "接下来：\n1. 测量\n2. 切割",
            "Left:\n- [ ] measure\n- [ ] cut",
        ] {
            assert!(lists_steps(plan), "{plan}");
        }
        for other in [
            "Done:\n1. measured\n2. cut",
            "The plan is version 1. It is old.",
            "My plan: see chapter 2. Then chapter 1.",
            "",
        ] {
            assert!(!lists_steps(other), "{other}");
        }
    }
}
