//! Opens a read-only conversation with a started process.

use std::path::Path;
use std::time::Duration;

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    ClientCapabilities, Implementation, InitializeRequest, NewSessionRequest,
};
use agent_client_protocol::{Error, ErrorCode};
use agon_record::spec::Effort;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::fault;
use super::offer::{Choice, Offer};
use super::wire::AcpWire;
use crate::agent::CallFailure;
use crate::breach::Breach;
use crate::profile::{Acp, Confinement};

// Chosen, not measured: the title is only for the user's own list, so it must not delay a turn. A
// slow agent keeps its own title.
/// The time limit for setting the title of a conversation. An agent that does not support the request
/// may not answer, and this time is part of the turn's time limit.
const TITLE_TIMEOUT: Duration = Duration::from_secs(1);

/// The settings with which a conversation is opened.
pub(super) struct AcpOpening<'a> {
    pub(super) acp: &'a Acp,
    pub(super) confinement: &'a Confinement,
    pub(super) cwd: &'a Path,
    /// The model to choose from those that the agent offers, if it is chosen this way.
    pub(super) model: Option<&'a str>,
    pub(super) effort: Effort,
}

impl AcpOpening<'_> {
    /// Opens a conversation and switches it to a read-only mode, before the first prompt.
    pub(super) async fn open_conversation(&self, wire: &AcpWire) -> Result<Offer, CallFailure> {
        initialize(wire).await?;
        let mut request = NewSessionRequest::new(self.cwd);
        request.meta = self
            .acp
            .meta(self.confinement, self.effort)
            .map_err(|()| CallFailure::Bug("a profile whose `meta` is not an object"))?;
        let answer = wire
            .request("session/new", &request)
            .await
            .map_err(|error| call_failure(wire, &error))?;
        let method = "session/new";
        let mut offer = Offer::read(answer).ok_or(Breach::Answer { method })?;
        if let Some(title) = &self.acp.title {
            let params = json!({"sessionId": offer.session, "title": title});
            // Ignore a failure: the agent then creates its own title, which costs only a model
            // call.
            let titled = wire.request("session/set_title", &params);
            timeout(TITLE_TIMEOUT, titled).await.ok();
        }
        for (id, wanted) in &self.confinement.options {
            let option = || format!("{id}: {wanted}");
            if offer.is_option_unreadable(id) {
                return Err(Breach::ModeRefused { mode: option() }.into());
            }
            if let Some(choice) = offer.option(id) {
                set_option(wire, &mut offer, &choice, wanted)
                    .await
                    .map_err(|_| Breach::ModeRefused { mode: option() })?;
            }
        }
        if let Some(model) = self.model {
            choose_model(wire, &mut offer, model).await?;
        }
        set_effort(wire, &mut offer, self.acp, self.effort).await;
        // Set the mode last, so that no other change can undo it.
        self.ensure_read_only_mode(wire, &mut offer).await?;
        Ok(offer)
    }

    /// Makes sure that an agent that offers modes is in a read-only mode.
    async fn ensure_read_only_mode(
        &self,
        wire: &AcpWire,
        offer: &mut Offer,
    ) -> Result<(), CallFailure> {
        let Some(modes) = offer.modes() else {
            // Modes that Agon cannot read are an error; an agent without modes is fine.
            return match offer.is_option_unreadable("mode") {
                true => Err(Breach::Answer {
                    method: "session/new",
                }
                .into()),
                false => Ok(()),
            };
        };
        if modes.is_current_among(&self.confinement.modes) {
            return Ok(());
        }
        let mode = modes
            .first_available(&self.confinement.modes)
            .ok_or_else(|| Breach::NoReadOnlyMode {
                mode: modes.current.clone(),
            })?
            .to_owned();
        let taken = match &modes.option {
            Some(id) => match offer.option(id) {
                Some(choice) => set_option(wire, offer, &choice, &mode).await,
                None => Err(Error::invalid_params()),
            },
            None => {
                let params = json!({"sessionId": offer.session, "modeId": mode});
                wire.request("session/set_mode", &params).await.map(drop)
            }
        };
        // If the mode is an option, the agent must report the new mode as current.
        let stayed = modes.option.is_some()
            && offer
                .modes()
                .is_some_and(|modes| !modes.is_current_among(&self.confinement.modes));
        match taken {
            Ok(()) if !stayed => Ok(()),
            Err(error) if is_lost(wire, &error) => Err(call_failure(wire, &error)),
            Ok(()) | Err(_) => Err(Breach::ModeRefused { mode }.into()),
        }
    }
}

