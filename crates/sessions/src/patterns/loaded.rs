//! Measures loaded text that nothing later refers to. It is a figure, never an alarm.

use serde::{Deserialize, Serialize};

use self::uses::Uses;
use super::Window;
use super::act::{all_strings, command, paths};
use super::check::{Check, checks};
use crate::{EntryKind, LoadedKind, ToolKind};

mod uses;

/// Bytes of loaded text, in all and unused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedText {
    /// Bytes from tools and hooks that later messages had a chance to refer to.
    pub bytes: u64,
    /// Bytes of it that nothing refers to.
    pub unused: u64,
}

impl LoadedText {
    /// Returns the unused share.
    pub fn unused_share(self) -> f64 {
        if self.bytes == 0 {
            return 0.0;
        }
        self.unused as f64 / self.bytes as f64
    }
}

/// Texts with fewer bytes always count as used.
const MIN_TEXT: usize = 1_000;
/// A text with at least this many bytes shares single words with any sentence by chance.
const LARGE: usize = 8 << 10;
/// Fewest later messages and calls of the model before a text counts as unused.
const MIN_CHANCES: usize = 3;
/// A loaded text that nothing refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unused {
    /// The item's index.
    pub(super) item: usize,
    /// Its bytes.
    pub(super) bytes: usize,
}

/// Returns the unused texts loaded in this window, largest first.
pub(super) fn unused(window: &Window<'_>) -> (LoadedText, Vec<Unused>) {
    let uses = Uses::of(window);
    let mut loaded = LoadedText::default();
    let mut found = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        let entry = item.entry;
        let (text, names) = match &entry.kind {
            EntryKind::Result(result) => {
                let call = window.call_of(result);
                let names = call.map(paths).unwrap_or_default();
                (&result.text, names)
            }
            // Text pasted by the user counts as loaded.
            EntryKind::Prompt(text) if text.len() >= LARGE => (text, Vec::new()),
            EntryKind::Loaded(it)
                if matches!(it.kind, LoadedKind::Hook | LoadedKind::Surroundings) =>
            {
                (&it.text, Vec::new())
            }
            _ => continue,
        };
        if uses.chances(at) < MIN_CHANCES {
            continue;
        }
        loaded.bytes += text.len() as u64;
        if text.len() >= MIN_TEXT
            && is_loaded_to_read(window, at)
            && !uses.refer_to(at, text.as_str(), &names)
        {
            loaded.unused += text.len() as u64;
            found.push(Unused {
                item: at,
                bytes: text.len(),
            });
        }
    }
    found.sort_by_key(|it| (std::cmp::Reverse(it.bytes), it.item));
    (loaded, found)
}

/// Returns whether a text was loaded to be read. A check's output is used by its outcome alone.
fn is_loaded_to_read(window: &Window<'_>, at: usize) -> bool {
    if window.items[at].prompt().is_some() {
        return true;
    }
    let Some(result) = window.items[at].result() else {
        return true;
    };
    window.call_of(result).is_some_and(|call| match call.kind {
        ToolKind::Read | ToolKind::Search | ToolKind::Fetch | ToolKind::Other => true,
        ToolKind::Run => {
            !checks(call).iter().flatten().any(Check::is_known) && command(call).is_some()
        }
        ToolKind::Edit | ToolKind::Plan | ToolKind::Agent | ToolKind::Ask => false,
    })
}

/// Describes the source of a loaded text.
pub(super) fn describe(window: &Window<'_>, at: usize) -> String {
    let call = window.items[at]
        .result()
        .and_then(|result| window.call_of(result));
    if window.items[at].prompt().is_some() {
        return "pasted by the user".to_owned();
    }
    let Some(call) = call else {
        return "added by the host or a hook".to_owned();
    };
    let what = call
        .path()
        .map(str::to_owned)
        .or_else(|| command(call))
        .or_else(|| all_strings(&call.arguments).next().map(str::to_owned));
    format!("{} {}", call.name, what.unwrap_or_default())
}
