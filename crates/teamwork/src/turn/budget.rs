//! The tokens that a turn of a role may take: `[budget] task` in the role's file. Those read from a
//! cache do not count.
//!
//! A turn is ended where its tool says meanwhile that it took more. Other tools say it at the end: then
//! the member gets no further turn on that task.

use agon_caller::{Code, Failure};
use agon_team::id::{MemberName, RoleName, SessionId, TaskId};
use agon_team::store::SessionUsage;

/// What is said of a turn that was ended.
pub(super) fn ended(role: &RoleName, spent: u64, budget: u64) -> String {
    format!("it was ended: it took {spent} tokens, and a turn of the role {role} may take {budget}")
}

/// A turn that is about to begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct NextTurn<'a> {
    pub(super) session: SessionId,
    pub(super) member: &'a MemberName,
    pub(super) task: Option<TaskId>,
}

/// Refuses a turn on a task on which the member took more than a turn may take.
///
/// # Errors
///
/// If an earlier turn on the task took more.
pub(super) fn refuse_spent(
    next: NextTurn<'_>,
    usage: &[SessionUsage],
    (role, budget): (&str, u64),
) -> Result<(), Failure> {
    let Some(task) = next.task else {
        return Ok(());
    };
    let same = usage
        .iter()
        .filter(|it| it.member == *next.member && it.task == Some(task))
        .filter(|it| it.session < next.session);
    let taken = same.filter_map(|it| {
        let tokens = it.usage?.tokens?;
        let fresh = tokens.input.saturating_sub(tokens.cached);
        Some(fresh.saturating_add(tokens.output))
    });
    let Some(taken) = taken.max().filter(|taken| *taken > budget) else {
        return Ok(());
    };
    let message = format!(
        "no further turn on {task}: one took {taken} tokens, and a turn of the role {role} may take \
         {budget}"
    );
    Err(Failure::new(Code::CannotWork, message)
        .hint("make the task smaller, or give it to a role with a larger budget"))
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
    fn a_member_that_took_too_much_on_a_task_gets_no_further_turn_on_it() {
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
        let ask = |task: Option<i64>, budget| {
            let next = NextTurn {
                session: SessionId::new(9),
                member: &member,
                task: task.map(TaskId::new),
            };
            refuse_spent(next, &usage, ("quick", budget))
                .err()
                .map(|it| it.message)
        };
        let said = "no further turn on t1: one took 11000 tokens, and a turn of the role quick may \
                    take 10000";
        assert_eq!(ask(Some(1), 10_000).as_deref(), Some(said));
        for (task, budget) in [
            (Some(1), 11_000),
            (Some(2), 10_000),
            (Some(3), 10_000),
            (None, 1),
        ] {
            assert_eq!(ask(task, budget), None, "{task:?} {budget}");
        }
    }
}
