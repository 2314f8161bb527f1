//! What the task is known to be about, and what is not of it.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use super::folder::{folder_entered, is_elsewhere, is_outside};
use super::kit::{self, kits_of};
use super::word::{beginning, own_words, words};
use crate::patterns::act::{
    command, is_path, names_path, paths, simple_commands, strings, written,
};
use crate::patterns::outcome::tasks;
use crate::patterns::statement::file_of;
use crate::prose::{KeySet, content_stems, phrases, runs, sentences};
use crate::{ToolCall, ToolKind};

/// What the task is known to be about, as it grows.
#[derive(Default)]
pub(in crate::patterns) struct Ground {
    /// Beginnings of words that a user, a tool or the host gave, or that the model wrote itself.
    words: KeySet,
    /// Beginnings of words of the prompts since the last turn to another task.
    asked: KeySet,
    /// Kits of which something was seen.
    kits: HashSet<&'static str>,
    /// Files that were worked on for a task that was left.
    left: HashSet<String>,
    worked_on: HashSet<String>,
    /// Files of work that the user called off.
    called_off: HashSet<String>,
    /// Files that were edited, with names that the edit had.
    edited: Vec<(String, HashSet<String>)>,
    /// This prompt, and the one before it.
    now: String,
    before: String,
    /// Other projects that were looked at, and their kits.
    foreign: HashSet<String>,
    foreign_kits: HashSet<&'static str>,
    /// What the files of this project import.
    imported: HashSet<String>,
    pub(super) stray_calls: HashSet<String>,
    /// Calls that belong to the task.
    pub(super) at_home: usize,
}

