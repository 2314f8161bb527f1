//! How a host asks, and how it takes an answer.

use super::HookEvent;

/// How a host is brought to ask.
#[derive(Clone, Copy, Debug)]
pub struct HookForm {
    /// What it calls an event; empty where it has none like it.
    pub event_name: fn(HookEvent) -> &'static str,
    /// What its user does before they run, where that is anything.
    pub next_step: Option<&'static str>,
    /// The tools that edit files, by its names for them.
    pub edit_tools: &'static [&'static str],
    /// Where it is written down.
    pub(crate) place: HookPlace,
    /// How it takes an answer.
    pub(crate) replies: ReplyForm,
    /// Whether what a hook prints before a compaction goes to the model as it is.
    pub(crate) takes_text_at_compaction: bool,
}

/// Where a host's hooks are written down.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HookPlace {
    /// In lists by event below `hooks` of a file that may have other settings.
    Lists {
        /// Tools besides those that edit which it asks about before an edit.
        also_matched: &'static [&'static str],
        /// Milliseconds of its unit of time: 1 or 1,000.
        time_unit_ms: u64,
    },
    /// In a file of Agon's own.
    OwnFile(fn(program: &str) -> String),
}

/// How a host takes an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyForm {
    /// In `hookSpecificOutput`.
    Nested,
    /// A note in `hookSpecificOutput`, a refusal as `decision`.
    Decision,
    /// As keys of the answer itself.
    Flat,
    /// By keys of Agon's own, which its plugin reads.
    Plugin,
}
