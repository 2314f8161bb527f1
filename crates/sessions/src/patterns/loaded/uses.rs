//! Determines whether loaded text is used later.

use super::LARGE;
use crate::patterns::Window;
use crate::patterns::act::{all_strings, file_name, find_shown_file};
use crate::prose::{KeyMap, KeySet, is_code_like, is_stop_word_in_any_case, key, parts, runs};
use crate::{EntryKind, ToolKind};

/// A large text needs one used word per this many bytes.
const BYTES_A_WORD: usize = 2 << 10;
/// Number of used words that suffices for any large text.
const ENOUGH: usize = 40;

/// The words that the model and the user used, and their sources.
pub(super) struct Uses {
    last_use: KeyMap<usize>,
    /// The same without calls that only load more text.
    last_said: KeyMap<usize>,
    first_seen: KeyMap<usize>,
    acts: Vec<usize>,
    /// The source of each item, so that a text loaded twice counts once.
    loads: Vec<Option<u64>>,
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    runs(text)
        .flat_map(|run| {
            let whole = (run.len() > 4 && run.contains(['.', '/', '-', ':'])).then_some(run);
            // A list has "src/a.rs" and a later call "/project/src/a.rs", so also compare file
            // names.
            let name = file_name(run.split(':').next().unwrap_or(run));
            let name =
                (name.len() > 4 && name.len() < run.len() && name.contains('.')).then_some(name);
            whole.into_iter().chain(name).chain(parts(run))
        })
        .filter(|word| word.len() >= 4)
}

impl Uses {
    pub(super) fn of(window: &Window<'_>) -> Self {
        let mut last_use = KeyMap::default();
        let mut last_said = KeyMap::default();
        let mut acts = Vec::new();
        for (at, item) in window.items.iter().enumerate() {
            let is_load = item.call().is_some_and(|call| {
                matches!(
                    call.kind,
                    ToolKind::Read | ToolKind::Search | ToolKind::Fetch
                ) || find_shown_file(call).is_some()
            });
            // A pasted text may repeat words of earlier texts without using them.
            let is_paste = item.prompt().is_some_and(|it| it.len() >= LARGE);
            let mut note = |text: &str| {
                for word in words(text) {
                    if !is_stop_word_in_any_case(word) {
                        last_use.insert(key(word), at);
                        if !is_load && !is_paste {
                            last_said.insert(key(word), at);
                        }
                    }
                }
            };
            match &item.entry.kind {
                EntryKind::Text(text) | EntryKind::Reasoning(text) | EntryKind::Prompt(text) => {
                    note(text.as_str());
                }
                EntryKind::Call(call) => all_strings(&call.arguments).for_each(note),
                _ => continue,
            }
            if item.prompt().is_none() {
                acts.push(at);
            }
        }
        let mut first_seen = KeyMap::default();
        let mut loads = vec![None; window.items.len()];
        for (at, item) in window.items.iter().enumerate() {
            let mut note = |text: &str| {
                for word in words(text).map(key).filter(|it| last_use.contains_key(it)) {
                    first_seen.entry(word).or_insert(at);
                }
            };
            if let Some(text) = item.entry.kind.text() {
                note(text.as_str());
                if let Some(call) = item.result().and_then(|it| window.call_of(it)) {
                    let by: Vec<&str> = all_strings(&call.arguments).collect();
                    loads[at] = Some(key(&by.join(" ")));
                }
            } else if let Some(call) = item.call() {
                all_strings(&call.arguments).for_each(note);
            }
        }
        Self {
            last_use,
            last_said,
            first_seen,
            acts,
            loads,
        }
    }

    /// Returns the source of a loaded item; `None` if it was not loaded.
    fn load_source_of(&self, at: usize) -> Option<u64> {
        self.loads.get(at).copied().flatten()
    }

    /// Returns the number of messages and calls of the model after an item.
    pub(super) fn chances(&self, at: usize) -> usize {
        self.acts.len() - self.acts.partition_point(|it| *it <= at)
    }

    /// Returns whether a later message uses a word that this text introduced, or its file name.
    pub(super) fn refer_to(&self, at: usize, text: &str, names: &[String]) -> bool {
        // A list is used if a listed file is opened, so it is judged like a small text.
        let is_text = !names.is_empty() || self.load_source_of(at).is_none();
        if text.len() >= LARGE && is_text {
            return self.refer_to_large(at, text, names);
        }
        let is_used_later = |word: &str| self.last_use.get(&key(word)).is_some_and(|it| *it > at);
        let named = names.iter().any(|path| {
            let name = file_name(path);
            is_used_later(path) || name.len() > 4 && is_used_later(name)
        });
        if named {
            return true;
        }
        // A long text shares plain words with any sentence by chance, so require several; one
        // identifier is enough.
        let wanted = match text.len() {
            0..4_096 => 1,
            4_096..16_384 => 2,
            _ => 3,
        };
        let mut met: Vec<u64> = Vec::new();
        for word in words(text) {
            let hash = key(word);
            let came_with_it = self.first_seen.get(&hash).is_some_and(|first| {
                *first == at
                    || self.load_source_of(at).is_some()
                        && self.load_source_of(*first) == self.load_source_of(at)
            });
            if !came_with_it || self.last_use.get(&hash).is_none_or(|it| *it <= at) {
                continue;
            }
            if is_code_like(word) {
                return true;
            }
            if !met.contains(&hash) {
                met.push(hash);
                if met.len() >= wanted {
                    return true;
                }
            }
        }
        false
    }
}

impl Uses {
    /// Returns whether a large text is used, by its file or by enough of its own words.
    fn refer_to_large(&self, at: usize, text: &str, names: &[String]) -> bool {
        let is_used_later = |word: u64| self.last_said.get(&word).is_some_and(|it| *it > at);
        // Many folders have a README, so only a rare name identifies a file.
        let named = names.iter().any(|path| {
            let mut ends = path.rsplitn(3, '/');
            let name = ends.next().unwrap_or_default();
            let folder = ends.next().unwrap_or_default();
            let short = format!("{folder}/{name}");
            is_used_later(key(path))
                || !folder.is_empty() && is_used_later(key(&short))
                || name.len() > 4 && !is_common_file_name(name) && is_used_later(key(name))
        });
        if named {
            return true;
        }
        let wanted = (text.len() / BYTES_A_WORD).clamp(3, ENOUGH);
        let mut met: KeySet = KeySet::default();
        for word in words(text) {
            let hash = key(word);
            let is_own = self.first_seen.get(&hash).is_some_and(|first| {
                *first == at
                    || self.load_source_of(at).is_some()
                        && self.load_source_of(*first) == self.load_source_of(at)
            });
            // Short plain words occur in any text, so they do not count.
            let says = word.len() >= 7
                || is_code_like(word)
                || word.contains(|c: char| c.is_ascii_digit());
            if says && is_own && is_used_later(hash) {
                met.insert(hash);
                if met.len() >= wanted {
                    return true;
                }
            }
        }
        false
    }
}

/// Returns whether many folders have a file with this name.
fn is_common_file_name(name: &str) -> bool {
    let small = name.to_lowercase();
    [
        "readme",
        "changelog",
        "license",
        "releases",
        "contributing",
        "index",
        "main",
        "mod",
        "lib",
        "package",
        "cargo",
    ]
    .iter()
    .any(|it| small.starts_with(it))
}
