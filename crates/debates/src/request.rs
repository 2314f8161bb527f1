//! What can be asked for: plain data, the same from every front end.

mod duel;
mod formal;
mod graph;
mod inquiry;
pub(crate) mod options;
mod seats;
pub mod topic;

pub use agon_agents::profile::Transport;
use agon_caller::bounds::Bounds;
pub use agon_record::format::Judging;
pub use agon_record::id::{NodeId, Seat};
pub use agon_record::spec::{Effort, ToolName};
pub use agon_record::stamp::StampKind;
pub use duel::StartRequest;
pub use formal::{NewRequest, PlayRequest};
pub use graph::{
    BaseWeights, FileFormat, Gradual, GraphFormat, GraphRequest, MeasureName, Reading, Semantics,
    Task,
};
pub use inquiry::{ConsultRequest, InquiryRequest};
pub use seats::{JudgesRequest, SeatRequest, SeatsRequest};
use serde::{Deserialize, Serialize};
pub use ulid::Ulid;

/// What stands between several things to read in the text that names them.
///
/// No file can have it in its name, and no program can be given it as an argument.
pub const CONTEXT_SEPARATOR: char = '\0';

/// A text that every seat is given, which is in no file: pasted, or open in an editor and not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedText {
    /// What it is cited by: a path as of a file in the project, on one line, of no other text.
    pub name: String,
    /// What is in it, without NUL. With the rest of the context at most 200 KiB.
    pub text: String,
}

/// A unique name for a debate that its caller wants to know before it is opened.
pub fn new_debate_id() -> Ulid {
    agon_caller::system::new_ulid()
}

/// A debate that was stopped, cut off or halted is to go on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ResumeRequest {
    /// The debate: a folder, a name or an id; the only one where none is named.
    pub debate: Option<String>,
    /// A person's answer, handed in before it goes on.
    pub answer: Option<WrittenAnswer>,
    /// The seat that the answer is of, where several people are awaited.
    pub seat: Option<Seat>,
    /// Whether an answer that breaks rules is handed in: it is sent back once, then taken.
    pub as_is: bool,
    /// Whether a stored reply that answers something else is asked for again.
    pub ask_again: bool,
    /// Whether it runs in the background.
    pub detach: bool,
    /// How every tool is spoken to; as before where nothing is set.
    pub transport: Option<Transport>,
    /// Tools that take seats in the place of those that sat there.
    pub replace: Vec<(Seat, ToolName)>,
    /// Whether another tool takes the seat of each side that could not be used before it spoke.
    pub substitute: bool,
    /// Whether this process was started to go on with a debate that another one opened.
    #[serde(skip)]
    pub is_handed: bool,
    /// The bounds.
    pub bounds: Bounds,
}

/// An answer that a person wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenAnswer {
    /// What it is called in a message, such as the name of its file.
    pub name: String,
    /// What was written.
    pub bytes: Vec<u8>,
    /// Whether nothing else has it, so that it is kept where it is refused.
    pub is_only_copy: bool,
}

/// A debate that has ended is to go on, or one that runs is to go on longer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExtendRequest {
    /// The debate: a folder, a name or an id; the only one where none is named.
    pub debate: Option<String>,
    /// How many rounds more; one where nothing is set.
    pub rounds: Option<u16>,
    /// What is said into it first.
    pub note: Option<String>,
    /// How it goes on; the debate that this names is not looked at.
    pub how: ResumeRequest,
}
