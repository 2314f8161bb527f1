//! Parses the input of a hook call.

use std::path::PathBuf;

use agon_files::json_text::replace_lone_surrogates;
use serde_json::Value;

/// Input of a hook call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HookCall {
    /// The session's working directory.
    pub cwd: Option<PathBuf>,
    /// Files that the model is about to edit, as it names them; empty if the tool edits none.
    pub edits: Vec<String>,
    /// Whether the called tool edits files, even if it is unknown which.
    pub is_edit: bool,
    /// Name of the sub-agent whose model calls the tool; `None` for the session's own model, or if the
    /// host does not say.
    pub agent: Option<String>,
    /// File with the record of the session, if the host names it.
    pub session_record: Option<PathBuf>,
    /// Id of the session, if the host gives it.
    pub session_id: Option<String>,
    /// The prompt, if the user has sent one.
    pub prompt: Option<String>,
    /// Whether the context is compacted because it is full, not because a person asked for it.
    pub is_automatic: bool,
    /// Whether the session restarts after a compaction.
    pub is_after_compaction: bool,
    /// Whether a sub-agent's model makes the call. Its context is not the context in the record.
    pub is_of_sub_agent: bool,
    /// Whether the turn continues only because a hook refused to end it.
    pub was_stopped: bool,
}

/// Why the input of a hook cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the JSON input of a hook: {0}")]
pub struct HookCallError(String);

