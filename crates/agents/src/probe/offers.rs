//! Finds what a tool offers to its model, from the requests that it actually sends.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use agon_proc::Unwatched;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::dialogue::{CANARY, COMMANDS, REPLY};
use super::home::{ProbeError, ProbeHome};
use super::offer::offered_tool_names;
use super::responder::Responder;
use crate::agent::{Agent, AgentError, CallFailure};
use crate::ask::Ask;
use crate::detect::DetectedTool;
use crate::environment::Environment;
use crate::profile::Transport;
use crate::transport::{AcpAgent, CallSlots, CliAgent};

/// The name reported for a tool that interprets prompts itself. No profile lists it, so such a tool
/// cannot take part in a debate until the user allows it.
pub const READS_PROMPT: &str = "reads_prompt";

/// The tools that a tool offers to its model with one transport, with or without a folder to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offers {
    /// The transport.
    pub way: Transport,
    /// Whether the tool had a folder to read.
    pub reads: bool,
    /// The names of the offered tools.
    pub names: BTreeSet<String>,
    /// The names among them that the profile does not list.
    pub unlisted: Vec<String>,
    /// The reason why the result may be incomplete; `None` if it is complete.
    pub failed: Option<String>,
}

/// Finds what a tool offers to its model: over each transport, with and without a folder to read, and
/// with each model that its profile lists for this.
///
/// Each combination starts the tool in a separate home folder, with a server on the loopback interface
/// and placeholder keys. On return, all its processes have ended.
///
/// # Errors
///
/// If the tool cannot be probed, or the probe is cancelled.
pub async fn probe_offers(
    found: &DetectedTool,
    here: &Environment,
    cancel: &CancellationToken,
) -> Result<Vec<Offers>, ProbeError> {
    let mut all = Vec::new();
    for way in found.available_transports() {
        let kinds: &[bool] = match found.profile.can_read_folder() {
            true => &[false, true],
            false => &[false],
        };
        let one = |reads: &bool| probe_seat_offers(found, here, way, *reads, cancel);
        for offers in futures_util::future::join_all(kinds.iter().map(one)).await {
            all.extend(offers?);
        }
    }
    Ok(all)
}

/// Finds what a tool offers over one transport, with or without a folder; `None` if the transport
/// does not start a program.
async fn probe_seat_offers(
    found: &DetectedTool,
    here: &Environment,
    way: Transport,
    reads: bool,
    cancel: &CancellationToken,
) -> Result<Option<Offers>, ProbeError> {
    let Some(probe) = &found.profile.probe else {
        return Err(ProbeError::NotSaid);
    };
    let models = probe.models.iter().map(|model| Some(model.as_str()));
    let models: Vec<_> = match probe.models.is_empty() {
        true => vec![None],
        false => models.collect(),
    };
    let mut names = BTreeSet::new();
    let mut failed = None;
    for model in models {
        let responder = Responder::start(REPLY, COMMANDS).await;
        let responder = responder.map_err(ProbeError::Prepare)?;
        let ground = ProbeHome::prepare(found, here, &responder.url())?;
        let folder = ground.create_read_folder().map_err(ProbeError::Prepare)?;
        let Some(agent) = agent_in_probe_home(found, &ground, way) else {
            return Ok(None);
        };
        let mut session = agent.open(Arc::new(Unwatched));
        let ask = Ask {
            model,
            reads: reads.then_some(folder.as_path()),
            ..ground.probe_ask()
        };
        let asked = session.ask(ask, cancel).await;
        session.close().await;
        if cancel.is_cancelled() {
            return Err(ProbeError::Asked(AgentError {
                failure: CallFailure::Cancelled,
                usage: None,
                took: std::time::Duration::ZERO,
            }));
        }
        let requests = responder.requests();
        let why = match (&asked, responder.incomplete_reason()) {
            (Err(error), _) if requests.is_empty() => {
                Some(format!("it sent no request to the server: {error}"))
            }
            (Ok(_), _) if requests.is_empty() => {
                Some("it sent no request to the server".to_owned())
            }
            (_, Some(missed)) => Some(missed.to_owned()),
            (Err(error), None) => Some(format!("its answer could not be read: {error}")),
            (Ok(_), None) => None,
        };
        failed = failed.or(why);
        names.extend(requests.iter().flat_map(offered_tool_names));
        if reads_prompt(&responder, asked.is_ok()) {
            names.insert(READS_PROMPT.to_owned());
        }
    }
    Ok(Some(Offers {
        way,
        reads,
        unlisted: found.profile.unlisted_tools(way, reads, &names),
        names,
        failed,
    }))
}

/// Returns whether the tool interpreted the prompt itself: it answered without its model, changed
/// the prompt, or added a file to it.
fn reads_prompt(responder: &Responder, is_answered: bool) -> bool {
    let requests = responder.requests();
    let has_canary = |request: &Value| request.to_string().contains(CANARY);
    let passed_on = responder.has_seen_prompt();
    requests.iter().any(has_canary) || !passed_on && (is_answered || !requests.is_empty())
}

fn agent_in_probe_home(
    found: &DetectedTool,
    ground: &ProbeHome,
    way: Transport,
) -> Option<Box<dyn Agent>> {
    let (profile, here) = (ground.profile(), ground.here());
    let places = CallSlots::of(&found.profile, &here);
    let path = |path: &Option<std::path::PathBuf>| path.as_deref().map(Path::to_owned);
    Some(match way {
        Transport::Cli => Box::new(CliAgent::new(profile, path(&found.path)?, here, places)?),
        Transport::Acp => Box::new(AcpAgent::new(profile, path(&found.acp)?, here, places)?),
        Transport::Http | Transport::Local | Transport::Human => return None,
    })
}
