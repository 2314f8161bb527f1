//! A home and a project of its own, and whoever asks from there.

use agon_caller::Caller;
use agon_testkit::{FakeTools, Sandbox};

/// A caller in an empty project, with the fake tools `claude`, `codex` and `gemini`.
pub(crate) struct Place {
    pub(crate) tools: FakeTools,
    pub(crate) caller: Caller,
    _sandbox: Sandbox,
}

impl Place {
    pub(crate) fn new() -> Self {
        let tools = FakeTools::with(&["claude", "codex", "gemini"]);
        let sandbox = Sandbox::new();
        let mut env = sandbox.env_with_path(tools.dir());
        env.insert("AGON_TRANSPORT".into(), "cli".into());
        env.insert("AGON_FALLBACK".into(), "none".into());
        let env = env.into_iter();
        let env = env.map(|(name, value)| (name.into(), value.into()));
        let caller = Caller::new(env.collect(), sandbox.project());
        Self {
            tools,
            caller,
            _sandbox: sandbox,
        }
    }
}