impl Ground {
    pub(super) fn note_text(&mut self, text: &str) {
        self.words.extend(words(text).map(beginning));
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
            let names: Vec<&str> = runs(sentence.text).filter(|it| it.len() >= 3).collect();
            let of = self.edited.iter().rev().filter(|(path, text)| {
                names_path(sentence.text, path)
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

    /// Whether this prompt or the one before it speaks of the project or the file of a path.
    fn is_asked_now(&self, path: &str, root: Option<&str>) -> bool {
        let project = project_of(path, root).unwrap_or_default();
        [&self.now, &self.before].iter().any(|text| {
            text.contains(path)
                || !project.is_empty()
                    && words(text)
                        .map(beginning)
                        .any(|it| words(&project).any(|word| beginning(word) == it))
        })
    }

    /// A line that imports what is of another project that was looked at.
    fn foreign_import(&self, text: &str, root: Option<&str>) -> Option<String> {
        let found = imports(text).find(|name| {
            let is_foreign = self
                .foreign
                .iter()
                .any(|it| it.replace('-', "_") == name.replace('-', "_"));
            let is_own = root.is_some_and(|it| it.ends_with(&format!("/{name}")));
            is_foreign && !is_own && !self.imported.contains(*name)
        })?;
        let line = text.lines().find(|it| it.contains(found))?;
        Some(line.trim().to_owned())
    }

    /// How many reasons there are to think that a call is of another task; nothing where that
    /// cannot be told of such a call.
    pub(super) fn judge(&self, call: &ToolCall, root: Option<&str>) -> Option<(u32, String)> {
        if !matches!(call.kind, ToolKind::Edit | ToolKind::Read | ToolKind::Run) {
            return None;
        }
        let line = command(call);
        let named = paths(call);
        let is_edit = call.kind == ToolKind::Edit;
        let mut reasons = 0;
        let entered = folder_entered(line.as_deref());
        let outside = named.iter().chain(entered.iter()).any(|it| {
            is_outside(it, root)
                && !self.is_asked_now(it, root)
                // A folder that was never looked at may be one of the task.
                && (!self.is_asked(it) || project_of(it, root).is_some_and(|it| self.foreign.contains(&it)))
        });
        // A command that does something there, such as the tests of another project.
        let is_run_there =
            entered.is_some_and(|it| is_outside(&it, root)) && !tasks(call).is_empty();
        reasons += u32::from(outside) * if is_edit || is_run_there { 2 } else { 1 };
        let kits: Vec<&str> = match &line {
            Some(line) => simple_commands(line)
                .iter()
                .filter_map(|it| kit::of_command(it))
                .collect(),
            None => named.iter().filter_map(|it| kit::of_file(it)).collect(),
        };
        let knows = !self.kits.is_empty();
        let stray_kit = kits
            .iter()
            .find(|it| !self.kits.contains(*it))
            .filter(|_| knows && (line.is_some() || is_edit) && !outside);
        if let Some(kit) = stray_kit {
            let is_of_other = line.is_some() && self.foreign_kits.contains(kit);
            reasons += if is_of_other { 2 } else { 1 };
        }
        let is_of_left_task = is_edit
                && named.iter().any(|it| {
                    self.left.contains(it) && !self.worked_on.contains(it) && !self.is_asked(it)
                })
                // The new task has to be known by a file of its own.
                && self.worked_on.iter().any(|it| self.is_asked(it));
        reasons += u32::from(is_of_left_task);
        let is_called_off = is_edit
            && named.iter().any(|path| {
                let is_off = self
                    .called_off
                    .iter()
                    .any(|it| it == path || path.ends_with(&format!("/{it}")));
                is_off && !names_path(&self.now, path) && !names_path(&self.before, path)
                    || is_off
                        && CANCELLED
                            .as_ref()
                            .is_some_and(|it| it.is_match(&self.before))
                        && !names_path(&self.now, path)
            });
        reasons += 2 * u32::from(is_called_off);
        let foreign = is_edit
            .then(|| self.foreign_import(&written(call), root))
            .flatten();
        reasons += 2 * u32::from(foreign.is_some());
        let is_new_file = is_edit && !replaces(call);
        let is_ungrounded = !is_new_file
            && line.is_none()
            && !named.is_empty()
            && named.iter().all(|it| self.is_ungrounded(it, root));
        reasons += u32::from(is_ungrounded);
        let words = foreign.or(line).or_else(|| named.first().cloned())?;
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
        // A file beside others of the project is of it, whatever its name.
        let first = inner
            .trim_start_matches(['.', '/'])
            .split('/')
            .next()
            .unwrap_or_default();
        let is_known = !inner.trim_start_matches(['.', '/']).contains('/')
            || own_words(first).next().is_none()
            || own_words(first).any(|it| self.words.contains(&beginning(it)))
            || root.is_some_and(|it| it.ends_with(&format!("/{first}")));
        if is_known {
            return false;
        }
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

/// How a user calls work off.
static CANCELLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:cancel(?:l?ed)?|called off|off the table|forget about|forget the|never mind|not worth it|abandon(?:ed)?|shelved?|scrap(?:ped)?|drop (?:it|that|this|the)|stays? (?:untouched|as it is)|no longer (?:needed|wanted|necessary)|not needed any ?more|stop (?:here|working|that|with)|leave (?:it|that|this) (?:alone|be|as)|put on hold|on hold|postponed?|won['’]t (?:do|happen)|can wait)\b").ok()
});
static IMPORTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?m)^\s*(?:pub )?use ([A-Za-z_][A-Za-z0-9_]*)::|^\s*(?:from|import) ([A-Za-z_][A-Za-z0-9_]*)|(?:from|require\(|import) ?["']([A-Za-z@][A-Za-z0-9_@-]*)"#).ok()
});

static DEFINED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:fn|def|function|func|class|struct|trait|enum)\s+([A-Za-z_][A-Za-z0-9_]{2,})")
        .ok()
});

/// Names that a text defines.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    DEFINED
        .iter()
        .flat_map(move |it| it.captures_iter(text))
        .filter_map(|it| it.get(1))
        .map(|it| it.as_str())
        .take(200)
}

/// Edits that are held, and a text above which no kit is told from it.
const MAX_EDITED: usize = 2_000;
const MAX_KIT_TEXT: usize = 16 << 10;

/// Packages that lines of code import.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    IMPORTS
        .iter()
        .flat_map(move |it| it.captures_iter(text))
        .filter_map(|it| it.get(1).or_else(|| it.get(2)).or_else(|| it.get(3)))
        .map(|it| it.as_str())
}

/// The folder beside the project's own that a path is in.
fn project_of(path: &str, root: Option<&str>) -> Option<String> {
    let parent = root?.trim_end_matches('/').rsplit_once('/')?.0;
    let rest = path.strip_prefix(parent)?.strip_prefix('/')?;
    let name = rest.split('/').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

fn replaces(call: &ToolCall) -> bool {
    ["old_string", "oldString", "old_str"]
        .iter()
        .any(|it| call.arguments.get(it).is_some())
        || strings(&call.arguments).any(|it| it.contains("*** Update File: "))
}
