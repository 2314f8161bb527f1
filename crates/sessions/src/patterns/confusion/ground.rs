//! What the task is known to be about, and what is not of it.

use std::collections::HashSet;

use super::folder::{folder_entered, is_elsewhere, is_outside};
use super::kit::{self, kits_of};
use super::word::{beginning, own_words, words};
use crate::patterns::act::{command, paths, simple_commands, strings, written};
use crate::prose::{content_stems, phrases, runs, sentences};
use crate::{ToolCall, ToolKind};

/// What the task is known to be about, as it grows.
#[derive(Default)]
pub(in crate::patterns) struct Ground {
    /// Beginnings of words that a user, a tool or the host gave, or that the model wrote itself.
    words: HashSet<u64>,
    /// Beginnings of words of the prompts since the last turn to another task.
    asked: HashSet<u64>,
    /// Kits of which something was seen.
    kits: HashSet<&'static str>,
    /// Files that were worked on for a task that was left.
    left: HashSet<String>,
    worked_on: HashSet<String>,
    pub(super) stray_calls: HashSet<String>,
    /// Calls that belong to the task.
    pub(super) at_home: usize,
}

impl Ground {
    pub(super) fn note_text(&mut self, text: &str) {
        self.words.extend(words(text).map(beginning));
        for run in runs(text) {
            self.kits.extend(kits_of(run));
        }
    }

    pub(super) fn note_prompt(&mut self, text: &str) {
        let is_cut = sentences(text)
            .iter()
            .take(3)
            .any(|it| phrases().new_task.is_match(it.text));
        if is_cut && !self.asked.is_empty() {
            self.left.extend(self.worked_on.drain());
            self.asked.clear();
        }
        self.asked.extend(words(text).map(beginning));
        self.note_text(text);
    }

    pub(super) fn note_call(&mut self, call: &ToolCall) {
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
            for path in paths(call) {
                self.note_text(&path);
            }
        }
    }

    /// How many reasons there are to think that a call is of another task; nothing where that
    /// cannot be told of such a call.
    pub(super) fn judge(&self, call: &ToolCall, root: Option<&str>) -> Option<(u32, String)> {
        if !matches!(call.kind, ToolKind::Edit | ToolKind::Read | ToolKind::Run) {
            return None;
        }
        let line = command(call);
        let named = paths(call);
        let mut reasons = 0;
        let outside = named
            .iter()
            .chain(folder_entered(line.as_deref()).iter())
            .any(|it| is_outside(it, root) && !self.is_asked(it));
        reasons += u32::from(outside) * if call.kind == ToolKind::Edit { 2 } else { 1 };
        let kits: Vec<&str> = match &line {
            Some(line) => simple_commands(line)
                .iter()
                .filter_map(|it| it.first())
                .filter_map(|it| kit::of_program(it))
                .collect(),
            None => named.iter().filter_map(|it| kit::of_file(it)).collect(),
        };
        let knows = !self.kits.is_empty();
        reasons += u32::from(knows && kits.iter().any(|it| !self.kits.contains(it)));
        let is_of_left_task = call.kind == ToolKind::Edit
            && named
                .iter()
                .any(|it| self.left.contains(it) && !self.is_asked(it));
        reasons += u32::from(is_of_left_task);
        let is_new_file = call.kind == ToolKind::Edit && !replaces(call);
        let is_ungrounded = !is_new_file
            && !named.is_empty()
            && named.iter().all(|it| self.is_ungrounded(it, root));
        reasons += u32::from(is_ungrounded);
        let words = line.or_else(|| named.first().cloned())?;
        let is_judged = !named.is_empty() || !kits.is_empty();
        is_judged.then_some((reasons, words))
    }

    /// Whether the prompts of this task have a word of a path.
    fn is_asked(&self, path: &str) -> bool {
        own_words(path).any(|it| self.asked.contains(&beginning(it)))
    }

    /// Whether no word of a path came from anywhere.
    fn is_ungrounded(&self, path: &str, root: Option<&str>) -> bool {
        if is_elsewhere(path) {
            return false;
        }
        let inner = root.and_then(|it| path.strip_prefix(it)).unwrap_or(path);
        let mut own = own_words(inner).peekable();
        own.peek().is_some() && own.all(|it| !self.words.contains(&beginning(it)))
    }

    /// A sentence that says that the user asked for what no prompt has a word of.
    pub(super) fn unasked<'t>(&self, text: &'t str) -> Option<&'t str> {
        sentences(text)
            .into_iter()
            .map(|it| it.text)
            .find(|sentence| {
                let small = sentence.to_lowercase();
                let says = [
                    "as you asked",
                    "as you requested",
                    "as requested",
                    "you asked me to",
                    "you asked for",
                    "the task you gave",
                ]
                .iter()
                .any(|it| small.contains(it));
                let stems: Vec<String> = content_stems(sentence)
                    .into_iter()
                    .filter(|it| {
                        it.len() >= 4 && !it.starts_with("request") && !it.starts_with("task")
                    })
                    .collect();
                let is_asked = stems.iter().any(|it| self.asked.contains(&beginning(it)));
                let unheard = stems
                    .iter()
                    .filter(|it| !self.words.contains(&beginning(it)))
                    .count();
                // By chance a few of its words stand in any long text.
                says && !is_asked && unheard >= 3 && unheard * 5 >= stems.len() * 3
            })
    }
}

fn replaces(call: &ToolCall) -> bool {
    ["old_string", "oldString", "old_str"]
        .iter()
        .any(|it| call.arguments.get(it).is_some())
        || strings(&call.arguments).any(|it| it.contains("*** Update File: "))
}
