//! What every reader keeps while it reads, and how it gives an entry.

use jiff::Timestamp;

use crate::problem::{self, ProblemKind, RecordProblem};
use crate::profile::SessionProfile;
use crate::{Entry, EntryKind, Location, Purpose, RecordedSession};

/// The session so far, its counters and what could not be read.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) session: RecordedSession,
    pub(crate) problems: Vec<RecordProblem>,
    index: u64,
    turn: u32,
    call: u32,
}

/// Where the entries of one line or row stand: what they share.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) location: Location,
    pub(crate) time: Option<Timestamp>,
    pub(crate) agent: Option<String>,
    pub(crate) copied: bool,
}

impl Origin {
    pub(crate) fn new(location: Location) -> Self {
        Self {
            location,
            time: None,
            agent: None,
            copied: false,
        }
    }
}

/// A stream and the one who is given its entries.
pub(crate) struct Output<'s> {
    pub(crate) stream: &'s mut Stream,
    pub(crate) give: &'s mut dyn FnMut(Entry),
}

impl Stream {
    pub(crate) fn new(session: RecordedSession) -> Self {
        Self {
            session,
            problems: Vec::new(),
            index: 0,
            turn: 0,
            call: 0,
        }
    }

    /// The index that the next entry will have.
    pub(crate) fn next_index(&self) -> u64 {
        self.index
    }

    /// Sets the version of the host, and notes one that is newer than those that were tried.
    pub(crate) fn set_version(&mut self, version: String, tried: &SessionProfile, at: &Location) {
        if tried.is_newer(&version) {
            self.note(ProblemKind::NewerVersion, at, Some(&version));
        }
        self.session.version = Some(version);
    }

    /// Notes something that could not be read.
    pub(crate) fn note(&mut self, kind: ProblemKind, at: &Location, detail: Option<&str>) {
        problem::note(&mut self.problems, kind, Some(at.clone()), detail);
    }
}

impl Output<'_> {
    /// Gives one entry, and returns its index.
    pub(crate) fn push(&mut self, origin: &Origin, kind: EntryKind) -> u64 {
        let stream = &mut *self.stream;
        let index = stream.index;
        stream.index += 1;
        if origin.agent.is_none() {
            match &kind {
                EntryKind::Prompt(_) => stream.turn = stream.turn.saturating_add(1),
                EntryKind::Usage(usage)
                    if usage.purpose == Purpose::Work && usage.replaces.is_none() =>
                {
                    stream.call = stream.call.saturating_add(1);
                }
                _ => {}
            }
        }
        (self.give)(Entry {
            index,
            turn: stream.turn,
            call: stream.call,
            agent: origin.agent.clone(),
            copied: origin.copied,
            location: origin.location.clone(),
            time: origin.time,
            kind,
        });
        index
    }

    /// Notes something that could not be read.
    pub(crate) fn note(&mut self, kind: ProblemKind, at: &Location, detail: Option<&str>) {
        self.stream.note(kind, at, detail);
    }
}
