//! Detects model servers on this machine by sending requests.

use std::time::Duration;

use agon_record::spec::ToolName;
use futures_util::future::join_all;
use reqwest::Client;
use serde_json::Value;
use tokio::time::timeout;

use crate::environment::Environment;
use crate::profile::{Adapter, Address, Http, Profile};
use crate::transport::base_client_builder;

/// The variable that replaces the usual servers, as `NAME=URL,…`; if empty, no server is tried.
pub const LOOPBACK_SERVERS: &str = "AGON_LOOPBACK_SERVERS";

// Chosen, not measured: all servers are queried at once, and only on this machine. A slower server
// is not found; a longer wait would slow every command that lists tools.
/// The time limit for a server to list its models.
const PROBE_TIMEOUT: Duration = Duration::from_millis(300);

// 2.6 kB for each of `MAX_MODELS`. A longer answer is not a list of models, so its server is not
// listed.
/// The size limit of an answer, in bytes.
const MAX_BYTES: usize = 256 * 1024;

// Chosen, not measured: each model is a line in the list of tools. A lower limit hides installed
// models; a higher one makes the other tools hard to find.
/// The maximum number of models listed for one server.
const MAX_MODELS: usize = 100;

/// The default URLs of common model servers.
const USUAL: [(&str, &str); 4] = [
    ("Ollama", "http://127.0.0.1:11434"),
    ("LM Studio", "http://127.0.0.1:1234"),
    ("llama-server", "http://127.0.0.1:8080"),
    ("vLLM", "http://127.0.0.1:8000"),
];

/// A model server on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The server's name, guessed from its URL if it is a well-known one.
    pub name: String,
    /// The server's address, as used in the names of its tools.
    pub url: Address,
    /// The server's models, in its own order; models that cannot be part of a tool name are
    /// omitted.
    pub models: Vec<String>,
}

impl Server {
    /// Returns the names of the tools for the server's models.
    pub fn tools(&self) -> Vec<ToolName> {
        let models = self.models.iter();
        models
            .filter_map(|model| tool_name(model, &self.url))
            .collect()
    }
}

fn tool_name(model: &str, url: &Address) -> Option<ToolName> {
    let name = format!("openai:{model}@{url}").parse().ok()?;
    let profile = Profile::from_model_name(&name).ok()??;
    // Skip a model with `@http` in its name: the tool name would be parsed as another model at
    // another address.
    (profile.http?.model == model).then_some(name)
}

/// Returns the servers that answer. All are queried at once, without a proxy.
///
/// Takes as long as the slowest, at most 300 ms. Addresses of other machines are never queried.
pub async fn find_servers(here: &Environment) -> Vec<Server> {
    let Ok(client) = base_client_builder().connect_timeout(PROBE_TIMEOUT).build() else {
        return Vec::new();
    };
    let found = candidate_servers(here).into_iter().map(|(name, url)| {
        let client = client.clone();
        async move {
            timeout(PROBE_TIMEOUT, query_server(&client, name, url))
                .await
                .ok()?
        }
    });
    let found = join_all(found).await.into_iter().flatten();
    found.filter(|server| !server.models.is_empty()).collect()
}

fn candidate_servers(here: &Environment) -> Vec<(String, Address)> {
    let set = here.vars().get(std::ffi::OsStr::new(LOOPBACK_SERVERS));
    let pairs: Vec<(String, String)> = match set {
        None => USUAL
            .iter()
            .map(|&(name, url)| (name.to_owned(), url.to_owned()))
            .collect(),
        Some(set) => {
            let set = set.to_string_lossy();
            let pairs = set
                .split(',')
                .filter_map(|pair| pair.trim().split_once('='));
            let pairs = pairs.map(|(name, url)| (name.trim().to_owned(), url.trim().to_owned()));
            pairs.collect()
        }
    };
    let places = pairs.into_iter().filter_map(|(name, url)| {
        let url: Address = url.parse().ok()?;
        Some((name, url)).filter(|(_, url)| url.is_loopback())
    });
    places.collect()
}

