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
    /// Whether it has answered at least once.
    pub(super) answered: bool,
    /// The read-only modes.
    pub(super) modes: Vec<String>,
    /// Its calls to its own tools.
    pub(super) calls: Calls,
    /// The settings it was started with.
    pub(super) start: Start,
    /// The current effort.
    pub(super) effort: Effort,
    /// Keeps its working folder until it ends.
    pub(super) _private: PrivateCallFolder,
}

impl Live {
    /// The ID of the conversation.
    pub(super) fn session(&self) -> &SessionId {
        &self.offer.session
    }
}

/// The settings of a process that cannot be changed after its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) reads: Option<PathBuf>,
    pub(super) model: Option<String>,
}
