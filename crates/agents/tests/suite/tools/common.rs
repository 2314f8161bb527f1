//! Shared by the tests: an agent for one tool in a private home, and a check for leftover processes.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_agents::profile::Transport;
use agon_agents::{Agent, AgentAnswer, AgentError, Ask, Environment, Profiles, Toolbox};
use agon_proc::Unwatched;
use agon_record::spec::{Effort, ToolName};
use agon_testkit::Sandbox;
use tokio_util::sync::CancellationToken;

pub(crate) type Outcome = Result<AgentAnswer, AgentError>;

pub(crate) fn tool(name: &str) -> ToolName {
    name.parse().unwrap()
}

/// The environment of a sandbox in which the tools of `first` are installed and logged in.
pub(crate) fn environment(sandbox: &Sandbox, first: &Path) -> Environment {
    let mut vars = sandbox.env_with_path(first);
    vars.insert("GEMINI_API_KEY".into(), "dummy".into());
    vars.insert("GH_TOKEN".into(), "dummy".into());
    Environment::new(vars)
}

pub(crate) async fn agent(name: &str, here: &Environment) -> Arc<dyn Agent> {
    let profiles = Profiles::builtin().unwrap();
    let names = [tool(name)];
    let toolbox = Toolbox::detect_only(&profiles, &names, here).await;
    toolbox
        .agent_over_transport(&names[0], Some(Transport::Cli))
        .unwrap()
}

pub(crate) fn ask(prompt: &str, timeout: Duration) -> Ask<'_> {
    Ask {
        reads: None,
        hears: None,
        prompt,
        model: None,
        effort: Effort::Low,
        timeout,
        schema: None,
        interview: None,
    }
}

/// Calls in a new session; returns the outcome and the time it took.
pub(crate) async fn asked(agent: &dyn Agent, ask: Ask<'_>) -> (Outcome, Duration) {
    let begun = Instant::now();
    let mut session = agent.open(Arc::new(Unwatched));
    let outcome = session.ask(ask, &CancellationToken::new()).await;
    (outcome, begun.elapsed())
}

/// The processes with this sandbox's home, which only its tools have.
pub(crate) fn left_of(sandbox: &Sandbox) -> Vec<String> {
    let sign = format!("HOME={}", sandbox.home().display());
    let mut left = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let environ = fs::read(entry.path().join("environ")).unwrap_or_default();
        if environ
            .split(|&byte| byte == 0)
            .any(|var| var == sign.as_bytes())
        {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            left.push(String::from_utf8_lossy(&line).replace('\0', " "));
        }
    }
    left
}
