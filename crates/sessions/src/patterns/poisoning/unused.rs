//! A name that is called unused although a search had shown its uses.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::refutation::searched_name;
use super::{Mention, Poison};
use crate::patterns::Window;
use crate::patterns::act::{strings, written};
use crate::prose::{runs, sentences};
use crate::{ToolCall, ToolKind};

static UNUSED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:unused|un-used|dead|unreferenced|obsolete|orphan(?:ed)?|(?:is|are|was)(?: not|n['’]t) (?:used|called|referenced|needed)|never (?:used|called|referenced)|no (?:callers?|uses?|users?|references?|one|usages?)|nothing|nobody|(?:single|only|sole) (?:hit|place|mention|line|match|occurrence|reference)|only (?:its|the|in its|in the) (?:own )?definition|nowhere|no other|without (?:callers?|uses?))\b").ok()
});
static GOES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:can go|remove[ds]?|removing|delete[ds]?|deleting|drop(?:ped|s)?|get rid of|clean(?:ed)? up|safe to)\b").ok()
});
/// What leads to a name where it is defined or fetched, so that it is not used there.
static NO_USE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:\b(?:fn|def|class|struct|enum|trait|type|const|static|let|var|function|mod|interface|func|import|use|from|export)\b|//|#|\* |^\s*-|<!--)").ok()
});

struct Searched<'a> {
    claim: Option<Mention<'a>>,
    uses: Vec<Mention<'a>>,
}

/// Whether a line of a search's result uses the name.
fn is_use(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let is_in = |it: Option<char>| it.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let after = &line[at + name.len()..];
        let is_whole = !is_in(line[..at].chars().next_back()) && !is_in(after.chars().next());
        // The place of the line leads it.
        let code = line[..at].rsplit(':').next().unwrap_or_default();
        is_whole && NO_USE.as_ref().is_some_and(|it| !it.is_match(code))
    })
}

/// The lines that an edit takes away, or sets out from.
fn removed(call: &ToolCall) -> impl Iterator<Item = &str> {
    let old = ["old_string", "oldString", "old_str"]
        .into_iter()
        .filter_map(|it| call.arguments.get(it)?.as_str())
        .flat_map(str::lines);
    let patch = strings(&call.arguments)
        .filter(|it| it.contains("*** Begin Patch"))
        .flat_map(str::lines)
        .filter_map(|it| it.strip_prefix('-'));
    old.chain(patch)
}

/// Names that were called unused after a search that showed uses, and said to be so again.
pub(super) fn find<'a>(window: &Window<'a>) -> Vec<Poison<'a>> {
    let mut searched: HashMap<String, Searched<'a>> = HashMap::new();
    let mut found = Vec::new();
    // The name that was searched for just now: "nothing calls it" is said of that.
    let mut last: Option<String> = None;
    for (at, item) in window.items.iter().enumerate() {
        if let Some(result) = item.result() {
            let Some(name) = window.call_of(result).and_then(searched_name) else {
                continue;
            };
            if result.failure.is_some() {
                continue;
            }
            last = Some(name.clone());
            let uses = result.text.as_str().lines().filter(|it| is_use(it, &name));
            if uses.take(1).count() > 0 {
                searched.entry(name).or_insert_with(|| Searched {
                    claim: None,
                    uses: Vec::new(),
                });
            } else {
                close(searched.remove(&name), &mut found);
            }
        } else if let Some(call) = item.call().filter(|_| !searched.is_empty()) {
            // A change may take its uses away; one that has them still does not.
            if call.kind == ToolKind::Edit {
                let names: Vec<String> = removed(call)
                    .flat_map(|line| runs(line).filter(|it| is_use(line, it)))
                    .filter(|it| searched.contains_key(*it))
                    .map(str::to_owned)
                    .collect();
                let text = written(call);
                for name in names {
                    if !text.lines().any(|it| is_use(it, &name)) {
                        close(searched.remove(&name), &mut found);
                    }
                }
            }
            last = None;
        } else if let Some(text) = item.model_text().filter(|_| !searched.is_empty()) {
            for sentence in sentences(text.as_str()) {
                note(at, sentence.text, last.as_deref(), &mut searched);
            }
            last = None;
        }
    }
    let mut left: Vec<(String, Searched<'a>)> = searched.into_iter().collect();
    left.sort_by(|one, other| one.0.cmp(&other.0));
    for (_, it) in left {
        close(Some(it), &mut found);
    }
    found
}

fn note<'a>(
    at: usize,
    sentence: &'a str,
    last: Option<&str>,
    searched: &mut HashMap<String, Searched<'a>>,
) {
    let is_match = |regex: &Option<Regex>| regex.as_ref().is_some_and(|it| it.is_match(sentence));
    if !is_match(&UNUSED) && !is_match(&GOES) || sentence.ends_with('?') {
        return;
    }
    let mut names: Vec<&str> = runs(sentence)
        .map(|it| it.trim_end_matches("()"))
        .filter(|it| searched.contains_key(*it))
        .collect();
    if names.is_empty() && is_match(&UNUSED) {
        names.extend(last);
    }
    for name in names {
        let Some(it) = searched.get_mut(name) else {
            continue;
        };
        let mention = Mention {
            item: at,
            words: Cow::Borrowed(sentence),
        };
        match &it.claim {
            None if is_match(&UNUSED) => it.claim = Some(mention),
            Some(claim) if claim.item != at => it.uses.push(mention),
            _ => {}
        }
    }
}

fn close<'a>(searched: Option<Searched<'a>>, found: &mut Vec<Poison<'a>>) {
    if let Some(it) = searched
        && let Some(cause) = it.claim
        && !it.uses.is_empty()
    {
        found.push(Poison {
            reason: "A name is called unused although a search had shown its uses.",
            cause,
            uses: it.uses,
        });
    }
}
