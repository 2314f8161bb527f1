//! Reads the session records of AI tools into one data model.
//!
//! Each host has its own record format. A reader per host turns a record into a
//! [`RecordedSession`], which describes it, and [`Entry`]s in the order they were recorded. Readers
//! pass on one entry at a time and keep none. A caller that needs entries again keeps them in a
//! [`RecentEntries`], which has a size limit. This crate never writes to a host's files.

mod command_line;
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
    ChangedFile, CitedPlace, CommandOutcome, Compression, Exchange, Exchanges, Handover,
    HandoverOptions, LastWords, MAX_BRIEF_TOKENS, MAX_EXCHANGE_TOKENS, MAX_HANDOVER_TOKENS,
    NextStep, OpenTask, Preparation, Quotation, RanCommand, RecordedDecision, TaskSource, Tasks,
    TurnSpan, Work,
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
