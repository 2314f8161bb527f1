//! What the task is known to be about, and what is not of it.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::addressed::Request;
use super::code::{defined, imports};
use super::folder::{folder_entered, is_outside, project_of};
use super::kit::{self, kits_of};
use super::word::{beginning, words};
use crate::patterns::act::{command, is_path, names_path, paths, strings, written};
use crate::patterns::statement::file_of;
use crate::prose::{KeySet, phrases, runs, sentences};
use crate::{ToolCall, ToolKind};

/// What the task is known to be about, as it grows.
#[derive(Default)]
pub(in crate::patterns) struct Ground {
    /// Beginnings of words that a user, a tool or the host gave, or that the model wrote itself.
    pub(super) words: KeySet,
    /// Beginnings of words of the prompts since the last turn to another task.
    pub(super) asked: KeySet,
    /// Kits of which something was seen.
    pub(super) kits: HashSet<&'static str>,
    /// Files that were worked on for a task that was left.
    pub(super) left: HashSet<String>,
    pub(super) worked_on: HashSet<String>,
    /// Files of work that the user called off.
    pub(super) called_off: HashSet<String>,
    /// Files that were edited, with names that the edit had.
    edited: Vec<(String, HashSet<String>)>,
    /// This prompt, and the one before it.
    pub(super) now: String,
    pub(super) before: String,
    /// Other projects that were looked at, and their kits.
    pub(super) foreign: HashSet<String>,
    pub(super) foreign_kits: HashSet<&'static str>,
    /// What the files of this project import.
    pub(super) imported: HashSet<String>,
    /// What others were asked for in files, what the model said that it does now, and the prompts.
    pub(super) requests: Vec<Request>,
    pub(super) announced: String,
    pub(super) prompts: Vec<String>,
    pub(super) stray_calls: HashSet<String>,
    /// Calls that belong to the task.
    pub(super) at_home: usize,
}

impl Ground {
    pub(super) fn note_text(&mut self, text: &str) {
        self.words.extend(words(text).map(beginning));
    }

    /// A file of a task that was left counts once.
    pub(super) fn return_to(&mut self, call: &ToolCall) {
        for path in paths(call) {
            self.left.remove(&path);
        }
    }

    /// Kits of which a text of this project speaks. A long one is a document of anything.
    pub(super) fn note_kits(&mut self, text: &str, root: Option<&str>) {
        if text.len() > MAX_KIT_TEXT {
            return;
        }
        for run in runs(text) {
            let path = format!("/{}", run.trim_start_matches('/'));
            if !is_outside(&path, root) || !run.contains('/') {
                self.kits.extend(kits_of(run));
            }
        }
    }

    /// What a call gave: of this project, or of another.
    pub(super) fn note_result(&mut self, call: &ToolCall, text: &str, root: Option<&str>) {
        let line = command(call);
        let mut places = paths(call);
        places.extend(folder_entered(line.as_deref()));
        let outside: Vec<&String> = places.iter().filter(|it| is_outside(it, root)).collect();
        if outside.is_empty() {
            if let Some(path) = file_of(call) {
                self.note_requests(&path, text, root);
            }
            self.note_kits(text, root);
            self.kits
                .extend(places.iter().filter_map(|it| kit::of_any_file(it)));
            self.imported.extend(imports(text).map(str::to_owned));
            if let Some(path) = file_of(call).filter(|_| self.edited.len() < MAX_EDITED) {
                self.edited
                    .push((path, defined(text).map(str::to_owned).collect()));
            }
            return;
        }
        for path in outside {
            self.foreign.extend(project_of(path, root));
            self.foreign_kits.extend(kit::of_any_file(path));
        }
        if text.contains("python3 -m ") || text.contains("python -m ") || text.contains("pytest") {
            self.foreign_kits.insert("python");
        }
        self.foreign_kits
            .extend(runs(text).take(2_000).flat_map(kits_of));
    }

    pub(super) fn note_prompt(&mut self, text: &str, root: Option<&str>) {
        let is_cut = sentences(text)
            .iter()
            .take(3)
            .any(|it| phrases().new_task.is_match(it.text));
        if is_cut && !self.asked.is_empty() {
            self.left.extend(self.worked_on.drain());
            self.asked.clear();
        }
        self.called_off.retain(|it| !names_path(text, it));
        self.note_cancelled(text);
        self.asked.extend(words(text).map(beginning));
        self.note_text(text);
        self.note_kits(text, root);
        self.before = std::mem::take(&mut self.now);
        text.clone_into(&mut self.now);
        self.announced.clear();
        if self.prompts.len() < MAX_EDITED && text.len() <= MAX_KIT_TEXT {
            self.prompts.push(text.to_owned());
        }
    }

    /// Files of work that the user called off.
    fn note_cancelled(&mut self, text: &str) {
        for sentence in sentences(text) {
            let is_off = CANCELLED
                .as_ref()
                .is_some_and(|it| it.is_match(sentence.text));
            if !is_off || sentence.is_question() {
                continue;
            }
            // "We won't do this one. Close `x`": the next sentence of a short word names it.
            let near = if text.len() <= MAX_SHORT {
                text
            } else {
                sentence.text
            };
            let names: Vec<&str> = runs(near).filter(|it| it.len() >= 3).collect();
            let of = self.edited.iter().rev().filter(|(path, text)| {
                names_path(near, path)
                    || names
                        .iter()
                        .any(|name| text.iter().any(|it| it.eq_ignore_ascii_case(name)))
            });
            let of: Vec<String> = of.map(|(path, _)| path.clone()).collect();
            self.called_off.extend(of);
            let named = runs(sentence.text).filter(|it| it.contains('.') && is_path(it));
            self.called_off.extend(named.map(str::to_owned));
        }
    }

    pub(super) fn note_call(&mut self, call: &ToolCall, root: Option<&str>) {
        if self.stray_calls.contains(&call.id) {
            return;
        }
        if matches!(call.kind, ToolKind::Edit | ToolKind::Read) {
            self.worked_on.extend(paths(call));
        }
        if call.kind == ToolKind::Edit {
            // What the model makes itself is of the task.
            let text = written(call);
            self.note_text(&text);
            self.imported.extend(imports(&text).map(str::to_owned));
            for path in paths(call) {
                self.note_text(&path);
                if !is_outside(&path, root) {
                    self.kits.extend(kit::of_any_file(&path));
                }
                let names = strings(&call.arguments)
                    .flat_map(defined)
                    .map(str::to_owned);
                if self.edited.len() < MAX_EDITED {
                    self.edited.push((path, names.collect()));
                }
            }
        }
    }
}

/// How a user calls work off.
pub(super) static CANCELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:cancel(?:l?ed)?|called off|off the table|forget about|forget the|never mind|not worth it|abandon(?:ed)?|shelved?|scrap(?:ped)?|drop (?:it|that|this|the)|stays? (?:untouched|as it is)|no longer (?:needed|wanted|necessary)|not needed any ?more|stop (?:here|working|that|with)|leave (?:it|that|this) (?:alone|be|as)|put on hold|on hold|postponed?|won['’]t (?:do|happen)|(?:we|i)['’]?(?:re| are|m| am)? (?:not going to|not) do(?:ing)? (?:it|that|this)|can wait)\b").ok()
});

/// Edits that are held, and a text above which no kit is told from it.
const MAX_EDITED: usize = 2_000;
/// A prompt up to this is of one thing.
const MAX_SHORT: usize = 160;
const MAX_KIT_TEXT: usize = 16 << 10;
