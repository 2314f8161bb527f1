//! Session records that AI tools leave on disk, read as one model.
//!
//! Each host writes its sessions in a form of its own; a reader per host turns them into a
//! [`RecordedSession`], which says what the record is, and [`Entry`]s in the order in which they came.
//! Entries are given one at a time and not held: what a caller wants to look at again it keeps in
//! a [`RecentEntries`], which has a bound. Nothing here writes to a host's files.

mod entry;
mod examined;
mod handover;
mod host;
mod json;
mod jsonl;
mod lines;
mod location;
mod measures;
mod open_calls;
mod patterns;
mod plan;
mod problem;
mod profile;
mod prose;
mod reader;
mod readers;
mod recent;
mod seen;
mod session;
mod sqlite;
mod stream;
mod text;
mod tool;
mod usage;

pub use entry::{
    Compaction, CompactionTrigger, Entry, EntryKind, Loaded, LoadedKind, Renewal, SubAgent,
    SubAgentState,
};
pub use examined::{
    Check, CondensedSession, DropReason, ExaminedEvidence, ExaminedFinding, ExaminedLine, PartSize,
    ProposedEvidence, ProposedFinding, ProposedRole, SessionPart, Speaker, WrittenSession,
    WrittenSessionError, read_answer,
};
pub use handover::{
    ChangedFile, CitedPlace, CommandOutcome, Compression, Handover, HandoverOptions,
    MAX_HANDOVER_TOKENS, NextStep, OpenTask, Preparation, Quotation, RanCommand, RecordedDecision,
    Tasks, TurnSpan, Work,
};
pub use host::{SessionHost, UnknownHost};
pub use location::Location;
pub use measures::{CallPoint, Measures};
pub use patterns::{
    Cure, EvidenceRole, Findings, FindingsOptions, LoadedText, Pattern, PatternEvidence,
    PatternFinding, Severity, TokenLimits,
};
pub use plan::{PlanChange, PlanItem, PlanState};
pub use problem::{ProblemKind, RecordProblem};
pub use profile::SessionProfile;
pub use reader::{ReadError, ReadProgress, SessionReader};
pub use readers::{
    SessionPlaces, find_sessions, open_session, open_session_at, recognize_session, session_places,
};
pub use recent::RecentEntries;
pub use session::{Origin, RecordedSession, SessionRef};
pub use text::RawText;
pub use tool::{CITATION, Failure, ToolCall, ToolKind, ToolResult};
pub use usage::{CallUsage, Purpose, Tokens};
