//! A team: several agents on one repository.

mod door;
mod join;
mod lease;
mod member;
mod prompt;
mod run;
mod start;
mod status;
mod task;
mod trees;
mod turn;
mod watch;

pub use agon_team::id::{Epoch, MemberName, RoleName, RunId, SessionId, TaskId};
pub use agon_team::ladder::{Rung, SessionState};
pub use agon_team::store::{
    ClaimRequest, HolderStep, JoinRequest, MemberDoc, NewTask, RunStage, SessionDoc, TeamLimits,
    TeamStep,
};
pub use agon_team::task::{Task, TaskState, WaitReason};
pub use agon_team::why::WaitsFor;

pub use self::join::{
    TEAM_JOINED_SCHEMA, TEAM_LEFT_SCHEMA, TEAM_SCHEMA, TeamDoc, TeamJoinedDoc, TeamLeftDoc, init,
    join, leave,
};
pub use self::run::{
    RunRequest, RunTaskReport, TEAM_LANDED_SCHEMA, TEAM_RUN_SCHEMA, TeamLandedDoc, TeamRunDoc,
    land, run,
};
pub use self::start::{StartRequest, TEAM_STARTED_SCHEMA, TeamStartedDoc, start, turn};
pub use self::status::{TEAM_STATUS_SCHEMA, TeamMemberState, TeamStatusDoc, TeamTaskState, status};
pub use self::task::{
    TEAM_TASK_SCHEMA, TEAM_WHY_SCHEMA, TeamTaskDoc, TeamWhyDoc, add, add_need, claim, direct, done,
    remove_need, step, submit, why,
};
pub use self::turn::TeamTurn;
pub use self::watch::{TEAM_WATCH_SCHEMA, TeamWatchDoc, WatchedSession, watch};
