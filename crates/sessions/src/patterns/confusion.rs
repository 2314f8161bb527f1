//! Confusion: calls, paths or words of another task than the one asked for.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::act::{command, paths, simple_commands, strings, written};
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::prose::{Quotes, content_stems, is_stop_word, key, parts, phrases, runs, sentences};
use crate::{ToolCall, ToolKind};

mod kit;

use kit::kits_of;

/// A call that does not belong to what was asked for.
struct Stray {
    item: usize,
    words: String,
    reasons: u32,
}

/// Strays below this may be a look aside.
const MIN_REASONS: u32 = 2;
/// Strays that a finding shows.
const MAX_STRAYS: usize = 4;

/// Calls in this window that belong to another task. What was known before a compaction is known
/// still: `ground` goes from one window to the next.
pub(super) fn find(
    window: &Window<'_>,
    project: Option<&Path>,
    ground: &mut Ground,
    quotes: &mut Quotes,
) -> Option<PatternFinding> {
    let root = project
        .map(|it| it.to_string_lossy().into_owned())
        .or_else(|| common_root(window));
    let mut strays: Vec<Stray> = Vec::new();
    for (at, item) in window.items.iter().enumerate() {
        if let Some(call) = item.call() {
            match ground.judge(call, root.as_deref()) {
                Some((reasons, words)) if reasons > 0 => {
                    ground.stray_calls.insert(call.id.clone());
                    strays.push(Stray {
                        item: at,
                        words,
                        reasons,
                    });
                }
                Some(_) => ground.at_home += 1,
                None => {}
            }
            ground.note_call(call);
        } else if let Some(prompt) = item.prompt() {
            ground.note_prompt(prompt.as_str());
        } else if let Some(text) = item.model_text() {
            if let Some(words) = ground.unasked(text.as_str()) {
                strays.push(Stray {
                    item: at,
                    words: words.to_owned(),
                    reasons: MIN_REASONS,
                });
            }
        } else if let Some(result) = item.result() {
            let is_stray = ground.stray_calls.contains(&result.call);
            if !is_stray && result.failure.is_none() {
                ground.note_text(result.text.as_str());
            }
        } else if let Some((_, text)) = item.text() {
            ground.note_text(text.as_str());
        }
    }
    let reasons: u32 = strays.iter().map(|it| it.reasons).sum();
    // Where most calls stray there is no task from which they do: the rule does not know it.
    if reasons < MIN_REASONS || strays.len() > ground.at_home {
        return None;
    }
    Some(describe(window, &strays, quotes))
}

fn describe(window: &Window<'_>, strays: &[Stray], quotes: &mut Quotes) -> PatternFinding {
    let mut evidence = Vec::new();
    let first = strays.first().map_or(0, |it| it.item);
    let task = window.items[..first].iter().rev().find_map(|item| {
        let text = item.prompt()?;
        let entry = item.entry;
        Some(PatternEvidence::from_text(
            EvidenceRole::Cause,
            entry,
            text,
            sentences(text.as_str()).first()?.text,
            quotes,
        ))
    });
    evidence.extend(task);
    for stray in strays.iter().take(MAX_STRAYS) {
        let entry = window.items[stray.item].entry;
        evidence.push(PatternEvidence::from_words(
            EvidenceRole::Effect,
            entry,
            &stray.words,
            quotes,
        ));
    }
    let is_strong = strays.len() > 2 || strays.iter().any(|it| it.reasons > 1);
    PatternFinding {
        pattern: Pattern::Confusion,
        severity: if is_strong {
            Severity::Red
        } else {
            Severity::Amber
        },
        confidence: if is_strong { 0.8 } else { 0.65 },
        cure: Cure::Isolate,
        reason: "Calls belong to another task than the one that was asked for.".to_owned(),
        evidence,
        is_current: window.is_current,
    }
}

/// What the task is known to be about, as it grows.
#[derive(Default)]
pub(super) struct Ground {
    /// Beginnings of words that a user, a tool or the host gave, or that the model wrote itself.
    words: HashSet<u64>,
    /// Beginnings of words of the prompts since the last turn to another task.
    asked: HashSet<u64>,
    /// Kits of which something was seen.
    kits: HashSet<&'static str>,
    /// Files that were worked on for a task that was left.
    left: HashSet<String>,
    worked_on: HashSet<String>,
    stray_calls: HashSet<String>,
    /// Calls that belong to the task.
    at_home: usize,
}

/// Letters by which words of one family are taken together.
const BEGINNING: usize = 5;

fn beginning(word: &str) -> u64 {
    let end = word
        .char_indices()
        .nth(BEGINNING)
        .map_or(word.len(), |(at, _)| at);
    key(&word[..end])
}

