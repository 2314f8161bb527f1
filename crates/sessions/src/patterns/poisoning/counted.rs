//! A number of tests that the run did not show, and that is gone on with.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::{Mention, Poison};
use crate::ToolKind;
use crate::patterns::Window;
use crate::patterns::act::{command, simple_commands, written};
use crate::patterns::outcome::tasks;
use crate::prose::{phrases, sentences};

/// Numbers of tests in the output of a run.
static SHOWN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?im)\b(\d{1,6}) (?:tests?|passed|passing|failed|failing|pass|fail|skipped|ignored|examples?|specs?|total|filtered)\b|\b(?:tests?|pass|passed|fail|failed|total|ran|running)[ :]+(\d{1,6})\b|^1\.\.(\d{1,6})\b|^(?:not )?ok (\d{1,6})\b").ok()
});
/// Numbers of tests in words.
static CLAIMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(\d{1,6}) (?:unit |integration )?tests?\b|\btests?: (\d{1,6})\b|\ball (\d{1,6}) (?:are |is |of them )?(?:green|pass|passed|passing|ok|fine)\b|\b(\d{1,6}) (?:passed|passing|green)\b").ok()
});
/// What says that a number is not the one of all tests.
static OF_SOME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:of|new|more|added|adds?|wrote|write|another|other|first|last|these|those|was|were|before|had|failed|failing)\b").ok()
});
/// A text above this is not looked at for numbers of tests, unless it is a run's.
const MAX_TEXT: usize = 8 << 10;
/// What shortens an output, so that not all numbers are in it.
const CUTTING: &[&str] = &["tail", "head", "grep", "rg", "sed", "awk", "cut"];

fn numbers(regex: &Option<Regex>, text: &str) -> BTreeSet<u64> {
    let captures = regex.iter().flat_map(|it| it.captures_iter(text));
    captures
        .filter_map(|it| it.iter().skip(1).flatten().next()?.as_str().parse().ok())
        .collect()
}

/// The number of tests that a sentence claims.
fn claimed(sentence: &str) -> Option<u64> {
    if !sentence.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_some = OF_SOME.as_ref().is_none_or(|it| it.is_match(sentence));
    let numbers = numbers(&CLAIMED, sentence);
    (!is_some && !phrases().negation.is_match(sentence) && numbers.len() == 1)
        .then(|| numbers.first().copied())
        .flatten()
}

/// A number that the model gave right after a run that showed others.
struct CountClaim<'a> {
    number: u64,
    cause: Mention<'a>,
    uses: Vec<Mention<'a>>,
}

/// Numbers of tests that no run showed and that were said or written again.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Poison<'a>> {
    let mut shown: BTreeSet<u64> = BTreeSet::new();
    let mut is_fresh = false;
    let mut claims: Vec<CountClaim<'a>> = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(result) = item.result() {
            let Some(call) = window.call_of(result) else {
                continue;
            };
            let line = command(call).unwrap_or_default();
            let is_run =
                call.kind == ToolKind::Run && tasks(call).iter().any(|it| it.name == "test");
            let is_cut = simple_commands(&line).iter().any(|words| {
                words
                    .first()
                    .is_some_and(|it| CUTTING.contains(&it.as_str()))
            });
            let text = result.text.as_str();
            if !is_run {
                // A document may have the number; a long text has any.
                if text.len() <= MAX_TEXT && text.contains("test") {
                    shown.extend(numbers(&CLAIMED, text));
                }
                continue;
            }
            let mut now = numbers(&SHOWN, text);
            is_fresh = !is_cut && !now.is_empty();
            now.insert(now.iter().fold(0, |all: u64, it| all.saturating_add(*it)));
            claims.retain(|it| !it.uses.is_empty() || !now.contains(&it.number));
            shown.extend(now);
        } else if let Some(prompt) = item.prompt() {
            shown.extend(numbers(&CLAIMED, prompt.as_str()));
        } else if let Some(text) = item.model_text() {
            for sentence in sentences(text.as_str()) {
                note(
                    at,
                    sentence.text,
                    Cow::Borrowed(sentence.text),
                    is_fresh,
                    &shown,
                    &mut claims,
                );
            }
            is_fresh = false;
        } else if let Some(call) = item.call().filter(|_| !claims.is_empty()) {
            for line in written(call).lines() {
                note(
                    at,
                    line,
                    Cow::Owned(line.trim().to_owned()),
                    false,
                    &shown,
                    &mut claims,
                );
            }
        }
    }
    let used = claims.into_iter().filter(|it| !it.uses.is_empty());
    used.map(|it| Poison {
        reason: "A number of tests was said that the run had not shown, and it is used.",
        cause: it.cause,
        uses: it.uses,
    })
    .collect()
}

fn note<'a>(
    at: usize,
    sentence: &str,
    words: Cow<'a, str>,
    is_fresh: bool,
    shown: &BTreeSet<u64>,
    claims: &mut Vec<CountClaim<'a>>,
) {
    let Some(number) = claimed(sentence).filter(|it| !shown.contains(it)) else {
        return;
    };
    let mention = Mention { item: at, words };
    match claims.iter_mut().find(|it| it.number == number) {
        Some(claim) if claim.cause.item != at => claim.uses.push(mention),
        None if is_fresh => claims.push(CountClaim {
            number,
            cause: mention,
            uses: Vec::new(),
        }),
        _ => {}
    }
}
