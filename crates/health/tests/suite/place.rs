//! A project and a home with the sessions of Claude Code in it.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use agon_testkit::Sandbox;
use serde_json::{Value, json};

use crate::record::ClaudeRecord;

/// A caller in an empty project, whose home is empty too.
pub(crate) struct Place {
    pub(crate) caller: Caller,
    sandbox: Sandbox,
}

impl Place {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        let env = sandbox.command_env().into_iter();
        let env = env.map(|(name, value)| (name.into(), value.into()));
        let caller = Caller::new(env.collect(), sandbox.project());
        Self { caller, sandbox }
    }

    /// The same as the caller with these environment variables besides.
    pub(crate) fn caller_with(&self, vars: &[(&str, &str)]) -> Caller {
        let mut env = self.caller.vars_os.clone();
        env.extend(vars.iter().map(|(name, value)| (name.into(), value.into())));
        Caller::new(env, self.sandbox.project())
    }

    pub(crate) fn project(&self) -> &Path {
        &self.caller.cwd
    }

    /// Puts the user's own configuration in place.
    pub(crate) fn configure(&self, text: &str) {
        let path = self.caller.user_config_file().unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The folder in which Claude Code keeps the records of this project's sessions.
    fn claude_sessions(&self) -> PathBuf {
        let project = fs::canonicalize(self.project()).unwrap();
        let slug = project.to_string_lossy().into_owned();
        let slug = slug.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let folder = self.sandbox.home().join(".claude/projects").join(slug);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Puts the record of a session where Claude Code keeps it.
    pub(crate) fn record(&self, record: &ClaudeRecord) {
        record.write(&self.claude_sessions());
    }

    /// Records a session with a model call for each of `fills`.
    pub(crate) fn session(&self, id: &str, fills: &[u64]) -> PathBuf {
        let path = self.claude_sessions().join(format!("{id}.jsonl"));
        let project = fs::canonicalize(self.project()).unwrap();
        append(
            &path,
            &json!({"type": "user", "uuid": format!("{id}-u"), "sessionId": id, "cwd": project,
                "timestamp": "2026-11-23T04:07:25Z", "version": "2.1.197",
                "message": {"content": "Begin."}}),
        );
        for (at, fill) in fills.iter().enumerate() {
            append(&path, &call(id, at, *fill));
        }
        path
    }
}

/// A model call after which `fill` tokens are in the context.
pub(crate) fn call(id: &str, at: usize, fill: u64) -> Value {
    json!({"type": "assistant", "uuid": format!("{id}-{at}"), "sessionId": id,
        "timestamp": "2026-11-23T04:07:26Z",
        "message": {"id": format!("m{at}"), "model": "claude-opus-4-5",
            "content": [{"type": "text", "text": "So."}],
            "usage": {"input_tokens": fill - 8, "output_tokens": 8}}})
}

/// Adds a line to a record.
pub(crate) fn append(record: &Path, line: &Value) {
    let mut file = File::options();
    let mut file = file.create(true).append(true).open(record).unwrap();
    writeln!(file, "{line}").unwrap();
}
