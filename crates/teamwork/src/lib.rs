//! Team operations: several agents working in one repository.

mod adopt;
mod board;
mod broken_locks;
mod change;
mod clean;
mod doctor;
pub mod documents;
mod edit_limit;
pub mod gate;
mod git;
pub mod hook;
mod join;
mod lease;
mod lock;
mod log;
mod lost_sessions;
mod mail;
mod mail_budget;
mod member;
mod member_report;
mod member_trees;
mod new_task;
mod open_team;
mod own_task;
pub mod permissions;
pub mod policy;
pub mod precommit;
mod prompt;
mod record;
mod release;
mod review;
mod run;
mod run_policy;
mod scratch;
#[cfg(test)]
mod settings_effects;
mod show;
mod spans;
mod start;
mod status;
mod submit;
mod task;
mod text;
mod tool_settings;
mod tree;
mod trees;
mod turn;
mod unmerged;
mod unread_notice;
mod usage;
mod version;
mod wait_text;
mod watch;
pub mod worktree;

pub use agon_team::change::{Change, Review, TaskEvidence};
pub use agon_team::gate::{
    CommandGate, ContextGate, ContextLevel, DebateGate, EvidenceGate, GateDefinition, GateStanding,
    SwapWanted, WantedAuthority,
};
pub use agon_team::glob::{GlobSet, PathGlob};
pub use agon_team::id::{
    Epoch, GateName, LockId, MemberName, MessageId, RoleName, RunId, SessionId, TaskId,
};
pub use agon_team::ladder::{Rung, SessionState};
pub use agon_team::lock::{LockMode, PathLock};
pub use agon_team::mail::MailState;
pub use agon_team::policy::{MemberSpending, PolicyEffect};
pub use agon_team::store::{
    Breach, ClaimRequest, EventDoc, HolderStep, ImportReport, ImportedRow, JoinRequest,
    LockRequest, MailHeader, MemberDoc, NewTask, RunStage, SessionDoc, TaskEdit, TaskPlace,
    TeamLimits, TeamStep,
};
pub use agon_team::task::{Assignee, Label, LabelError, Task, TaskState, WaitReason};
pub use agon_team::why::WaitsFor;
pub use agon_team::worktree::WorktreeSettings;

pub use self::adopt::{Imported, TEAM_ADOPTED_SCHEMA, TeamAdoptedDoc, import};
pub use self::board::{
    BoardLock, BoardMember, BoardTask, TEAM_BOARD_SCHEMA, TEAM_WORK_SCHEMA, TeamBoardDoc,
    TeamWorkDoc, board, work,
};
pub use self::broken_locks::BrokenLock;
pub use self::change::{assign, edit, move_task};
pub use self::clean::{CleanRequest, Leftover, TEAM_CLEAN_SCHEMA, TeamCleanDoc, clean, plan_clean};
pub use self::doctor::{TEAM_DOCTOR_SCHEMA, TeamDoctorDoc, doctor};
pub use self::join::{
    TEAM_JOINED_SCHEMA, TEAM_LEFT_SCHEMA, TEAM_SCHEMA, TeamDoc, TeamJoinedDoc, TeamLeftDoc, init,
    join, leave,
};
pub use self::lock::{
    TEAM_LOCK_SCHEMA, TEAM_LOCKS_SCHEMA, TEAM_UNLOCKED_SCHEMA, TeamLockDoc, TeamLocksDoc,
    TeamUnlockedDoc, lock, locks, unlock,
};
pub use self::log::{
    LogRequest, TEAM_EVENT_SCHEMA, TEAM_LOG_SCHEMA, TeamEventDoc, TeamLogDoc, format_event_time,
    log,
};
pub use self::mail::{
    FetchRequest, MailFilter, SendRequest, TEAM_MAIL_ACKNOWLEDGED_SCHEMA, TEAM_MAIL_LIST_SCHEMA,
    TEAM_MAIL_SCHEMA, TEAM_MAIL_SENT_SCHEMA, TeamMailAcknowledgedDoc, TeamMailDoc, TeamMailListDoc,
    TeamMailSentDoc, acknowledge, fetch, format_mail_time, list as mail_list, send, thread,
};
pub use self::mail_budget::{Cursor, MailBudget, TeamLetter};
pub use self::member::{is_joined, is_started_member_host};
pub use self::member_report::{TEAM_MEMBER_SCHEMA, TeamMemberDoc, member};
pub use self::own_task::own_task;
pub use self::record::{
    TEAM_EXPORTED_SCHEMA, TEAM_IMPORTED_SCHEMA, TeamExportedDoc, TeamImportedDoc, export, export_to,
};
pub use self::release::release;
pub use self::review::{ReviewRequest, review};
pub use self::run::{
    LeftOutTask, RunRequest, RunTaskReport, TEAM_LANDED_SCHEMA, TEAM_RUN_SCHEMA, TeamLandedDoc,
    TeamRunDoc, TeamRunState, land, nothing_executed_reason, run,
};
pub use self::show::{
    NeededTask, ShownGate, TEAM_SHOWN_SCHEMA, TEAM_TASKS_SCHEMA, TaskFilter, TeamShownDoc,
    TeamTasksDoc, show, tasks,
};
pub use self::start::{StartRequest, TEAM_STARTED_SCHEMA, TeamStartedDoc, start, turn};
pub use self::status::{TEAM_STATUS_SCHEMA, TeamMemberState, TeamStatusDoc, TeamTaskState, status};
pub use self::submit::{SubmitRequest, locks_on_submitted_paths, submit};
pub use self::task::{
    TEAM_TASK_SCHEMA, TEAM_WHY_SCHEMA, TeamTaskDoc, TeamWhyDoc, add, add_need, claim, direct, done,
    epoch_or_current, remove_need, step, why,
};
pub use self::turn::{TeamCheck, TeamTurn};
pub use self::unmerged::mark_unmerged;
pub use self::usage::{
    TEAM_USAGE_SCHEMA, TeamUsageDoc, TeamUsageGroup, TeamUsageRequest, TeamUsageSum, usage,
};
pub use self::version::version;
pub use self::wait_text::{describe_missing, describe_standing, describe_wait};
pub use self::watch::{TEAM_WATCH_SCHEMA, TeamWatchDoc, WatchedSession, watch};
