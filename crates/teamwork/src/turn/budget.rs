//! The tokens that a role's turn may use, including repairs: `[budget] task` in the role's file.
//! Tokens read from a cache do not count.
//!
//! A turn is ended as soon as its tool reports more tokens; some tools report them only at the end.
//! In both cases the member gets no further turn on that task: the task fails with the reason, and
//! a person decides. Turns before the task's last reopening do not count.

use agon_caller::Failure;
use agon_install::team_files::TeamLayers;
use agon_install::team_roster::TeamRoster;
use agon_team::id::{MemberName, RoleName, SessionId, TaskId};
use agon_team::store::{EventDoc, HolderStep, SessionUsage, TurnUsage};

use super::{RunningTurn, TeamTurn};
use crate::open_team::failure;

/// Describes a turn that was ended for its token use.
pub(super) fn ended(role: &RoleName, spent: u64, budget: u64) -> String {
    format!("ended: it used {spent} tokens; a turn of the role {role} may use {budget}")
}

/// Returns the tokens of a turn that count.
pub(super) fn counted(taken: &TurnUsage) -> u64 {
    taken.tokens.map_or(0, |tokens| {
        let fresh = tokens.input.saturating_sub(tokens.cached);
        fresh.saturating_add(tokens.output)
    })
}

/// A turn that is about to start.
#[derive(Clone, Copy, Debug)]
struct NextTurn<'a> {
    session: SessionId,
    member: &'a MemberName,
    task: TaskId,
    /// When the task was last reopened.
    reopened_ms: Option<i64>,
}

/// Returns why a member does not get another turn on a task, if an earlier one exceeded the budget.
fn budget_refusal(
    next: NextTurn<'_>,
    usage: &[SessionUsage],
    (role, budget): (&str, u64),
) -> Option<String> {
    let same = usage
        .iter()
        .filter(|it| it.member == *next.member && it.task == Some(next.task))
        .filter(|it| it.session < next.session)
        .filter(|it| next.reopened_ms.is_none_or(|at| it.began_ms >= at));
    let taken = same.filter_map(|it| it.usage.as_ref().map(counted)).max()?;
    (taken > budget).then(|| describe_excess(taken, (role, budget)))
}

fn describe_excess(taken: u64, (role, budget): (&str, u64)) -> String {
    format!(
        "no further turn on it: an earlier one used {taken} tokens, but a turn of the role {role} \
         may use {budget}; make the task smaller, or assign it to a role with a larger budget"
    )
}

impl RunningTurn<'_> {
    /// Returns why the member does not get a turn on its task, if an earlier one exceeded the
    /// budget.
    pub(super) fn budget_refusal(&self) -> Result<Option<String>, Failure> {
        let session = &self.session;
        let Some(task) = session.task else {
            return Ok(None);
        };
        let layers = TeamLayers::of_profile(session.profile.as_deref());
        let roster = TeamRoster::read(self.caller, &layers)?;
        let name = self.role_name()?;
        let (role, _) = roster.role(&name)?;
        let mut team = self.team();
        let next = NextTurn {
            session: session.session,
            member: &session.member,
            task,
            reopened_ms: reopened_ms(&team.task_events(task).map_err(failure)?),
        };
        let usage = team.usage().map_err(failure)?;
        Ok(budget_refusal(next, &usage, (&name, role.budget.task)))
    }

    /// Gives up the turn's task if the turn exceeded the budget without submitting a change:
    /// further attempts would use as much.
    pub(super) fn give_up_over_budget(&self, turn: &TeamTurn) -> Result<(), Failure> {
        let (Some(why), Some(task)) = (&turn.over_budget, self.session.task) else {
            return Ok(());
        };
        let mut team = self.team();
        let found = team.task(task).map_err(failure)?;
        let holder = found.lease.as_ref().map(|lease| &lease.holder);
        if holder != Some(&self.session.member) {
            return Ok(());
        }
        let note = why.clone();
        team.step(&self.actor, task, found.epoch, &HolderStep::GiveUp { note })
            .map(drop)
            .map_err(failure)
    }
}

/// Returns why a turn's member does not get another turn on its task, if this one exceeded the
/// budget.
pub(super) fn excess_reason(taken: &TurnUsage, role: &RoleName, budget: u64) -> Option<String> {
    let taken = counted(taken);
    (taken > budget).then(|| describe_excess(taken, (role.as_str(), budget)))
}

fn reopened_ms(events: &[EventDoc]) -> Option<i64> {
    let last = events.iter().rfind(|it| it.kind == "task.reopened");
    last.map(|it| it.at_ms)
}

#[cfg(test)]
mod tests {
    use agon_team::store::{TurnTokens, TurnUsage};

    use super::*;

    fn took(session: i64, task: i64, tokens: Option<TurnTokens>) -> SessionUsage {
        SessionUsage {
            session: SessionId::new(session),
            member: "ada".parse().unwrap(),
            role: "quick".parse().unwrap(),
            host: "codex".to_owned(),
            model: None,
            task: Some(TaskId::new(task)),
            run: None,
            began_ms: 0,
            is_retry: false,
            has_ended: true,
            usage: Some(TurnUsage {
                tokens,
                ..TurnUsage::default()
            }),
        }
    }

    #[test]
    fn a_member_that_took_too_much_on_a_task_gets_no_further_turn_on_it_until_it_is_reopened() {
        let tokens = |input, cached, output| TurnTokens {
            input,
            cached,
            output,
            estimated: false,
        };
        let usage = [
            took(1, 1, Some(tokens(9_000, 0, 2_000))),
            took(2, 2, Some(tokens(90_000, 89_000, 2_000))),
            took(3, 3, None),
        ];
        let member = "ada".parse().unwrap();
        let ask = |task: i64, budget, reopened_ms| {
            let next = NextTurn {
                session: SessionId::new(9),
                member: &member,
                task: TaskId::new(task),
                reopened_ms,
            };
            budget_refusal(next, &usage, ("quick", budget))
        };
        let said = "no further turn on it: an earlier one used 11000 tokens, but a turn \
                    of the role quick may use 10000; make the task smaller, or assign it to a role with a larger budget";
        assert_eq!(ask(1, 10_000, None).as_deref(), Some(said));
        assert_eq!(ask(1, 10_000, Some(0)).as_deref(), Some(said));
        for (task, budget, reopened_ms) in [
            (1, 11_000, None),
            (1, 10_000, Some(1)),
            (2, 10_000, None),
            (3, 10_000, None),
        ] {
            assert_eq!(ask(task, budget, reopened_ms), None, "{task} {budget}");
        }
    }
}
