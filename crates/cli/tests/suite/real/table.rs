//! A place in which the real tools are installed, and know one model server.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use agon_testkit::{FakeModels, Sandbox, Script, real_clis, refused_url};
use serde_json::Value;

use crate::support::{Place, Ran, TOPIC, seat_flags};

/// A model server, and a place with the real tools.
pub(crate) struct Table {
    pub(crate) models: FakeModels,
    pub(crate) place: Place,
    /// The folder on PATH that has the tools.
    bin: PathBuf,
}

impl Table {
    /// These tools, and no other; none if there are none on this machine.
    pub(crate) fn laid(tools: &[&str]) -> Option<Self> {
        Self::but_refused(tools, "")
    }

    /// As [`Table::laid`]; one of the tools finds nobody at the address it knows.
    pub(crate) fn but_refused(tools: &[&str], refused: &str) -> Option<Self> {
        let clis = real_clis()?;
        let models = FakeModels::start(Script::job_store());
        let sandbox = Sandbox::new();
        let bin = sandbox.home().with_file_name("bin");
        fs::create_dir(&bin).unwrap();
        let mut env = sandbox.env_with_path(&bin);
        for tool in tools {
            let bins = clis.join("node_modules/.bin");
            symlink(bins.join(tool), bin.join(tool)).unwrap();
            // What speaks the protocol for it, where it does not by itself.
            for adapter in ["claude-agent-acp", "codex-acp"] {
                if adapter.starts_with(tool) && bins.join(adapter).exists() {
                    symlink(bins.join(adapter), bin.join(adapter)).unwrap();
                }
            }
            let url = if *tool == refused {
                refused_url()
            } else {
                models.url()
            };
            env.extend(sandbox.point(tool, &url));
        }
        Some(Self {
            place: Place::new(sandbox, env),
            models,
            bin,
        })
    }

    /// Runs the debate `s` of one round between these tools.
    pub(crate) fn quick(&self, seats: [&str; 3]) -> Ran {
        self.quick_with(seats, &[])
    }

    /// As [`Table::quick`], with further arguments.
    pub(crate) fn quick_with(&self, seats: [&str; 3], more: &[&str]) -> Ran {
        self.models.set_script(one_round());
        self.debate(seats, &[&["--quick"], more].concat())
    }

    /// Runs the debate `s` between these tools.
    pub(crate) fn debate(&self, seats: [&str; 3], more: &[&str]) -> Ran {
        self.place.run(&debate(seats, more))
    }

    /// As [`Table::quick_with`], with the screen that a person reads in place of the document.
    pub(crate) fn quick_on_screen(&self, seats: [&str; 3], more: &[&str]) -> Ran {
        let mut args = debate(seats, &[&["--quick"], more].concat());
        args.retain(|word| *word != "--json");
        self.models.set_script(one_round());
        self.place.run(&args)
    }

    /// Puts a shell script in the place of a tool; `$TOOL` is the tool itself.
    pub(crate) fn stand_in(&self, tool: &str, script: &str) {
        let at = self.bin.join(tool);
        let real = fs::canonicalize(&at).unwrap();
        fs::remove_file(&at).unwrap();
        let script = format!("#!/bin/sh\nTOOL='{}'\n{script}\n", real.display());
        fs::write(&at, script).unwrap();
        fs::set_permissions(&at, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// How often Agon called a tool for a turn of `s`, such as `r1.cha`.
    pub(crate) fn calls(&self, turn: &str) -> usize {
        let journal = self.place.project().join("debates/s/.agon/journal.jsonl");
        // Without a debate nothing was asked.
        let journal = fs::read_to_string(journal).unwrap_or_default();
        let asked = format!(r#""event":"asked","key":"{turn}#"#);
        journal.matches(&asked).count()
    }

    /// The turns that the tools asked the server for.
    pub(crate) fn turns(&self) -> Vec<String> {
        self.models.turns()
    }

    /// Seats and tools, as the verdict of `s` has them.
    pub(crate) fn seated(&self) -> [String; 3] {
        let verdict = self.place.verdict().unwrap();
        let tool = |seat: &str| verdict["seats"][seat]["tool"].as_str().unwrap().to_owned();
        ["proposer", "challenger", "judge"].map(tool)
    }

    /// What is missing of the verdict of `s`: seat, round and cause.
    pub(crate) fn missing(&self) -> Vec<String> {
        let verdict = self.place.verdict().unwrap();
        let missing = verdict["missing"].as_array().unwrap();
        let line = |lost: &Value| {
            let text = |key: &str| lost[key].as_str().unwrap().to_owned();
            format!("{} {} {}", text("seat"), lost["round"], text("cause"))
        };
        missing.iter().map(line).collect()
    }
}

/// The replies of a debate of one round.
pub(crate) fn one_round() -> Script {
    let mut script = Script::job_store();
    // The judge may only name what was said in that round.
    for verdict in script.turns.get_mut("verdict.judge").unwrap() {
        *verdict = verdict
            .replace("pro_002a", "pro_001b")
            .replace("pro_002b", "pro_001c");
    }
    script
}

/// The arguments of the debate `s`.
pub(crate) fn debate<'a>(seats: [&'a str; 3], more: &[&'a str]) -> Vec<&'a str> {
    [
        &["debate", TOPIC, "--slug", "s", "--json"],
        &seat_flags(seats)[..],
        more,
    ]
    .concat()
}
