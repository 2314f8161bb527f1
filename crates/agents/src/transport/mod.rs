//! The transports for calling tools.

mod acp;
mod call;
mod cli;
mod http;
mod human;
#[cfg(feature = "local-model")]
mod local;
#[cfg(not(feature = "local-model"))]
#[path = "nothing_local.rs"]
mod local;
mod reach;

use std::sync::Arc;

use crate::agent::Agent;
use crate::environment::Environment;
use crate::profile::{Profile, Transport};

pub(crate) use call::{CallSlots, PrivateCallFolder, error_without_usage, validate_model_name};
pub(crate) use http::base_client_builder;
pub(crate) use local::missing_requirement;
pub(crate) use reach::other_address;

pub use acp::AcpAgent;
pub use call::is_model_name;
pub use cli::CliAgent;
pub use http::HttpAgent;

/// What a tool that runs in this process still needs before it can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The missing requirement.
    pub what: String,
    /// What to do about it.
    pub hint: String,
}

/// Creates an agent for a tool without a program: a server, a model or a person.
pub(crate) fn in_process_agent(
    transport: Transport,
    profile: &Profile,
    here: &Environment,
    places: &CallSlots,
) -> Option<Arc<dyn Agent>> {
    match transport {
        Transport::Http => {
            let agent = HttpAgent::new(profile.clone(), here.clone(), places.clone())?;
            Some(Arc::new(agent))
        }
        Transport::Human => Some(Arc::new(human::HumanAgent::new(profile.name.clone()))),
        Transport::Local => local_agent(profile, here, places),
        Transport::Cli | Transport::Acp => None,
    }
}

#[cfg(feature = "local-model")]
fn local_agent(
    profile: &Profile,
    here: &Environment,
    places: &CallSlots,
) -> Option<Arc<dyn Agent>> {
    Some(Arc::new(local::LocalAgent::new(profile, here, places)?))
}

#[cfg(not(feature = "local-model"))]
fn local_agent(
    _profile: &Profile,
    _here: &Environment,
    _slots: &CallSlots,
) -> Option<Arc<dyn Agent>> {
    None
}
