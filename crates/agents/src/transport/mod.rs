//! Ways to speak to a tool.

mod acp;
mod call;
mod cli;
mod human;
mod reach;

use std::sync::Arc;

use crate::agent::Agent;
use crate::environment::Environment;
use crate::profile::{Profile, Transport};

pub(crate) use call::Places;

pub use acp::{AcpAgent, Breach};
pub use cli::CliAgent;

/// An agent for what no program of its own stands for: a server, a model, a person.
pub(crate) fn apart(
    transport: Transport,
    profile: &Profile,
    _here: &Environment,
    _places: &Places,
) -> Option<Arc<dyn Agent>> {
    match transport {
        Transport::Human => Some(Arc::new(human::Person::new(profile.name.clone()))),
        Transport::Http | Transport::Local => None,
        Transport::Cli | Transport::Acp => None,
    }
}
