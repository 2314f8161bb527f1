//! Session records that AI tools leave on disk, read as one model.
//!
//! Each host writes its sessions in a form of its own; a reader per host turns them into a
//! [`Session`], which says what the record is, and [`Entry`]s in the order in which they came.
//! Entries are given one at a time and not held: what a caller wants to look at again it keeps in
//! a [`RecentEntries`], which has a bound. Nothing here writes to a host's files.

mod entry;
mod handover;
mod host;
mod location;
mod measures;
mod patterns;
mod plan;
mod problem;
mod prose;
mod reader;
mod recent;
mod session;
mod text;
mod tool;
mod usage;

pub use entry::{
    Compaction, CompactionTrigger, Entry, EntryKind, Loaded, LoadedKind, SubAgent, SubAgentState,
};
pub use handover::{
    CitedPlace, Compression, Handover, HandoverOptions, MAX_HANDOVER_TOKENS, NextStep, OpenTask,
    Preparation, Quotation, Span, Tasks,
};
pub use host::{Host, UnknownHost};
pub use location::Location;
pub use measures::{CallPoint, Measures};
pub use patterns::{
    Cure, Evidence, EvidenceRole, Finding, Findings, FindingsOptions, LoadedText, Pattern,
    Severity, TokenLimits,
};
pub use plan::{PlanChange, PlanItem, PlanState};
pub use problem::{Problem, ProblemKind};
pub use reader::{Progress, ReadError, SessionReader};
pub use recent::RecentEntries;
pub use session::{Origin, Session};
pub use text::RawText;
pub use tool::{Failure, ToolCall, ToolKind, ToolResult};
pub use usage::{Purpose, Tokens, Usage};
