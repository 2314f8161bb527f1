//! Requests: plain data, the same for every front end.

mod duel;
mod formal_debate;
mod graph;
mod inquiry;
pub(crate) mod options;
mod seats;
pub mod topic;

pub use agon_agents::profile::Transport;
use agon_caller::bounds::Bounds;
pub use agon_record::decision::DecisionKind;
pub use agon_record::format::Judging;
pub use agon_record::id::{NodeId, Seat};
pub use agon_record::spec::{Effort, ToolName};
pub use agon_record::stamp::StampKind;
pub use duel::StartRequest;
pub use formal_debate::{NewRequest, PlayRequest};
pub use graph::{
    BaseWeights, FileFormat, Gradual, GraphFormat, GraphRequest, MeasureName, Reading, Semantics,
    Task,
};
pub use inquiry::{ConsultRequest, InquiryRequest};
pub use seats::{JudgesRequest, SeatRequest, SeatsRequest};
use serde::{Deserialize, Serialize};
pub use ulid::Ulid;

/// Separates several sources in one `context` text.
///
/// A NUL, since no file name and no program argument can contain one.
pub const CONTEXT_SEPARATOR: char = '\0';

/// A text that every seat gets and that is in no file: pasted, or unsaved in an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedText {
    /// The path by which it is cited: one line, unique, like that of a project file.
    pub name: String,
    /// The text, without NUL. The whole context has at most 200 KiB.
    pub text: String,
}

/// What every seat is given of the changes of commits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSelection {
    /// The changed files that are given.
    pub paths: Vec<String>,
    /// Lines before the changes, as untrusted as they are.
    pub preface: String,
}

/// Returns a unique id for a debate whose caller wants to know it before the debate opens.
pub fn new_debate_id() -> Ulid {
    agon_caller::system::new_ulid()
}

/// A request to resume a debate that was stopped, interrupted or halted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResumeRequest {
    /// The debate: a folder, a name or an id; `None` means the only one.
    pub debate: Option<String>,
    /// A person's answer, submitted first.
    pub answer: Option<WrittenAnswer>,
    /// The seat of the answer, if the debate waits for several people.
    pub seat: Option<Seat>,
    /// Whether to submit an answer that breaks rules: it is sent back once, then accepted.
    pub as_is: bool,
    /// Whether to ask again if a stored reply belongs to a different prompt.
    pub ask_again: bool,
    /// Whether it runs in the background.
    pub detach: bool,
    /// The transport for every tool; `None` keeps the previous one.
    pub transport: Option<Transport>,
    /// Tools that take over seats.
    pub replace: Vec<(Seat, ToolName)>,
    /// Whether another tool takes the seat of a side that failed before it spoke.
    pub substitute: bool,
    /// Whether another process opened the debate and started this one to run it.
    #[serde(skip)]
    pub is_handed: bool,
    /// The limits.
    pub bounds: Bounds,
}

/// An answer written by a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenAnswer {
    /// Its name in messages, such as the file name.
    pub name: String,
    /// The text.
    pub bytes: Vec<u8>,
    /// Whether this is the only copy, which is saved if the answer is rejected.
    pub is_only_copy: bool,
}

/// A request to continue a debate that has ended, or to extend a running one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExtendRequest {
    /// The debate: a folder, a name or an id; `None` means the only one.
    pub debate: Option<String>,
    /// The number of additional rounds; `None` means one.
    pub rounds: Option<u16>,
    /// A note to add first.
    pub note: Option<String>,
    /// How to continue; the debate named in it is ignored.
    pub how: ResumeRequest,
}
