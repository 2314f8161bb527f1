//! Ways to speak to a tool.

mod acp;
mod call;
mod cli;
mod http;
mod human;
mod reach;

use std::sync::Arc;

use crate::agent::Agent;
use crate::environment::Environment;
use crate::profile::{Profile, Transport};

pub(crate) use call::Places;
pub(crate) use http::plain;

pub use acp::{AcpAgent, Breach};
pub use cli::CliAgent;
pub use http::HttpAgent;

/// An agent for what no program of its own stands for: a server, a model, a person.
pub(crate) fn apart(
    transport: Transport,
    profile: &Profile,
    here: &Environment,
    places: &Places,
) -> Option<Arc<dyn Agent>> {
    match transport {
        Transport::Http => {
            let agent = HttpAgent::new(profile.clone(), here.clone(), places.clone())?;
            Some(Arc::new(agent))
        }
        Transport::Human => Some(Arc::new(human::Person::new(profile.name.clone()))),
        Transport::Local => None,
        Transport::Cli | Transport::Acp => None,
    }
}
