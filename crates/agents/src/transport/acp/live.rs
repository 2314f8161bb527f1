//! A process in the middle of a conversation.

use std::path::PathBuf;

use agent_client_protocol::v1::schema::SessionId;
use agon_record::spec::Effort;

use super::calls::Calls;
use super::offer::Offer;
use super::usage::Meter;
use super::wire::AcpWire;
use crate::transport::call::PrivateCallFolder;

/// A process in the middle of a conversation.
pub(super) struct Live {
    pub(super) wire: AcpWire,
    pub(super) offer: Offer,
    pub(super) meter: Meter,
    /// It has answered at least once.
    pub(super) answered: bool,
    /// The modes that only read.
    pub(super) modes: Vec<String>,
    /// The calls of its own tools that it has begun.
    pub(super) calls: Calls,
    /// What it was started for.
    pub(super) start: Start,
    /// How hard it thinks now.
    pub(super) effort: Effort,
    /// The folder it runs in lasts as long as it does.
    pub(super) _private: PrivateCallFolder,
}

impl Live {
    /// The name of the conversation.
    pub(super) fn session(&self) -> &SessionId {
        &self.offer.session
    }
}

/// What a process is started for and cannot be changed afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) reads: Option<PathBuf>,
    pub(super) model: Option<String>,
}
