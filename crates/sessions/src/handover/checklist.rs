//! Reads the open items of check lists (`- [ ]`) from files that the session read or changed.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::command::core_command;
use super::within;
use crate::{Entry, EntryKind, ToolCall, ToolKind, ToolResult};

/// Most open items returned, of the latest files.
const MAX_OPEN: usize = 30;

/// An open item.
pub(super) struct OpenItem<'a> {
    /// The file, relative to the project folder if inside it.
    pub(super) file: String,
    /// The words of the item.
    pub(super) words: &'a str,
    /// The turn in which the session last read or changed the item.
    pub(super) turn: u32,
}

/// An item: a number of a line, as file readers print it, then a box and the words.
static ITEM: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^[ \t]*(?:\d+[ \t]*(?:[:|→]|\t)[ \t]?)?[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[(?P<mark>[ xX])\][ \t]+(?P<words>\S.*)$",
    )
    .ok()
});

/// Returns the items that were open when the session last saw them, those of the latest file
/// first.
pub(super) fn open_items<'a>(entries: &[&'a Entry], project: Option<&str>) -> Vec<OpenItem<'a>> {
    let mut results: HashMap<&str, &ToolResult> = HashMap::new();
    for entry in entries {
        if let EntryKind::Result(result) = &entry.kind {
            results.insert(result.call.as_str(), result);
        }
    }
    let mut lists: HashMap<String, CheckList<'a>> = HashMap::new();
    for entry in entries {
        let EntryKind::Call(call) = &entry.kind else {
            continue;
        };
        let result = results.get(call.id.as_str()).copied();
        let is_failed = result.is_some_and(|it| it.failure.is_some());
        let Some((file, is_whole)) = file_of(call, project).filter(|_| !is_failed) else {
            continue;
        };
        let list = lists.entry(file).or_default();
        list.at = entry.index;
        match (call.kind, result) {
            (ToolKind::Edit, _) => list.edit(call, entry.turn),
            (_, Some(result)) => {
                if is_whole && result.whole.is_none() {
                    list.clear();
                }
                list.see(result.text.as_str(), entry.turn);
            }
            (_, None) => {}
        }
    }
    let mut lists: Vec<(String, CheckList<'a>)> = lists.into_iter().collect();
    lists.sort_by(|(a, one), (b, other)| (other.at, a).cmp(&(one.at, b)));
    let items = lists.into_iter().flat_map(|(file, list)| {
        let open = list.items.into_iter().filter(|it| !it.is_done);
        open.map(move |it| OpenItem {
            file: file.clone(),
            words: it.words,
            turn: it.turn,
        })
    });
    items.take(MAX_OPEN).collect()
}

/// Returns the list that a call reads or changes, and whether it reads the whole file.
fn file_of(call: &ToolCall, project: Option<&str>) -> Option<(String, bool)> {
    const PARTS: [&str; 5] = ["offset", "limit", "view_range", "start_line", "end_line"];
    let (file, is_whole) = match call.kind {
        ToolKind::Read => {
            let is_part = PARTS.iter().any(|it| call.arguments.get(it).is_some());
            (call.path()?.to_owned(), !is_part)
        }
        ToolKind::Edit => (call.path()?.to_owned(), false),
        ToolKind::Run => {
            let line = call.command_line()?;
            let is_whole = !line.contains('|');
            let command = core_command(&line);
            let mut words = command.split(' ');
            let program = words.next()?;
            let file = words.rfind(|it| !it.starts_with('-'))?.to_owned();
            let reads = matches!(program, "cat" | "head" | "tail" | "nl" | "sed");
            if !reads || command.contains(['&', ';', '>', '<', '\n']) {
                return None;
            }
            (file, is_whole && matches!(program, "cat" | "nl"))
        }
        _ => return None,
    };
    may_be_list(&file).then(|| (within(&file, project).to_owned(), is_whole))
}

/// Returns whether a file can hold tasks. The boxes of a template stay unchecked.
fn may_be_list(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.to_lowercase();
    let is_text = match name.rsplit_once('.') {
        Some((_, end)) => matches!(end, "md" | "markdown" | "mdx" | "txt" | "org"),
        None => true,
    };
    is_text && !name.contains("template") && !path.contains("node_modules/")
}

struct Item<'a> {
    words: &'a str,
    is_done: bool,
    turn: u32,
}

/// The items of a file, in order.
#[derive(Default)]
struct CheckList<'a> {
    items: Vec<Item<'a>>,
    by_words: HashMap<&'a str, usize>,
    /// The index of the latest entry.
    at: u64,
}

impl<'a> CheckList<'a> {
    fn clear(&mut self) {
        self.items.clear();
        self.by_words.clear();
    }

    /// Adds the items of a part of the file, or updates them.
    fn see(&mut self, text: &'a str, turn: u32) {
        for (words, is_done) in items(text) {
            let new = Item {
                words,
                is_done,
                turn,
            };
            match self.by_words.get(words) {
                Some(at) => self.items[*at] = new,
                None => {
                    self.by_words.insert(words, self.items.len());
                    self.items.push(new);
                }
            }
        }
    }

    /// Counts items as done that an edit removes.
    fn remove(&mut self, text: &str) {
        for (words, _) in items(text) {
            if let Some(at) = self.by_words.get(words) {
                self.items[*at].is_done = true;
            }
        }
    }

    fn edit(&mut self, call: &'a ToolCall, turn: u32) {
        let string = |value: &'a Value, names: &[&str]| {
            let mut names = names.iter();
            names.find_map(|name| value.get(name)?.as_str())
        };
        let arguments = &call.arguments;
        if let Some(whole) = string(arguments, &["content", "file_text"]) {
            self.clear();
            self.see(whole, turn);
            return;
        }
        let several = arguments.get("edits").and_then(Value::as_array);
        for one in several.into_iter().flatten().chain([arguments]) {
            self.remove(string(one, &["old_string", "oldString", "old_str"]).unwrap_or_default());
            let new = string(one, &["new_string", "newString", "new_str"]);
            self.see(new.unwrap_or_default(), turn);
        }
        let patch = string(arguments, &["input", "patch", "patchText"]).or(arguments.as_str());
        let patch = patch.unwrap_or_default();
        for line in patch.lines().filter_map(|it| it.strip_prefix('-')) {
            self.remove(line);
        }
        for line in patch.lines().filter_map(|it| it.strip_prefix('+')) {
            self.see(line, turn);
        }
    }
}

/// Returns the words of each item in a text, and whether it is checked.
fn items(text: &str) -> impl Iterator<Item = (&str, bool)> {
    // The pattern is slow on long files, so look for a box first.
    let boxed = |it: &&str| it.contains("[ ] ") || it.contains("[x] ") || it.contains("[X] ");
    text.lines().filter(boxed).filter_map(|line| {
        let found = ITEM.as_ref()?.captures(line)?;
        let words = found.name("words")?.as_str().trim_end();
        Some((words, found.name("mark")?.as_str() != " "))
    })
}