async fn initialize(wire: &AcpWire) -> Result<(), CallFailure> {
    let request = InitializeRequest::new(ProtocolVersion::V1)
        .client_capabilities(ClientCapabilities::new())
        .client_info(Implementation::new("agon", env!("CARGO_PKG_VERSION")).title("Agon"));
    let answer = match wire.request("initialize", &request).await {
        Ok(answer) => answer,
        Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            return Err(Breach::NoAcp.into());
        }
        Err(error) => return Err(call_failure(wire, &error)),
    };
    match answer.get("protocolVersion") {
        Some(Value::Number(version)) if version.as_u64() == Some(1) => Ok(()),
        Some(version) => Err(Breach::Version {
            version: version.to_string().chars().take(20).collect(),
        }
        .into()),
        None => Err(Breach::NoAcp.into()),
    }
}

/// Sets the model to one that the agent offers.
async fn choose_model(wire: &AcpWire, offer: &mut Offer, model: &str) -> Result<(), CallFailure> {
    let choice = offer.model_choice();
    if let Some(choice) = &choice
        && choice.values.iter().any(|value| value == model)
    {
        return set_option(wire, offer, choice, model)
            .await
            .map_err(|error| call_failure(wire, &error));
    }
    if offer.models().iter().any(|id| id == model) {
        let params = json!({"sessionId": offer.session, "modelId": model});
        return match wire.request("session/set_model", &params).await {
            Ok(_) => {
                offer.set_model(model);
                Ok(())
            }
            Err(error) => Err(call_failure(wire, &error)),
        };
    }
    let none = choice.is_none() && offer.models().is_empty();
    Err(if none {
        Breach::NoChoice
    } else {
        Breach::NoModel
    }
    .into())
}

/// Sets the effort, if the agent supports efforts.
pub(super) async fn set_effort(wire: &AcpWire, offer: &mut Offer, acp: &Acp, effort: Effort) {
    let wanted = acp
        .effort
        .get(&effort)
        .map_or(effort.name(), String::as_str);
    let Some(choice) = offer.effort_choice() else {
        return;
    };
    if choice.values.iter().any(|value| value == wanted) {
        set_option(wire, offer, &choice, wanted).await.ok();
    }
}

/// Sets an option, unless it already has this value.
async fn set_option(
    wire: &AcpWire,
    offer: &mut Offer,
    choice: &Choice,
    value: &str,
) -> Result<(), Error> {
    if choice.current == value {
        return Ok(());
    }
    let params = json!({"sessionId": offer.session, "configId": choice.id, "value": value});
    let answer = wire.request("session/set_config_option", &params).await?;
    offer.update_options(&answer);
    Ok(())
}

/// Returns whether an error only means that the process has ended.
fn is_lost(wire: &AcpWire, error: &Error) -> bool {
    wire.lost_token().is_cancelled() || agent_client_protocol::is_incoming_transport_closed(error)
}

/// Converts an error response to a call failure.
pub(super) fn call_failure(wire: &AcpWire, error: &Error) -> CallFailure {
    if is_lost(wire, error) {
        wire.breach().into()
    } else {
        CallFailure::Said(Box::new(fault::from_rpc_error(error)))
    }
}
