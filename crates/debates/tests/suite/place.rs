//! A home folder and a project for a test, and the caller in it.

use agon_caller::Caller;
use agon_testkit::{FakeTools, Sandbox, Script};

/// Returns a caller in an empty project, with the fake tools `claude`, `codex` and `gemini`.
pub(crate) struct Place {
    pub(crate) tools: FakeTools,
    pub(crate) caller: Caller,
    _sandbox: Sandbox,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::of(FakeTools::with(&["claude", "codex", "gemini"]), &[])
    }

    /// Returns the same, with tools that answer from `script`.
    pub(crate) fn scripted(script: &Script) -> Self {
        let tools = FakeTools::with(&["claude", "codex", "gemini"]);
        Self::of(tools.script(script), &[])
    }

    /// Lets the tools answer from `script`.
    pub(crate) fn with_script(self, script: &Script) -> Self {
        Self {
            tools: self.tools.script(script),
            ..self
        }
    }

    /// Returns a place with these tools and additional environment variables.
    pub(crate) fn of(tools: FakeTools, vars: &[(&str, &str)]) -> Self {
        let sandbox = Sandbox::new();
        let mut env = sandbox.env_with_path(tools.dir());
        env.insert("AGON_TRANSPORT".into(), "cli".into());
        env.insert("AGON_FALLBACK".into(), "none".into());
        env.insert("GEMINI_API_KEY".into(), "placeholder".into());
        let vars = vars.iter().map(|(name, value)| (*name, *value));
        env.extend(vars.map(|(name, value)| (name.to_owned(), value.to_owned())));
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
