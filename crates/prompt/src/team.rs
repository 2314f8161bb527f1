//! What the members of a team are told.
//!
//! A member's tool writes files, so its prompt has the same rule as those of a debate: words of
//! others (titles of tasks, specs, skills, diffs, mail) stand in fences.

mod mail;
mod member;
mod order;
#[cfg(test)]
mod tests;

pub use mail::{fence_letter, fence_spec};
pub use member::{MemberBriefing, MemberPrompt, RoleWording, TaskBriefing};
pub use order::{
    CHECKERS, ChangeBriefing, Checker, MAX_PLANNED_TASKS, Order, PlanBriefing, ShownDiff,
    TASK_WEIGHTS, check_order, objection_order, plan_order, repair_order, report_order,
    repositories_order, returned_order, unsolved_order, verdict_order,
};
