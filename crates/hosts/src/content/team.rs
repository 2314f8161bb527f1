//! The content for teams: roles, with their skills and commands.

use super::{Content, ContentError, content, parse};

/// Every file of `content/` for teams. Add a new role, or a skill or command for teams, here.
/// Packages contain none of them.
pub const TEAM_FILES: &[(&str, &str)] = &[
    content!("roles/lead.md"),
    content!("roles/planner.md"),
    content!("roles/strategist.md"),
    content!("roles/advisor.md"),
    content!("roles/scout.md"),
    content!("roles/librarian.md"),
    content!("roles/worker.md"),
    content!("roles/heavy-worker.md"),
    content!("roles/deep-worker.md"),
    content!("roles/quick.md"),
    content!("roles/ui-worker.md"),
    content!("roles/ui-heavy-worker.md"),
    content!("roles/executor.md"),
    content!("roles/reviewer.md"),
    content!("roles/validator.md"),
    content!("roles/qa.md"),
    content!("roles/auditor.md"),
    content!("roles/critic.md"),
    content!("roles/devil.md"),
    content!("roles/scribe.md"),
    content!("skills/advanced-evaluation/SKILL.md"),
    content!("skills/context-degradation/SKILL.md"),
    content!("skills/context-engineering/SKILL.md"),
    content!("skills/design-first/SKILL.md"),
    content!("skills/dispatching-parallel-agents/SKILL.md"),
    content!("skills/drift-analysis/SKILL.md"),
    content!("skills/evaluation/SKILL.md"),
    content!("skills/executing-plans/SKILL.md"),
    content!("skills/handoff-protocols/SKILL.md"),
    content!("skills/judge-with-debate/SKILL.md"),
    content!("skills/parallel-investigation/SKILL.md"),
    content!("skills/prompt-engineering/SKILL.md"),
    content!("skills/reflexion-critique/SKILL.md"),
    content!("skills/reflexion-reflect/SKILL.md"),
    content!("skills/root-cause-analysis/SKILL.md"),
    content!("skills/structured-code-review/SKILL.md"),
    content!("skills/task-decomposition/SKILL.md"),
    content!("skills/test-prompt/SKILL.md"),
    content!("skills/thought-based-reasoning/SKILL.md"),
    content!("skills/verification-before-completion/SKILL.md"),
    content!("skills/verification-gates/SKILL.md"),
    content!("commands/init.md"),
    content!("commands/init-deep.md"),
    content!("commands/plan.md"),
    content!("commands/execute.md"),
    content!("commands/review.md"),
    content!("commands/quality.md"),
    content!("commands/inspect.md"),
    content!("commands/status.md"),
];

/// Returns the content for teams.
///
/// # Errors
///
/// If a file does not have the format of its folder; a test makes sure that all do.
pub fn team() -> Result<Content, ContentError> {
    parse(TEAM_FILES)
}
