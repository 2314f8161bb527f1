//! Tool calls and their results.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::RawText;

/// The tool name for a citation that Agon itself looked up for a debate.
pub const CITATION: &str = "citation";

/// A tool call of the model.
#[derive(Clone, PartialEq)]
pub struct ToolCall {
    /// Its id, which the result repeats.
    pub id: String,
    /// The host's name of the tool.
    pub name: String,
    /// The kind of the tool.
    pub kind: ToolKind,
    /// Its arguments as recorded, secrets included. Arguments that are not JSON are one string.
    pub arguments: Value,
}

/// The kind of a tool, independent of the host's name for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolKind {
    /// Reads a file.
    Read,
    /// Looks for files or words.
    Search,
    /// Changes a file.
    Edit,
    /// Runs a command.
    Run,
    /// Reads from the network.
    Fetch,
    /// Updates the to-do list.
    Plan,
    /// Starts or steers a sub-agent.
    Agent,
    /// Asks the user.
    Ask,
    /// Anything else, such as tools of MCP servers.
    Other,
}

/// Arguments of the known hosts that name a file or folder.
const PATH_ARGUMENTS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "notebook_path",
    "dir_path",
];
/// Arguments that hold a command line.
const COMMAND_ARGUMENTS: &[&str] = &["command", "cmd"];

/// Lines of a patch that name a file.
const PATCH_HEADS: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Delete File: "];

impl ToolCall {
    /// Returns the file or folder that it names; for a patch, the first file.
    pub fn path(&self) -> Option<&str> {
        let patched = || {
            let patch = self.arguments.get("input")?.as_str()?;
            patch
                .lines()
                .find_map(|line| PATCH_HEADS.iter().find_map(|head| line.strip_prefix(head)))
        };
        self.argument(PATH_ARGUMENTS).or_else(patched)
    }

    /// Returns the command line, if recorded as one string.
    pub fn command(&self) -> Option<&str> {
        self.argument(COMMAND_ARGUMENTS)
    }

    /// Returns the command line, even if recorded as a list of words.
    pub fn command_line(&self) -> Option<String> {
        if let Some(line) = self.command() {
            return Some(line.to_owned());
        }
        let mut names = COMMAND_ARGUMENTS.iter();
        let list = names.find_map(|name| self.arguments.get(name)?.as_array())?;
        let words: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
        Some(match words.as_slice() {
            // In `bash -lc LINE`, the last word is the command line.
            [_, flag, line] if flag.starts_with('-') && flag.ends_with('c') => (*line).to_owned(),
            words => words.join(" "),
        })
    }

    /// Returns the files that an edit changes: the file it names, or the files in its patch.
    pub fn changed_files(&self) -> Vec<&str> {
        if self.kind != ToolKind::Edit {
            return Vec::new();
        }
        let patches = ["input", "patch", "patchText"].iter();
        let mut patches = patches.filter_map(|name| self.arguments.get(name)?.as_str());
        let patch = patches.next().or_else(|| self.arguments.as_str());
        let named = |line| {
            let mut heads = PATCH_HEADS.iter();
            heads.find_map(|head| str::strip_prefix(line, head))
        };
        match self.argument(PATH_ARGUMENTS) {
            Some(path) => vec![path],
            None => patch
                .unwrap_or_default()
                .lines()
                .filter_map(named)
                .collect(),
        }
    }

    fn argument(&self, names: &[&str]) -> Option<&str> {
        names
            .iter()
            .find_map(|name| self.arguments.get(name)?.as_str())
    }
}

impl std::fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Arguments may contain secrets, and debug output may end up in a log.
        f.debug_struct("ToolCall")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// The call's id.
    pub call: String,
    /// The output that the model got, as far as recorded.
    pub text: RawText,
    /// The file with the whole output, if it was too long for the model.
    pub whole: Option<String>,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
}

/// A call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Whether the host recorded a failure; `false` if the record says success.
    pub recorded: bool,
    /// The exit code, for a command.
    pub exit: Option<i64>,
}
