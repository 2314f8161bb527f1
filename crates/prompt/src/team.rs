//! Prompts for the members of a team.
//!
//! As in a debate, untrusted text (task titles, specs, skills, diffs, mail) is fenced, especially
//! since a member's tool writes files.

mod mail;
mod member;
mod order;
#[cfg(test)]
mod tests;

pub use mail::{fence_letter, fence_spec};
pub use member::{MemberBriefing, MemberPrompt, RoleWording, TaskBriefing};
pub use order::{
    CHECKERS, ChangeBriefing, Checker, MAX_PLANNED_TASKS, Order, PlanBriefing, ShownDiff,
    TASK_WEIGHTS, check_order, critic_order, plan_order, remove_repositories_order, repair_order,
    returned_order, scout_order, solve_conflicts_order, verdict_order,
};
