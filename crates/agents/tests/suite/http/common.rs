//! Shared by the tests: an agent for one dialect of the fake server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_agents::{
    Agent, AgentAnswer, AgentError, Ask, Environment, OutputListener, Profiles, Toolbox,
};
use agon_proc::Unwatched;
use agon_record::spec::Effort;
use agon_testkit::models::Api;
use tokio_util::sync::CancellationToken;

pub(crate) const PROMPT: &str = "You argue.\nTurn: r1.pro\n";
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
pub(crate) const KEY: &str = concat!("sk-", "made-up-0123456789abcdefghij");

/// The adapter, the path after the server's address, and the protocol.
pub(crate) const DIALECTS: [(&str, &str, Api); 3] = [
    ("openai", "/v1", Api::Chat),
    ("anthropic", "/v1", Api::Anthropic),
    ("gemini", "/v1beta", Api::Gemini),
];

pub(crate) type Outcome = Result<AgentAnswer, AgentError>;

/// An environment with a key in `MODELS_KEY`, and decoys.
pub(crate) fn here() -> Environment {
    Environment::new([
        ("MODELS_KEY", KEY),
        ("OPENAI_API_KEY", "sk-decoy-of-openai"),
        ("ANTHROPIC_API_KEY", "sk-decoy-of-anthropic"),
        ("GEMINI_API_KEY", "decoy-of-gemini"),
        ("HTTPS_PROXY", "http://127.0.0.1:9"),
        ("HTTP_PROXY", "http://127.0.0.1:9"),
        ("ALL_PROXY", "http://127.0.0.1:9"),
    ])
}

/// The agent of the tool `server`, whose `http` table contains these lines.
pub(crate) async fn agent(http: &str) -> Arc<dyn Agent> {
    let table = format!("transports = [\"http\"]\nconcurrency = 4\n[http]\n{http}");
    let tables = BTreeMap::from([("server".to_owned(), toml::from_str(&table).unwrap())]);
    let profiles = Profiles::with_overrides(&tables).unwrap();
    let names = ["server".parse().unwrap()];
    let toolbox = Toolbox::detect_only(&profiles, &names, &here()).await;
    toolbox.agent(&names[0]).unwrap()
}

/// The lines for a dialect of the server at `url`, with a key.
pub(crate) fn of((adapter, path, _): (&str, &str, Api), url: &str) -> String {
    format!(
        "adapter = \"{adapter}\"\nurl = \"{url}{path}\"\nmodel = \"a-model-high\"\n\
         key_env = [\"MODELS_KEY\"]\neffort = true\n"
    )
}

pub(crate) fn ask(prompt: &str, timeout: Duration) -> Ask<'_> {
    Ask {
        prompt,
        model: None,
        effort: Effort::Low,
        timeout,
        reads: None,
        hears: None,
        schema: None,
        interview: None,
    }
}

pub(crate) async fn asked(agent: &dyn Agent, ask: Ask<'_>) -> Outcome {
    let mut session = agent.open(Arc::new(Unwatched));
    session.ask(ask, &CancellationToken::new()).await
}

/// Stores the received output.
#[derive(Debug, Default)]
pub(crate) struct Ear(pub(crate) Mutex<Vec<String>>);

impl OutputListener for Ear {
    fn receive_chunk(&self, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}
