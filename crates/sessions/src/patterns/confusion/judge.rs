//! Whether a call or a sentence belongs to what was asked for.

use super::addressed::sentence_stems;
use super::code::{imports, replaces};
use super::folder::{folder_entered, is_elsewhere, is_outside, project_of};
use super::ground::{CANCELLED, Ground};
use super::kit;
use super::word::{beginning, own_words, words};
use crate::patterns::act::{command, names_path, paths, simple_commands, written};
use crate::patterns::outcome::tasks;
use crate::patterns::poisoning::searched_name;
use crate::prose::{content_stems, sentences};
use crate::{ToolCall, ToolKind};

impl Ground {
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
        let is_search = call.kind == ToolKind::Search;
        if !is_search && !matches!(call.kind, ToolKind::Edit | ToolKind::Read | ToolKind::Run) {
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
        // To look for a name that was not asked for in another project is to work on that.
        let is_strange = outside
            && searched_name(call).is_some_and(|name| {
                ![&self.now, &self.before]
                    .iter()
                    .any(|it| it.contains(&name))
            });
        let is_act = is_edit || is_run_there || is_strange;
        reasons += u32::from(outside) * if is_act { 2 } else { 1 };
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
            .filter(|_| knows && (line.is_some() || is_edit) && !outside && !is_search);
        if let Some(kit) = stray_kit {
            let is_of_other = line.is_some() && self.foreign_kits.contains(kit);
            reasons += if is_of_other { 2 } else { 1 };
        }
        let is_of_left_task = is_edit
                && named.iter().any(|it| {
                    self.left.contains(it)
                        && !self.worked_on.contains(it)
                        && !self.is_asked(it)
                        && !names_path(&self.now, it)
                        && !names_path(&self.before, it)
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
        reasons += 2 * u32::from(is_edit && self.is_for_others());
        let is_new_file = is_edit && !replaces(call);
        let is_ungrounded = !is_new_file
            && !is_search
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

    /// Whether the model says that it does now what others were asked for and no prompt asks for.
    pub(super) fn is_for_others(&self) -> bool {
        if self.requests.is_empty() {
            return false;
        }
        let announced = sentence_stems(&self.announced);
        self.requests.iter().any(|it| {
            let prompts = [&self.now, &self.before];
            it.is_in(&announced)
                && !prompts.iter().any(|prompt| names_path(prompt, &it.file))
                && !self
                    .prompts
                    .iter()
                    .any(|prompt| it.is_in(&sentence_stems(prompt)))
        })
    }
}
