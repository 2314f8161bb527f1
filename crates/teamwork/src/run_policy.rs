//! Combines a team's settings to the values that a run or a member's turn uses.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use agon_hosts::defaults::Resolved;
use agon_hosts::defaults::flags::FlagValue;
use agon_team::gate::WantedAuthority;
use agon_team::run_policy::{DebatedChanges, RunPolicy};

// A turn mostly waits for its model, so two turns can share a processor.
/// The number of simultaneous turns per processor.
const PER_PROCESSOR: usize = 2;
/// The default share of a member's remaining context that skills may take, in percent.
const SKILLS_SHARE: u32 = 10;

/// Builds a run's policy from the settings: the current profile, its team and the flags.
///
/// The values were validated when the settings were read. If a value still has the wrong type, the
/// default of [`RunPolicy`] applies.
pub(super) fn resolve(resolved: &Resolved) -> RunPolicy {
    let mut policy = RunPolicy::default();
    if let Some((name, profile)) = resolved.profile() {
        policy.profile = Some(name.to_owned());
        policy.team.clone_from(&profile.team);
    }
    if let Some(team) = resolved.defaults.teams.teams.get(&policy.team) {
        let count = |(role, count): (&str, i64)| {
            (role.to_owned(), u32::try_from(count).unwrap_or_default())
        };
        policy.members = team.roles().map(count).collect();
        policy.hosts.clone_from(&team.hosts);
        policy.checked_by.clone_from(&team.checked_by);
    }
    let flag = |name: &str| resolved.flag(name).map(|(value, _)| value);
    let is_on = |name: &str| matches!(flag(name), Some(FlagValue::Bool(true)));
    let is_word =
        |name: &str, word: &str| matches!(flag(name), Some(FlagValue::Choice(it)) if it == word);
    policy.debate_plans = is_on("debate-plans");
    policy.debate_changes = match () {
        () if is_word("debate-changes", "always") => DebatedChanges::Always,
        () if is_word("debate-changes", "risky") => DebatedChanges::Risky,
        () => DebatedChanges::Never,
    };
    policy.authority = match is_word("authority", "partial") {
        true => WantedAuthority::Partial,
        false => WantedAuthority::Full,
    };
    policy.ask_irreversible = is_on("ask-irreversible");
    policy.review_rounds = number(resolved, "review-rounds", policy.review_rounds);
    policy.parallel = number(resolved, "parallel", policy.parallel);
    policy
}

/// Returns the share of a member's remaining context that skills may take, in percent. Like a
/// role's skills, model and effort, it is read when a session starts, even within a run.
pub(super) fn skills_share(resolved: &Resolved) -> u32 {
    number(resolved, "skills-share", SKILLS_SHARE)
}

fn number(resolved: &Resolved, flag: &str, unset: u32) -> u32 {
    match resolved.flag(flag) {
        Some((FlagValue::Integer(number), _)) => u32::try_from(*number).unwrap_or(unset),
        _ => unset,
    }
}

/// Returns how many tasks a run works on at once here: as many as its settings allow, limited by
/// the machine's processors.
pub(super) fn max_parallel_tasks(policy: &RunPolicy) -> usize {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    max_parallel_tasks_on(policy.parallel, processors)
}

pub(super) fn max_parallel_tasks_on(parallel: u32, processors: usize) -> usize {
    let most = processors.saturating_mul(PER_PROCESSOR);
    usize::try_from(parallel)
        .unwrap_or(most)
        .clamp(1, most.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_tasks_at_once_as_the_flag_says_up_to_two_a_processor() {
        for (parallel, processors, expected) in [
            (1, 8, 1),
            (4, 2, 4),
            (4, 1, 2),
            (16, 64, 16),
            (40, 64, 40),
            (16, 4, 8),
            (0, 4, 1),
        ] {
            assert_eq!(max_parallel_tasks_on(parallel, processors), expected);
        }
    }
}
