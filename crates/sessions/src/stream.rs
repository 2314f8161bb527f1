//! The common state of the readers.

use jiff::Timestamp;

use crate::problem::{self, ProblemKind, RecordProblem};
use crate::profile::SessionProfile;
use crate::{Entry, EntryKind, Location, Purpose, RecordedSession};

/// The session so far, its counters and problems.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) session: RecordedSession,
    pub(crate) problems: Vec<RecordProblem>,
    index: u64,
    turn: u32,
    call: u32,
}

/// The fields that all entries of one line or row share.
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

/// A stream and the receiver of its entries.
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

    /// Returns the index of the next entry.
    pub(crate) fn next_index(&self) -> u64 {
        self.index
    }

    /// Sets the host's version and notes a problem if it is newer than the tested one.
    pub(crate) fn set_version(&mut self, version: String, tried: &SessionProfile, at: &Location) {
        if tried.is_newer(&version) {
            self.note(ProblemKind::NewerVersion, at, Some(&version));
        }
        self.session.version = Some(version);
    }

    /// Notes a problem.
    pub(crate) fn note(&mut self, kind: ProblemKind, at: &Location, detail: Option<&str>) {
        problem::note(&mut self.problems, kind, Some(at.clone()), detail);
    }
}

impl Output<'_> {
    /// Passes on one entry and returns its index.
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

    /// Notes a problem.
    pub(crate) fn note(&mut self, kind: ProblemKind, at: &Location, detail: Option<&str>) {
        self.stream.note(kind, at, detail);
    }
}
