//! A process with an open conversation.

use std::path::PathBuf;

use agent_client_protocol::v1::schema::SessionId;
use agon_record::spec::Effort;

use super::calls::Calls;
use super::offer::Offer;
use super::usage::Meter;
use super::wire::AcpWire;
use crate::transport::call::PrivateCallFolder;

/// A process with an open conversation.
pub(super) struct Live {
    pub(super) wire: AcpWire,
    pub(super) offer: Offer,
    pub(super) meter: Meter,
    /// Whether the agent has answered at least once.
    pub(super) answered: bool,
    /// The read-only modes, one of which must stay current.
    pub(super) modes: Vec<String>,
    /// The agent's calls to its own tools.
    pub(super) calls: Calls,
    /// The settings with which the process was started.
    pub(super) start: Start,
    /// The effort that is currently set.
    pub(super) effort: Effort,
    /// The private folder, kept until the process ends.
    pub(super) _private: PrivateCallFolder,
}

impl Live {
    /// Returns the ID of the conversation.
    pub(super) fn session(&self) -> &SessionId {
        &self.offer.session
    }
}

/// The settings that cannot be changed after the process has started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) reads: Option<PathBuf>,
    pub(super) model: Option<String>,
}
