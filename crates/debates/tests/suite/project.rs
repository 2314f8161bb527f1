//! A project without tools, and a reader of its debates.

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use agon_testkit::{Sandbox, Script};
use serde_json::Value;

use crate::recorded::{debate, spec};

/// A caller in an empty project with an empty home.
pub(crate) struct Project {
    pub(crate) caller: Caller,
    _sandbox: Sandbox,
}

impl Project {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        let env = sandbox.command_env().into_iter();
        let env = env.map(|(name, value)| (name.into(), value.into()));
        let caller = Caller::new(env.collect(), sandbox.project());
        Self {
            caller,
            _sandbox: sandbox,
        }
    }

    /// Returns a project with the finished debate `job-store`.
    pub(crate) fn finished() -> Self {
        Self::debated(&Script::job_store(), usize::MAX)
    }

    /// Returns a project with the debate `job-store`, in which `script` answered at most `calls`
    /// calls.
    pub(crate) fn debated(script: &Script, calls: usize) -> Self {
        let project = Self::new();
        debate(&project.debates(), spec("job-store"), script, calls);
        project
    }

    /// Returns the folder of debates.
    pub(crate) fn debates(&self) -> PathBuf {
        self.caller.cwd.join("debates")
    }

    /// Returns the folder of the debate `job-store`.
    pub(crate) fn folder(&self) -> PathBuf {
        self.debates().join("job-store")
    }

    /// Records that the debate in `folder` was opened by this user.
    pub(crate) fn own(&self, folder: &Path) {
        own(&self.caller, folder);
    }

    /// Writes a file in the project.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.caller.cwd.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }
}

/// Records that the debate in `folder` was opened by this user, as the program does.
pub(crate) fn own(caller: &Caller, folder: &Path) {
    let journal = fs::read_to_string(folder.join(".agon/journal.jsonl")).unwrap();
    let opening = journal.split_inclusive('\n').next().unwrap();
    let event = serde_json::from_str::<Value>(opening).unwrap()["events"][0].clone();
    let seats = event["seats"].as_object().unwrap().values();
    let grant = serde_json::json!({
        "schema": "agon.opened/1",
        "opening": blake3::hash(opening.as_bytes()).to_hex().to_string(),
        "caps": event["caps"],
        "tools": seats.map(|seat| seat["tool"].clone()).collect::<Vec<_>>(),
    });
    let opened = caller.state_dir().unwrap().join("opened");
    fs::create_dir_all(&opened).unwrap();
    let id = event["ulid"].as_str().unwrap();
    fs::write(opened.join(format!("{id}.json")), grant.to_string()).unwrap();
}
