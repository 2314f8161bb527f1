//! A home and a project of its own, the settings in them, and who asks from there.

use std::fs;
use std::path::{Path, PathBuf};

use agon_caller::Caller;
use agon_testkit::Sandbox;

/// A caller in an empty project, whose home is empty too.
pub(crate) struct Place {
    pub(crate) caller: Caller,
    sandbox: Sandbox,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// With these environment variables besides.
    pub(crate) fn with(vars: &[(&str, &str)]) -> Self {
        let sandbox = Sandbox::new();
        let mut env = sandbox.command_env();
        let vars = vars.iter().map(|(name, value)| (*name, *value));
        env.extend(vars.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let env = env.into_iter();
        let env = env.map(|(name, value)| (name.into(), value.into()));
        let caller = Caller::new(env.collect(), sandbox.project());
        Self { caller, sandbox }
    }

    /// The user's home.
    pub(crate) fn home(&self) -> PathBuf {
        self.sandbox.home()
    }

    /// Puts a file of a team's settings into the user's folder.
    pub(crate) fn of_user(&self, name: &str, text: &str) -> PathBuf {
        let path = self.caller.user_config_file().unwrap();
        put(&path.with_file_name(name), &with_schema(name, text))
    }

    /// Puts one into the project.
    pub(crate) fn of_project(&self, name: &str, text: &str) -> PathBuf {
        let path = self.caller.cwd.join(".agon").join(name);
        put(&path, &with_schema(name, text))
    }

    /// Everything in the project may be set.
    pub(crate) fn trust_project(&self) {
        let folder = self.caller.cwd.display();
        let path = self.caller.user_config_file().unwrap();
        put(&path, &format!("trust = [\"{folder}\"]\n"));
    }
}

fn with_schema(name: &str, text: &str) -> String {
    let kind = name.strip_suffix(".toml").unwrap();
    format!("schema = \"agon.{kind}/1\"\n{text}")
}

fn put(path: &Path, text: &str) -> PathBuf {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    path.to_owned()
}
