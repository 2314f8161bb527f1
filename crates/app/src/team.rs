//! A team: several agents on one repository.

mod door;
pub mod gate;
mod git;
pub mod hook;
mod join;
mod member;
pub mod policy;
pub mod precommit;
mod scratch;
mod status;
mod task;
mod tree;
mod unread_said;

pub use agon_team::gate::{
    CommandGate, DebateGate, EvidenceGate, GateDefinition, GateStanding, SwapWanted,
    WantedAuthority,
};
pub use agon_team::id::{Epoch, GateName, MemberName, RoleName, TaskId};
pub use agon_team::policy::{MemberSpending, PolicyEffect};
pub use agon_team::store::{ClaimRequest, HolderStep, JoinRequest, MemberDoc, NewTask, TeamStep};
pub use agon_team::task::{Task, TaskState, WaitReason};
pub use agon_team::why::WaitsFor;

pub use self::join::{
    TEAM_JOINED_SCHEMA, TEAM_LEFT_SCHEMA, TEAM_SCHEMA, TeamDoc, TeamJoinedDoc, TeamLeftDoc, init,
    join, leave,
};
pub use self::status::{TEAM_STATUS_SCHEMA, TeamMemberState, TeamStatusDoc, TeamTaskState, status};
pub use self::task::{
    TEAM_TASK_SCHEMA, TEAM_WHY_SCHEMA, TeamTaskDoc, TeamWhyDoc, add, add_need, claim, direct, done,
    remove_need, step, submit, why,
};
