//! How many answers a vote has, and why.

use agon_batch::results::{BatchResult, ResultStatus};

use crate::arm::Arm;
use crate::stats::float;
use crate::stored::{PlannedRow, TrialDoc, VotesBasis};

/// Answers in a vote if no arm is a debate.
pub const USUAL_VOTES: u32 = 9;
/// Maximum number of answers in a vote that is as large as a debate.
const MAX_VOTES: u32 = 99;

/// The size of the votes of a trial; `None` until it is known, or without a vote.
pub(crate) type Votes = Option<(u32, VotesBasis)>;

/// Returns the arm whose tokens a vote is to use: the duel, or else the first one that is a debate.
pub fn reference(arms: impl IntoIterator<Item = Arm>) -> Option<Arm> {
    let debates = arms.into_iter().filter(|arm| arm.is_debate());
    debates.min_by_key(|arm| (*arm != Arm::Duel, *arm))
}

/// Returns the size of the votes of a trial, as far as it is known before the debates: the number
/// that the user has `given`, or that of `before` if its reason still holds. `run` are the arms of
/// this run, and `arms` those of all runs.
pub(crate) fn votes_before(
    given: Option<u32>,
    run: &[Arm],
    arms: &[Arm],
    before: Option<&TrialDoc>,
) -> Votes {
    let earlier = before.and_then(|it| it.votes.zip(it.votes_basis.clone()));
    if !run.iter().any(|arm| arm.is_vote()) {
        return earlier;
    }
    if let Some(votes) = given {
        let basis = earlier.filter(|it| it.0 == votes);
        return Some(basis.unwrap_or((votes, VotesBasis::Given)));
    }
    let debate = reference(arms.iter().copied());
    let holds = |basis: &VotesBasis| match basis {
        VotesBasis::Given => true,
        VotesBasis::Usual => debate.is_none(),
        VotesBasis::Debate { arm, .. } => debate == Some(*arm),
    };
    let earlier = earlier.filter(|(_, basis)| holds(basis));
    earlier.or_else(|| debate.is_none().then_some((USUAL_VOTES, VotesBasis::Usual)))
}

/// Returns how many single answers use as many tokens as a debate of the plan. `None` if one of
/// them has no result.
pub(crate) fn equal_votes<'a>(
    arms: &[Arm],
    plan: &[PlannedRow],
    result: impl Fn(&str) -> Option<&'a BatchResult>,
) -> Votes {
    let arm = reference(arms.iter().copied())?;
    let mean_tokens = |wanted: Arm| {
        let rows = plan.iter().filter(|row| row.arm == wanted);
        let found = rows.filter_map(|row| result(&row.identity));
        let done = found.filter(|result| result.status == ResultStatus::Done);
        let tokens: Vec<u64> = done.map(|result| result.tokens).collect();
        let sum = tokens
            .iter()
            .fold(0, |sum: u64, one| sum.saturating_add(*one));
        #[expect(clippy::cast_precision_loss, reason = "far less than 2^52 tokens")]
        let mean = sum as f64 / float(tokens.len());
        (sum > 0).then_some(mean)
    };
    let (debate_tokens, answer_tokens) = (mean_tokens(arm)?, mean_tokens(Arm::One)?);
    let basis = VotesBasis::Debate {
        arm,
        debate_tokens,
        answer_tokens,
    };
    Some((votes_for(debate_tokens, answer_tokens), basis))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; the cast saturates"
)]
fn votes_for(debate: f64, answer: f64) -> u32 {
    let votes = (debate / answer).round().max(0.0) as u32;
    votes.clamp(2, MAX_VOTES)
}

#[cfg(test)]
mod tests {
    use Arm::{Deep, Duel, One, Vote};

    use super::*;
    use crate::report::tests::loaded;

    #[test]
    fn a_vote_has_as_many_answers_as_a_debate_has_tokens_in_them() {
        assert_eq!(votes_for(10_000.0, 900.0), 11);
        assert_eq!(votes_for(100.0, 900.0), 2);
        assert_eq!(votes_for(1e12, 1.0), MAX_VOTES);
    }

    #[test]
    fn a_size_is_kept_as_long_as_its_reason_holds() {
        let of = |basis: Option<VotesBasis>| TrialDoc {
            votes: basis.is_some().then_some(7),
            votes_basis: basis,
            ..loaded().trial
        };
        let debate = |arm| VotesBasis::Debate {
            arm,
            debate_tokens: 700.0,
            answer_tokens: 100.0,
        };
        let count = |given, arms: &[Arm], basis: Option<VotesBasis>| {
            votes_before(given, arms, arms, Some(&of(basis))).map(|it| it.0)
        };
        // A trial without a vote has no size, so that none is kept for later.
        assert_eq!(votes_before(None, &[One], &[One], None), None);
        // A run without a vote changes none.
        let usual = of(Some(VotesBasis::Usual));
        let kept = votes_before(None, &[Duel], &[One, Vote, Duel], Some(&usual));
        assert_eq!(kept, Some((7, VotesBasis::Usual)));
        assert_eq!(count(None, &[One, Vote], None), Some(USUAL_VOTES));
        assert_eq!(count(None, &[One, Vote], Some(VotesBasis::Usual)), Some(7));
        // With debates, it is computed from them.
        assert_eq!(
            count(None, &[One, Vote, Duel], Some(VotesBasis::Usual)),
            None
        );
        assert_eq!(count(None, &[Vote, Duel, Deep], Some(debate(Deep))), None);
        assert_eq!(
            count(None, &[Vote, Duel, Deep], Some(debate(Duel))),
            Some(7)
        );
        assert_eq!(count(None, &[Vote, Duel], Some(VotesBasis::Given)), Some(7));
        assert_eq!(
            count(Some(5), &[Vote, Duel], Some(VotesBasis::Given)),
            Some(5)
        );
    }
}
