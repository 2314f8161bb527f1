//! Hooks: a host calls Agon before and after its model uses a tool, and reads the answer.

mod call;
mod form;
mod plan;
mod reply;
mod setup;

pub use self::call::{HookCall, HookCallError};
pub use self::form::HookForm;
pub(crate) use self::form::{HookPlace, ReplyForm};
pub use self::plan::{PlanCall, PlanHook, PlanSource};
pub use self::reply::{HookOutput, HookReply};
pub use self::setup::HookSetup;
pub(crate) use self::setup::{TIMEOUT_MS, command_line};

/// Event at which a host calls a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookEvent {
    /// Before its model edits a file.
    PreEdit,
    /// After its model used a tool.
    PostTool,
    /// Before its model's turn ends.
    Stop,
    /// When a session begins.
    SessionStart,
    /// Before the context is compacted.
    PreCompact,
    /// Before its model ends plan mode.
    PlanEnd,
    /// When the user has sent a prompt.
    Prompt,
}

impl HookEvent {
    /// All events.
    pub const ALL: [Self; 7] = [
        Self::PreEdit,
        Self::PostTool,
        Self::Stop,
        Self::SessionStart,
        Self::PreCompact,
        Self::PlanEnd,
        Self::Prompt,
    ];
    /// The events of a team's hooks.
    pub const TEAM: [Self; 5] = [
        Self::PreEdit,
        Self::PostTool,
        Self::Stop,
        Self::SessionStart,
        Self::PreCompact,
    ];

    /// Returns its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PreEdit => "pre-edit",
            Self::PostTool => "post-tool",
            Self::Stop => "stop",
            Self::SessionStart => "session-start",
            Self::PreCompact => "pre-compact",
            Self::PlanEnd => "plan-end",
            Self::Prompt => "prompt",
        }
    }

    /// Returns the event with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}