impl HookCallError {
    #[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
    pub(super) fn of(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// Keys under which an editing tool has the path.
const PATH_KEYS: [&str; 6] = [
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "notebookPath",
    "file",
];
/// Keys under which a tool has a patch, or a command that may contain one.
const PATCH_KEYS: [&str; 5] = ["command", "cmd", "input", "patch", "patchText"];
/// First line of a patch.
const PATCH: &str = "*** Begin Patch";
/// Beginnings of the lines of a patch that name a file.
const PATCH_LINES: [&str; 4] = [
    "*** Add File: ",
    "*** Update File: ",
    "*** Delete File: ",
    "*** Move to: ",
];

impl HookCall {
    /// Parses the input from any host; they differ only in the names of keys and tools. `is_edit` returns
    /// whether a tool edits files.
    ///
    /// # Errors
    ///
    /// If the input is not a JSON map.
    pub fn read(text: &str, is_edit: fn(&str) -> bool) -> Result<Self, HookCallError> {
        let value: Value =
            serde_json::from_str(&replace_lone_surrogates(text)).map_err(HookCallError::of)?;
        if !value.is_object() {
            return Err(HookCallError("it is not a map".to_owned()));
        }
        let first = |keys: &[&str]| keys.iter().find_map(|key| value.get(*key));
        let tool = first(&["tool_name", "toolName", "tool"]).and_then(Value::as_str);
        let args = first(&["tool_input", "toolArgs", "args"]).map(parse_json_string);
        let is_edit = tool.is_some_and(is_edit);
        let edits = args.map(|args| edits(is_edit, &args));
        Ok(Self {
            cwd: value.get("cwd").and_then(Value::as_str).map(PathBuf::from),
            edits: edits.unwrap_or_default(),
            is_edit,
            agent: first(&["agent_type", "agentType"])
                .and_then(Value::as_str)
                .map(str::to_owned),
            session_record: first(&["transcript_path", "transcriptPath"])
                .and_then(Value::as_str)
                .filter(|path| !path.is_empty())
                .map(PathBuf::from),
            session_id: first(&["session_id", "sessionId"])
                .and_then(Value::as_str)
                .map(str::to_owned),
            prompt: value
                .get("prompt")
                .and_then(Value::as_str)
                .map(str::to_owned),
            is_automatic: value.get("trigger").and_then(Value::as_str) == Some("auto"),
            is_after_compaction: value.get("source").and_then(Value::as_str) == Some("compact"),
            is_of_sub_agent: first(&["agent_id", "agentId"]).is_some_and(|it| !it.is_null()),
            was_stopped: value.get("stop_hook_active") == Some(&Value::Bool(true)),
        })
    }
}

/// Parses arguments that are JSON in a string.
pub(super) fn parse_json_string(args: &Value) -> Value {
    let read = args
        .as_str()
        .and_then(|text| serde_json::from_str(&replace_lone_surrogates(text)).ok());
    read.unwrap_or_else(|| args.clone())
}

fn edits(is_edit: bool, args: &Value) -> Vec<String> {
    let text = |key: &&str| args.get(*key).and_then(Value::as_str);
    let patches = PATCH_KEYS.iter().filter_map(text).chain(args.as_str());
    let mut found: Vec<String> = patches.flat_map(patched_files).collect();
    if is_edit {
        found.extend(PATH_KEYS.iter().filter_map(text).map(str::to_owned));
    }
    found
}

/// Returns the files named in a patch, even if the patch is inside a command.
fn patched_files(text: &str) -> Vec<String> {
    if !text.contains(PATCH) {
        return Vec::new();
    }
    let named = |line: &str| {
        let name = PATCH_LINES
            .iter()
            .find_map(|start| line.trim_start().strip_prefix(start));
        name.map(|name| name.trim().to_owned())
    };
    text.lines().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::is_edit_tool as is_edit;

    // Recorded from claude 2.1.197, codex 0.169.0, gemini 0.61.0, copilot 1.0.102 and the OpenCode plugin.
    #[test]
    fn the_file_of_an_edit_is_found_in_what_each_host_says() {
        let patch = r#"*** Begin Patch\n*** Add File: a.txt\n+x\n*** Update File: b/c.rs\n*** Move to: d.rs\n*** End Patch"#;
        for (text, edits) in [
            (r#"{"cwd":"/p","tool_name":"Edit","tool_input":{"file_path":"/p/a.rs","old_string":"path"}}"#.to_owned(), vec!["/p/a.rs"]),
            (r#"{"tool_name":"NotebookEdit","tool_input":{"notebook_path":"/p/n.ipynb"}}"#.to_owned(), vec!["/p/n.ipynb"]),
            (r#"{"tool_name":"write_file","tool_input":{"file_path":"/p/a.txt","content":"hi"}}"#.to_owned(), vec!["/p/a.txt"]),
            (r#"{"toolName":"create","toolArgs":{"path":"/p/a.txt","file_text":"hi"}}"#.to_owned(), vec!["/p/a.txt"]),
            (r#"{"toolName":"edit","toolArgs":"{\"path\":\"/p/a.txt\"}"}"#.to_owned(), vec!["/p/a.txt"]),
            (r#"{"tool":"write","args":{"filePath":"/p/a.txt","content":"hi"}}"#.to_owned(), vec!["/p/a.txt"]),
            (format!(r#"{{"tool_name":"apply_patch","tool_input":{{"command":"{patch}"}}}}"#), vec!["a.txt", "b/c.rs", "d.rs"]),
            (format!(r#"{{"tool_name":"Bash","tool_input":{{"command":"apply_patch <<'EOF'\n{patch}\nEOF"}}}}"#), vec!["a.txt", "b/c.rs", "d.rs"]),
            (r#"{"tool_name":"Read","tool_input":{"file_path":"/p/a.rs"}}"#.to_owned(), vec![]),
            (r#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#.to_owned(), vec![]),
            (r#"{"hook_event_name":"Stop"}"#.to_owned(), vec![]),
            // Half an emoji, where JavaScript cut a text.
            (r#"{"tool_name":"Edit","tool_input":{"file_path":"/p/a.rs","old_string":"\ud83d"}}"#.to_owned(), vec!["/p/a.rs"]),
            (r#"{"toolName":"edit","toolArgs":"{\"path\":\"/p/a.txt\",\"new_str\":\"\\ude00\"}"}"#.to_owned(), vec!["/p/a.txt"]),
        ] {
            let call = HookCall::read(&text, is_edit).unwrap();
            assert_eq!(call.edits, edits, "{text}");
        }
    }

    #[test]
    fn what_is_no_call_is_said_so() {
        for text in ["", "[]", "{", "1"] {
            assert!(HookCall::read(text, is_edit).is_err(), "{text}");
        }
        let call = r#"{"cwd":"/p","stop_hook_active":true,"prompt":"Do it."}"#;
        let call = HookCall::read(call, is_edit).unwrap();
        assert_eq!(call.prompt.as_deref(), Some("Do it."));
        assert!(call.was_stopped && call.cwd == Some("/p".into()));
        assert!(!call.is_edit && call.agent.is_none());
    }

    // Recorded from claude 2.1.197 and copilot 1.0.102.
    #[test]
    fn the_agent_that_edits_is_known_where_the_host_says_it() {
        for text in [
            r#"{"agent_id":"a","agent_type":"scribe","tool_name":"Write","tool_input":{}}"#,
            r#"{"agentId":"a","agentType":"scribe","toolName":"create","toolArgs":{}}"#,
        ] {
            let call = HookCall::read(text, is_edit).unwrap();
            assert_eq!(call.agent.as_deref(), Some("scribe"), "{text}");
            assert!(call.is_edit && call.is_of_sub_agent && call.edits.is_empty());
        }
    }
}
