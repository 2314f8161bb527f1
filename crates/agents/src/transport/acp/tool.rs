//! A tool that supports the protocol, and how its process is started and ended.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_proc::{Program, StopTimeouts};
use serde_json::json;

use crate::environment::Environment;
use crate::profile::{Acp, Confinement, Profile, acp_args, confine_git, merge_json};
use crate::transport::call::{CallSlots, PrivateCallFolder};

/// A tool that supports the protocol, and its environment.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) profile: Profile,
    pub(super) acp: Acp,
    pub(super) program: PathBuf,
    pub(super) here: Environment,
    pub(super) places: CallSlots,
}

impl Tool {
    /// Returns the time limits for ending a process.
    pub(super) fn stop_timeouts(&self) -> StopTimeouts {
        StopTimeouts {
            close: Duration::from_millis(500),
            grace: Duration::from_millis(self.profile.limits.grace_ms),
            drain: Duration::from_millis(200),
        }
    }

    /// Returns the program to start for a conversation in `cwd`.
    pub(super) fn program(
        &self,
        confinement: &Confinement,
        model: Option<&str>,
        cwd: &Path,
        private: &PrivateCallFolder,
    ) -> Program {
        let mut env = self.profile.env.child_env(&self.here, model);
        env.insert("TMPDIR".into(), private.temp_folder().into());
        confine_git(cwd, &mut env);
        for (name, value) in &confinement.set {
            env.insert(name.into(), value.into());
        }
        for (name, ours) in &confinement.merge {
            let theirs = env.get(OsStr::new(name)).and_then(|value| value.to_str());
            let theirs = theirs.or_else(|| self.here.var_text(name));
            let both = merge_json(theirs, ours);
            env.insert(name.into(), both.into());
        }
        if let Some(skills) = &self.profile.skills {
            let name = skills.variable.as_str();
            let before = env.get(OsStr::new(name)).and_then(|value| value.to_str());
            let ours = skills.object(&self.here, cwd).to_string();
            let both = merge_json(before, &ours);
            env.insert(name.into(), both.into());
        }
        if let (Some(setting), Some(model)) = (&self.acp.model_setting, model) {
            let name = setting.variable.as_str();
            let before = env.get(OsStr::new(name)).and_then(|value| value.to_str());
            let ours = json!({ &setting.key: model }).to_string();
            let both = merge_json(before, &ours);
            env.insert(name.into(), both.into());
        }
        if let (Some(name), Some(model)) = (&self.acp.model_env, model) {
            env.insert(name.into(), model.into());
        }
        Program {
            path: self.program.clone(),
            args: acp_args(&self.acp, confinement, &self.here, model, private.path()),
            env,
            cwd: cwd.to_owned(),
        }
    }
}
