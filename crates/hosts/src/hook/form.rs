//! A host's format for hooks and for their answers.

use super::HookEvent;
use super::plan::PlanHook;

/// A host's format for hooks.
#[derive(Clone, Copy, Debug)]
pub struct HookForm {
    /// Returns the host's name for an event; empty if it has no such event.
    pub event_name: fn(HookEvent) -> &'static str,
    /// What the user must do before the hooks run, if anything.
    pub next_step: Option<&'static str>,
    /// How the end of its plan mode is seen; `None` if no hook sees it.
    pub plan: Option<PlanHook>,
    /// The host's names of tools that edit files.
    pub edit_tools: &'static [&'static str],
    /// Where hooks are stored.
    pub(crate) place: HookPlace,
    /// Format of an answer.
    pub(crate) replies: ReplyForm,
    /// Whether the plain output of a hook before a compaction is passed to the model.
    pub(crate) takes_text_at_compaction: bool,
}

/// Where a host stores hooks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HookPlace {
    /// In lists by event below `hooks`, in a file that may have other settings.
    Lists {
        /// Other tools for which the hook before an edit is called too.
        also_matched: &'static [&'static str],
        /// Milliseconds per unit of its timeouts: 1 or 1,000.
        time_unit_ms: u64,
    },
    /// In a separate file that belongs to Agon.
    OwnFile(fn(program: &str, events: &[HookEvent]) -> String),
}

/// Format in which a host reads an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyForm {
    /// In `hookSpecificOutput`.
    Nested,
    /// A note in `hookSpecificOutput`, a refusal as `decision`.
    Decision,
    /// As top-level keys.
    Flat,
    /// As Agon's own keys, which its plugin reads.
    Plugin,
}