/// The words within a text, names of code taken apart.
fn words(text: &str) -> impl Iterator<Item = &str> {
    runs(text)
        .flat_map(parts)
        .flat_map(|part| part.split('_'))
        .flat_map(humps)
        .filter(|it| it.len() >= 3)
}

/// The words of a name such as `ShippingForm`.
fn humps(part: &str) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = part
        .as_bytes()
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .map(|(at, _)| at + 1)
        .collect();
    ends.push(part.len());
    let mut start = 0;
    ends.into_iter().map(move |end| {
        let word = &part[start..end];
        start = end;
        word
    })
}

impl Ground {
    fn note_text(&mut self, text: &str) {
        self.words.extend(words(text).map(beginning));
        for run in runs(text) {
            self.kits.extend(kits_of(run));
        }
    }

    fn note_prompt(&mut self, text: &str) {
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

    fn note_call(&mut self, call: &ToolCall) {
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
    fn judge(&self, call: &ToolCall, root: Option<&str>) -> Option<(u32, String)> {
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
    fn unasked<'t>(&self, text: &'t str) -> Option<&'t str> {
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

/// Names of folders and files that stand in any project.
const COMMON: &[&str] = &[
    "src",
    "lib",
    "main",
    "mod",
    "index",
    "test",
    "tests",
    "docs",
    "doc",
    "readme",
    "license",
    "changelog",
    "contributing",
    "cargo",
    "package",
    "makefile",
    "dockerfile",
    "config",
    "app",
    "bin",
    "cmd",
    "pkg",
    "internal",
    "build",
    "scripts",
    "examples",
    "crates",
    "packages",
    "target",
    "dist",
    "out",
    "node",
    "modules",
    "github",
    "workflows",
    "home",
    "users",
    "user",
    "work",
    "tmp",
    "var",
    "usr",
    "json",
    "toml",
    "yaml",
    "yml",
    "html",
    "css",
    "txt",
    "lock",
    "init",
    "setup",
    "utils",
    "util",
    "common",
    "types",
    "error",
    "errors",
    "claude",
    "agents",
    "gitignore",
    "env",
    "mod",
    "server",
    "client",
    "core",
    "api",
    "data",
    "fixtures",
];

/// The words of a path that are its own.
fn own_words(path: &str) -> impl Iterator<Item = &str> {
    words(path).filter(|word| {
        let small = word.to_lowercase();
        !COMMON.contains(&small.as_str())
            && !is_stop_word(&small)
            && !small.chars().all(|c| c.is_ascii_digit())
            && kit::of_file(&format!("x.{small}")).is_none()
    })
}

fn replaces(call: &ToolCall) -> bool {
    ["old_string", "oldString", "old_str"]
        .iter()
        .any(|it| call.arguments.get(it).is_some())
        || strings(&call.arguments).any(|it| it.contains("*** Update File: "))
}

/// Whether a path is of the machine rather than of any task.
fn is_elsewhere(path: &str) -> bool {
    [
        "/tmp",
        "/usr",
        "/etc",
        "/var",
        "/opt",
        "/proc",
        "/dev",
        "/sys",
        "/lib",
        "/bin",
        "/private",
        "/run",
        "/nix",
        "/snap",
        "/Library",
        "/Applications",
        "/System",
        "~/.",
    ]
    .iter()
    .any(|it| path.starts_with(it))
        || path.contains("/.")
        || path.contains("node_modules")
        || path.contains("site-packages")
}

fn is_outside(path: &str, root: Option<&str>) -> bool {
    let is_absolute = path.starts_with('/') && path[1..].contains('/');
    let is_within = root.is_none_or(|root| {
        let root = root.trim_end_matches('/');
        path.starts_with(root) || root.starts_with(path.trim_end_matches('/'))
    });
    is_absolute && !is_within && !is_elsewhere(path)
}

/// The folder that a command goes to first.
fn folder_entered(line: Option<&str>) -> Option<String> {
    let commands = simple_commands(line?);
    match commands.first()?.as_slice() {
        [program, folder, ..] if program == "cd" => Some(folder.clone()),
        _ => None,
    }
}

/// The folder of most absolute paths, where the record does not name the project.
fn common_root(window: &Window<'_>) -> Option<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut all = 0;
    for call in window.items.iter().filter_map(super::window::Item::call) {
        for path in paths(call)
            .iter()
            .filter(|it| it.starts_with('/') && !is_elsewhere(it))
        {
            all += 1;
            let mut depth = 0;
            for (at, _) in path.match_indices('/').skip(1) {
                depth += 1;
                if depth >= 2 {
                    *counts.entry(path[..at].to_owned()).or_default() += 1;
                }
            }
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| all >= 4 && count * 10 >= all * 7)
        .max_by_key(|(path, _)| (path.len(), path.clone()))
        .map(|(path, _)| path)
}
