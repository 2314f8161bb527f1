//! Whether what was loaded is used later.

use super::LARGE;
use crate::patterns::Window;
use crate::patterns::act::{file_name, file_of, strings};
use crate::prose::{KeyMap, KeySet, is_code_like, is_stop_word_in_any_case, key, parts, runs};
use crate::{EntryKind, ToolKind};

/// Bytes of a large text of which one word has to be used.
const BYTES_A_WORD: usize = 2 << 10;
/// Words of a large text that are enough, however large it is.
const ENOUGH: usize = 40;

/// Which words the model and the user used, and where they came from.
pub(super) struct Uses {
    last_use: KeyMap<usize>,
    /// The same without calls that only load more.
    last_said: KeyMap<usize>,
    first_seen: KeyMap<usize>,
    acts: Vec<usize>,
    /// What each item was loaded by, so that a text that was loaded twice is one.
    loads: Vec<Option<u64>>,
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    runs(text)
        .flat_map(|run| {
            let whole = (run.len() > 4 && run.contains(['.', '/', '-', ':'])).then_some(run);
            // A list has "src/a.rs" and a call "/project/src/a.rs": the file's name is in both.
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
                ) || file_of(call).is_some()
            });
            // What was pasted does not use what was loaded before.
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
                EntryKind::Call(call) => strings(&call.arguments).for_each(note),
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
                    let by: Vec<&str> = strings(&call.arguments).collect();
                    loads[at] = Some(key(&by.join(" ")));
                }
            } else if let Some(call) = item.call() {
                strings(&call.arguments).for_each(note);
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

    /// What an item was loaded by; none where it was not.
    fn load_of(&self, at: usize) -> Option<u64> {
        self.loads.get(at).copied().flatten()
    }

    /// How often the model spoke or acted after an item.
    pub(super) fn chances(&self, at: usize) -> usize {
        self.acts.len() - self.acts.partition_point(|it| *it <= at)
    }

    /// Whether a word that came with this text, or the name of its file, is used later.
    pub(super) fn refer_to(&self, at: usize, text: &str, names: &[String]) -> bool {
        // A list is used where what it names is opened, so that it is judged as a small text is.
        let is_text = !names.is_empty() || self.load_of(at).is_none();
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
        // A long text has a word of any later sentence by chance; a name of code is there for a reason.
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
                    || self.load_of(at).is_some() && self.load_of(*first) == self.load_of(at)
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
    /// Whether a large text is used: its file is worked with, or enough of its own words are.
    fn refer_to_large(&self, at: usize, text: &str, names: &[String]) -> bool {
        let is_used_later = |word: u64| self.last_said.get(&word).is_some_and(|it| *it > at);
        // Many folders have a README: a name alone says which file only where it is rare.
        let named = names.iter().any(|path| {
            let mut ends = path.rsplitn(3, '/');
            let name = ends.next().unwrap_or_default();
            let folder = ends.next().unwrap_or_default();
            let short = format!("{folder}/{name}");
            is_used_later(key(path))
                || !folder.is_empty() && is_used_later(key(&short))
                || name.len() > 4 && !is_of_many(name) && is_used_later(key(name))
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
                    || self.load_of(at).is_some() && self.load_of(*first) == self.load_of(at)
            });
            // Short plain words are those of any text.
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

/// Whether files of this name stand in many folders.
fn is_of_many(name: &str) -> bool {
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