async fn query_server(client: &Client, name: String, url: Address) -> Option<Server> {
    // Ollama's own list contains the downloaded models and their families, so use it there. All
    // other servers support the OpenAI list.
    let own = name.eq_ignore_ascii_case("ollama");
    let list: &[&str] = if own {
        &["api", "tags"]
    } else {
        &["v1", "models"]
    };
    let said = fetch_json(client, &url, list).await?;
    let (list, key) = if own {
        ("models", "name")
    } else {
        ("data", "id")
    };
    let base: Address = url.join_path(&["v1"]).as_str().parse().ok()?;
    let models = said.get(list)?.as_array()?.iter();
    let models = models.filter(|model| is_chat_model(model, key));
    let models = models.filter_map(|model| model.get(key)?.as_str());
    let models = models.filter(|model| tool_name(model, &base).is_some());
    Some(Server {
        models: models.take(MAX_MODELS).map(str::to_owned).collect(),
        name,
        url: base,
    })
}

/// Returns whether a model is a chat model. Embedding and rerank models are recognised by their
/// names, and with Ollama also by family; the list has nothing else to tell them apart.
fn is_chat_model(model: &Value, key: &str) -> bool {
    let name = model.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = name.to_lowercase();
    let family = model.pointer("/details/family").and_then(Value::as_str);
    !["embed", "rerank"].iter().any(|kind| name.contains(kind))
        && !family.is_some_and(|family| family.ends_with("bert"))
}

// Chosen, not measured. If this is too low, a small server gets the full prompt and silently
// truncates it; if it is too high, a large server gets only the compact prompt.
/// A server whose context has fewer tokens gets the compact prompt.
const MANY: u32 = 32_768;

// Checked by `tests/suite/http/answers.rs::a_small_server_has_a_budget_and_bounds_its_answers`.
/// The context size that is assumed if a server does not report one. It is the default of Ollama,
/// which silently truncates longer prompts.
const UNSAID: u32 = 4_096;

/// Sets `budget` from the context size that the server reports, or from `UNSAID` if it reports
/// none. A `budget` in the profile is kept.
///
/// A server that does not answer in time is assumed to have a large context.
pub(crate) async fn with_measured_budget(http: &Http, here: &Environment) -> Http {
    let asks = http.budget.is_none() && http.url.is_loopback() && http.adapter == Adapter::Openai;
    let mut measured = http.clone();
    if asks && let Ok(Some(said)) = timeout(PROBE_TIMEOUT, model_list(http, here)).await {
        let window = context_window(&said, &http.model).unwrap_or(UNSAID);
        measured.budget = Some(if window < MANY { window } else { 0 });
    }
    measured
}

/// Fetches the list of a server's models with their details; `None` if it does not answer.
async fn model_list(http: &Http, here: &Environment) -> Option<Value> {
    let client = base_client_builder()
        .connect_timeout(PROBE_TIMEOUT)
        .build()
        .ok()?;
    let is_there = |url: &Address| url.join_path(&["v1"]).as_str() == http.url.to_string();
    let mut studios = candidate_servers(here)
        .into_iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("LM Studio"));
    match studios.find(|(_, url)| is_there(url)) {
        // Only LM Studio's own list contains the context size with which a model was loaded.
        Some((_, url)) => fetch_json(&client, &url, &["api", "v0", "models"]).await,
        None => fetch_json(&client, &http.url, &["models"]).await,
    }
}

fn context_window(said: &Value, model: &str) -> Option<u32> {
    let models = said.get("data")?.as_array()?;
    let own = |it: &&Value| it.get("id").and_then(Value::as_str) == Some(model);
    let model = models.iter().find(own)?;
    let places = ["/meta/n_ctx", "/max_model_len", "/loaded_context_length"];
    let window = places.iter().find_map(|at| model.pointer(at)?.as_u64())?;
    Some(u32::try_from(window).unwrap_or(u32::MAX))
}

/// Fetches a server's JSON answer: null if it is not valid, `None` if there is no answer.
async fn fetch_json(client: &Client, url: &Address, path: &[&str]) -> Option<Value> {
    let mut answer = client.get(url.join_path(path)).send().await.ok()?;
    if !answer.status().is_success() {
        return Some(Value::Null);
    }
    let mut bytes = Vec::new();
    while let Some(more) = answer.chunk().await.ok()? {
        if bytes.len() + more.len() > MAX_BYTES {
            return Some(Value::Null);
        }
        bytes.extend_from_slice(&more);
    }
    Some(serde_json::from_slice(&bytes).unwrap_or_default())
}
