//! The folder from which the fake is called: it contains the script and scenario, and records
//! calls.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use agon_testkit::{Behaviour, Call, Cue, Script};

use crate::dialect::Tool;

/// The folder that contains the fake tools.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// The script; empty if there is none.
    pub(crate) fn script(&self) -> Script {
        let path = self.0.join("script.json");
        if path.is_file() {
            Script::load(&path)
        } else {
            Script::default()
        }
    }

    /// The behaviour of a tool in a turn: the scenario's most specific entry, or else the script's.
    pub(crate) fn behaviour(&self, tool: Tool, turn: &str, script: &Script) -> Behaviour {
        type Scenario = BTreeMap<String, BTreeMap<String, Behaviour>>;
        let scenario: Scenario = match fs::read(self.0.join("scenario.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap(),
            Err(_) => Scenario::new(),
        };
        let any: &[&str] = if matches!(turn, "version" | "login") {
            &[]
        } else {
            &["*"]
        };
        let turns = || std::iter::once(turn).chain(any.iter().copied());
        let of_scenario = [tool.name(), "*"]
            .into_iter()
            .filter_map(|tool| scenario.get(tool))
            .find_map(|of_tool| turns().find_map(|turn| of_tool.get(turn)));
        let of_script = || turns().find_map(|turn| script.behaviours.get(turn));
        of_scenario
            .or_else(of_script)
            .copied()
            .unwrap_or(Behaviour::Good)
    }

    /// How many times this tool has been called for this turn before.
    pub(crate) fn count_calls(&self, tool: Tool, cue: &Cue) -> usize {
        let lines = fs::read_to_string(self.0.join("calls.jsonl")).unwrap_or_default();
        let calls = Call::all(&lines).into_iter();
        calls
            .filter(|call| call.tool == tool.name() && call.turn == cue.turn)
            .count()
    }

    /// Appends a log line about this call, and saves its prompt.
    pub(crate) fn record(&self, tool: Tool, cue: &Cue, args: &[String], prompt: Option<&[u8]>) {
        let mut env: Vec<_> = std::env::vars_os()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect();
        env.sort();
        let call = Call {
            tool: tool.name().into(),
            turn: cue.turn.clone(),
            again: cue.again,
            args: args.to_vec(),
            prompt_bytes: prompt.map_or(0, <[u8]>::len),
            prompt: prompt.map(|prompt| self.save_prompt(prompt)),
            pid: std::process::id(),
            cwd: std::env::current_dir().unwrap_or_default(),
            env,
            files: files(),
        };
        let mut line = serde_json::to_vec(&call).unwrap();
        line.push(b'\n');
        let path = self.0.join("calls.jsonl");
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .unwrap()
            .write_all(&line)
            .unwrap();
    }

    /// Saves the prompt under the first free number, from 1.
    fn save_prompt(&self, prompt: &[u8]) -> usize {
        let dir = self.0.join("prompts");
        fs::create_dir_all(&dir).unwrap();
        let free = (1..).find_map(|number| {
            Some((
                number,
                File::create_new(dir.join(format!("{number}.txt"))).ok()?,
            ))
        });
        let (number, mut file) = free.unwrap();
        file.write_all(prompt).unwrap();
        number
    }
}

/// The files below the working directory, sorted; at most a thousand.
pub(crate) fn files() -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![std::path::PathBuf::from(".")]);
    while let Some(folder) = open.pop().filter(|_| found.len() < 1_000) {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(path),
                _ if found.len() < 1_000 => {
                    let path = path.strip_prefix(".").unwrap_or(&path);
                    found.push(path.display().to_string());
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}
