//! The user's own MCP servers: in a debate a tool starts without them, over every transport.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_agents::profile::Transport;
use agon_agents::{Environment, Profiles, SeatError, Toolbox};
use agon_proc::Unwatched;
use agon_testkit::{FakeModels, Sandbox, Script, real_clis};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::common::{ask, left_of, tool};

const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
const PATIENCE: Duration = Duration::from_secs(120);

/// Adds `server` to a user's file, after its existing content.
fn add(home: &Path, file: &str, server: &Value) {
    let path = home.join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut whole: Value = serde_json::from_str(&text).unwrap();
    for (key, value) in server.as_object().unwrap() {
        whole[key] = value.clone();
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, whole.to_string()).unwrap();
}

/// Configures a user's server in every tool, which creates a file named after the tool.
fn serve(home: &Path, traces: &Path) {
    let at = |name: &str| traces.join(name).to_string_lossy().into_owned();
    let of = |name: &str| json!({"mcpServers": {"own": {"command": "touch", "args": [at(name)]}}});
    add(home, ".claude/.claude.json", &of("claude"));
    add(home, ".gemini/settings.json", &of("gemini"));
    let mut copilot = of("copilot");
    copilot["mcpServers"]["own"]["type"] = "local".into();
    copilot["mcpServers"]["own"]["tools"] = json!(["*"]);
    add(home, ".copilot/mcp-config.json", &copilot);
    let config = home.join(".codex/config.toml");
    let server = format!(
        "\n[mcp_servers.own]\ncommand = \"touch\"\nargs = [\"{}\"]\n",
        at("codex")
    );
    fs::write(&config, fs::read_to_string(&config).unwrap() + &server).unwrap();
}

#[tokio::test]
async fn no_server_of_the_users_is_started() {
    let Some(clis) = real_clis() else {
        return;
    };
    // OpenCode cannot turn off its own servers; their tools are denied.
    for name in ["claude", "codex", "gemini", "copilot"] {
        for by in [Transport::Cli, Transport::Acp] {
            let models = FakeModels::start(Script::job_store());
            let sandbox = Sandbox::new();
            let env = sandbox.connect_all_tools(&models.url(), &clis);
            let traces = sandbox.home().with_file_name("traces");
            fs::create_dir(&traces).unwrap();
            serve(&sandbox.home(), &traces);
            let profiles = Profiles::builtin().unwrap();
            let here = Environment::new(env);
            let toolbox = Toolbox::detect_only(&profiles, &[tool(name)], &here).await;
            let agent = toolbox.agent_over_transport(&tool(name), Some(by));
            if (name, by) == ("codex", Transport::Acp) {
                // It would still start them, so its command line is used.
                assert!(matches!(agent, Err(SeatError::NoTransport { .. })));
                let usual = toolbox.agent(&tool(name)).unwrap();
                assert_eq!(usual.transport(), Transport::Cli);
                continue;
            }
            let agent = agent.unwrap();
            let mut session = agent.open(Arc::new(Unwatched));
            let never = CancellationToken::new();
            let answer = session.ask(ask(PROMPT, PATIENCE), &never).await;
            answer.unwrap();
            session.close().await;
            let started: Vec<_> = fs::read_dir(&traces).unwrap().flatten().collect();
            assert!(started.is_empty(), "{name} over {}", by.name());
            assert_eq!(left_of(&sandbox), Vec::<String>::new(), "{name}");
        }
    }
}
