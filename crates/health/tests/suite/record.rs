//! Sessions in the form in which Claude Code records them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub(crate) const SICK: &str = "5f0c1d52-6a1e-4a7e-9d0b-2c7f6f3f9a01";
pub(crate) const RULE: &str = "Never add a dependency without asking me.";

/// A record in the form in which Claude Code writes it, a line at a time.
pub(crate) struct ClaudeRecord {
    id: &'static str,
    pub(crate) project: PathBuf,
    pub(crate) lines: Vec<Value>,
    calls: usize,
}

impl ClaudeRecord {
    fn new(project: &Path, id: &'static str) -> Self {
        Self {
            id,
            project: fs::canonicalize(project).unwrap(),
            lines: Vec::new(),
            calls: 0,
        }
    }

    pub(crate) fn push(&mut self, kind: &str, rest: &Value) {
        let at = self.lines.len();
        let parent = at.checked_sub(1).map(|it| format!("{}-{it}", self.id));
        let mut line = json!({"parentUuid": parent, "isSidechain": false, "type": kind,
            "uuid": format!("{}-{at}", self.id), "timestamp": format!("2026-11-23T04:{at:02}:25.623Z"),
            "userType": "external", "entrypoint": "cli", "cwd": self.project,
            "sessionId": self.id, "version": "2.1.197", "gitBranch": "main"});
        let (line_map, rest) = (line.as_object_mut().unwrap(), rest.as_object().unwrap());
        line_map.extend(rest.clone());
        self.lines.push(line);
    }

    pub(crate) fn prompt(&mut self, text: &str) {
        let message = json!({"message": {"role": "user", "content": text}});
        self.push("user", &message);
    }

    fn answer(&mut self, content: &Value) {
        self.calls += 1;
        let fill = 1000 * self.calls;
        let message = json!({"message": {"id": format!("msg_{}", self.calls), "type": "message",
            "role": "assistant", "model": "claude-opus-4-5", "content": [content],
            "usage": {"input_tokens": 700, "cache_read_input_tokens": fill - 700, "output_tokens": 50}}});
        self.push("assistant", &message);
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.answer(&json!({"type": "text", "text": text}));
    }

    pub(crate) fn call(&mut self, name: &str, input: &Value, output: &str, is_error: bool) {
        let id = format!("toolu_{}", self.lines.len());
        self.answer(&json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        let result = json!({"tool_use_id": id, "type": "tool_result", "content": output,
            "is_error": is_error});
        self.push(
            "user",
            &json!({"message": {"role": "user", "content": [result]}}),
        );
    }

    pub(crate) fn test(&mut self, output: &str, is_error: bool) {
        let input = json!({"command": "cargo test -p parser", "description": "Run the tests"});
        self.call("Bash", &input, output, is_error);
    }

    /// Puts it into the folder in which Claude Code keeps the sessions of the project.
    pub(crate) fn write(&self, folder: &Path) {
        let lines: Vec<String> = self.lines.iter().map(|it| format!("{it}\n")).collect();
        fs::write(folder.join(format!("{}.jsonl", self.id)), lines.concat()).unwrap();
    }
}

/// A session in which a test fails.
pub(crate) fn begun(project: &Path, id: &'static str) -> ClaudeRecord {
    let path = project.join("src/parser.rs");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "fn parse() {}\n").unwrap();
    let mut record = ClaudeRecord::new(project, id);
    let path = record.project.join("src/parser.rs");
    record.prompt(&format!(
        "Make the parser in src/parser.rs accept empty lines. {RULE}"
    ));
    let todos = json!({"todos": [{"content": "Write the release notes", "status": "pending",
        "activeForm": "Writing"}]});
    record.call("TodoWrite", &todos, "Todos have been modified.", false);
    let input = json!({"file_path": path});
    record.call("Read", &input, "1\tfn parse() {}\n", false);
    let input = json!({"file_path": path, "old_string": "{}", "new_string": "{ todo!() }"});
    record.call("Edit", &input, "The file has been updated.", false);
    let output = "Exit code 101\ntest parser::empty_lines ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed";
    record.test(output, true);
    record
}

/// What is said to work did not.
pub(crate) fn sick(project: &Path) -> ClaudeRecord {
    let mut record = begun(project, SICK);
    record.say("All tests pass now, so the change is safe.");
    record.prompt("Good. We decided to keep the old parser as a fallback.");
    record.say("Since the tests passed, I commit it.");
    record
}
