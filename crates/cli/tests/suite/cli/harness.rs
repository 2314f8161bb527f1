//! Runs the real binary where nothing of this machine reaches it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use agon_testkit::{FakeTools, Sandbox};
use regex::Regex;
use serde_json::Value;

use crate::support::published::check_printed_document;

/// A home, a project and an environment for `agon`, all of them empty.
pub(crate) struct Agon {
    sandbox: Sandbox,
    tools: Option<FakeTools>,
    vars: Vec<(String, String)>,
}

impl Agon {
    /// No tool is installed here.
    pub(crate) fn new() -> Self {
        Self {
            sandbox: Sandbox::new(),
            tools: None,
            vars: Vec::new(),
        }
    }

    /// These tools are installed here, and somebody is logged in to each. Needs the binary
    /// `agon-fake-tool` of the test kit.
    pub(crate) fn with(tools: FakeTools) -> Self {
        let agon = Self {
            tools: Some(tools),
            ..Self::new()
        };
        let temporary = agon.sandbox.home().with_file_name("temporary");
        fs::create_dir(&temporary).unwrap();
        let temporary = temporary.display().to_string();
        agon.env("GEMINI_API_KEY", "placeholder")
            .env("TMPDIR", &temporary)
    }

    /// With a further environment variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.vars.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The installed tools.
    pub(crate) fn tools(&self) -> &FakeTools {
        self.tools.as_ref().expect("made with tools")
    }

    /// The home of the user.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.home()
    }

    /// The folder in which it is started.
    pub(crate) fn project(&self) -> PathBuf {
        self.sandbox.project()
    }

    /// The user's own configuration file.
    pub(crate) fn user_file(&self) -> PathBuf {
        self.sandbox.home().join(".config/agon/config.toml")
    }

    /// The folder in which Claude Code keeps the records of this project's sessions.
    pub(crate) fn claude_sessions(&self) -> PathBuf {
        let project = fs::canonicalize(self.project()).unwrap();
        let slug = project.to_string_lossy().into_owned();
        let slug = slug.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        let folder = self.sandbox.home().join(".claude/projects").join(slug);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Puts a file into the project.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        put(&self.project().join(name), text)
    }

    /// Puts the user's own configuration in place.
    pub(crate) fn configure(&self, text: &str) -> PathBuf {
        put(&self.user_file(), text)
    }

    /// The command, ready to be started: stdin closed, stdout and stderr piped.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        let env = match &self.tools {
            Some(tools) => {
                let mut env = self.sandbox.env_with_path(tools.dir());
                // What a test says nothing of is the same for every tool.
                env.insert("AGON_TRANSPORT".into(), "cli".into());
                env.insert("AGON_FALLBACK".into(), "none".into());
                env
            }
            None => self.sandbox.command_env(),
        };
        command
            .args(args)
            .current_dir(self.project())
            .env_clear()
            .envs(env)
            .envs(self.vars.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_in(&self.project(), args)
    }

    /// Runs it to its end in `folder`.
    pub(crate) fn run_in(&self, folder: &Path, args: &[&str]) -> Ran {
        let mut command = self.command(args);
        let output = command.current_dir(folder).output().unwrap();
        // Not every output is text: `agon report --format png` prints a picture.
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        check_printed_document(&command, &stdout);
        Ran {
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            code: output.status.code(),
            stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
            places: vec![
                (self.project().display().to_string(), "[PROJECT]"),
                (self.sandbox.home().display().to_string(), "[HOME]"),
            ],
        }
    }
}

fn put(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    path.to_owned()
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    args: Vec<String>,
    /// The exit code; none after a signal.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    places: Vec<(String, &'static str)>,
}

impl Ran {
    /// Stdout, which is one JSON document and nothing else.
    pub(crate) fn json(&self) -> Value {
        let stdout = &self.stdout;
        serde_json::from_str(stdout)
            .unwrap_or_else(|cause| panic!("no JSON document: {cause}\n{stdout}\n{}", self.stderr))
    }

    /// As [`Ran::screen`], for a run whose calls took their own time and tokens.
    pub(crate) fn timeless(&self) -> String {
        without_times_and_sums(&self.screen())
    }

    /// All that was seen, for a snapshot: what differs from run to run is named instead.
    pub(crate) fn screen(&self) -> String {
        let code = self
            .code
            .map_or("a signal".to_owned(), |code| code.to_string());
        let mut text = format!("$ agon {}\n", self.args.join(" "));
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.push_str(&format!("─── {name}\n{stream}"));
                if !stream.ends_with('\n') {
                    text.push_str("(no line end)\n");
                }
            }
        }
        text.push_str(&format!("─── exit {code}\n"));
        for (place, name) in &self.places {
            text = text.replace(place, name);
        }
        let ulid = Regex::new(r"\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b").unwrap();
        ulid.replace_all(&text, "[ULID]").into_owned()
    }
}

/// `text` with names for times, tokens and money, which differ from run to run.
pub(crate) fn without_times_and_sums(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, name) in [
        (r" *\b\d+:\d\d\b", " [TIME]"),
        (r"\b\d+k\b", "[N]k"),
        (r"\$\d+\.\d\d\b", "$$[N]"),
    ] {
        let pattern = Regex::new(pattern).unwrap();
        text = pattern.replace_all(&text, name).into_owned();
    }
    text
}
