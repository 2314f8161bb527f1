//! Ways to speak to a tool.

mod acp;
mod call;
mod cli;
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
    _profile: &Profile,
    _here: &Environment,
    _places: &Places,
) -> Option<Arc<dyn Agent>> {
    match transport {
        Transport::Http | Transport::Local | Transport::Human => None,
        Transport::Cli | Transport::Acp => None,
    }
}
