//! The state of a debate in a list, in a few words.

use agon_record::authority::Authority;
use agon_record::decision::DecisionKind;
use agon_record::id::Seat;
use agon_record::state::State;
use agon_rules::format::Phase;
use agon_verdict::status::RunState;

use crate::labels::tool_or_seat_name;
use crate::text::{count_with_noun, plain_line};

/// The facts from which a list describes a debate's state.
#[derive(Clone, Copy, Debug)]
pub struct ListedState<'a> {
    /// The current phase of the debate.
    pub phase: Phase,
    /// Whether it runs, waits, stopped, failed or is done.
    pub run: RunState,
    /// The authority of the verdict.
    pub authority: Option<Authority>,
    /// The winner: a tool, or a side if both sides are the same tool.
    pub winner: Option<&'a str>,
    /// The number of judged exchanges in a formal debate.
    pub judged: u16,
    /// Whether the answer was taken, if that is recorded.
    pub taken: Option<DecisionKind>,
}

/// Returns the tool in `seat`, or the side, such as `the proposer`, if both sides are the same
/// tool.
pub fn tool_or_side_name(state: &State, seat: Seat) -> String {
    let name = tool_or_seat_name(state, seat);
    match name == seat.to_string() {
        true => format!("the {name}"),
        false => name,
    }
}

/// Returns the words for a run state.
pub fn run_state_words(run: RunState) -> &'static str {
    match run {
        RunState::Running => "running",
        RunState::WaitingForPerson => "waiting for you",
        RunState::Stopped => "stopped",
        RunState::Done => "done",
        RunState::Failed => "failed",
    }
}

/// Returns what an unfinished debate is waiting for.
fn describe_awaited_phase(phase: Phase) -> &'static str {
    match phase {
        Phase::AwaitingBlind => "the first answers",
        Phase::AwaitingProposer => "the proposer",
        Phase::AwaitingChallenger => "the challenger",
        Phase::AwaitingVerdict => "the verdict",
        Phase::AwaitingArguments => "the arguments",
        Phase::AwaitingJudgment => "the judgment",
        Phase::Closed => "the end",
    }
}

/// Returns the words for an authority below full.
fn describe_lesser_authority(authority: Option<Authority>) -> Option<&'static str> {
    match authority {
        Some(Authority::Full) | None => None,
        Some(Authority::BuiltInModel) => Some("demonstration"),
        Some(lesser @ (Authority::Unstable | Authority::Partial | Authority::Uncontested)) => {
            Some(lesser.name())
        }
    }
}

/// Returns the state of a debate in a list: whether it runs and what it waits for, or who won.
pub fn describe_state_in_list(listed: ListedState<'_>) -> String {
    let words = run_state_words(listed.run);
    match (listed.phase, listed.run) {
        (Phase::Closed, _) => {
            let winner = listed
                .winner
                .map(|winner| format!("{} wins", plain_line(winner)));
            let lesser = describe_lesser_authority(listed.authority).map(str::to_owned);
            let taken = listed.taken.map(|taken| taken.to_string());
            let said: Vec<_> = ["done".to_owned()]
                .into_iter()
                .chain(taken)
                .chain(winner)
                .chain(lesser)
                .collect();
            said.join(", ")
        }
        (Phase::AwaitingArguments, RunState::Done) => describe_paused_formal_debate(listed.judged),
        (_, RunState::Done | RunState::WaitingForPerson) => words.to_owned(),
        (phase, RunState::Running) => format!("{words}: {}", describe_awaited_phase(phase)),
        (phase, RunState::Stopped | RunState::Failed) => {
            format!("{words} before {}", describe_awaited_phase(phase))
        }
    }
}

/// Returns the words for a formal debate that can continue.
fn describe_paused_formal_debate(judged: u16) -> String {
    format!("open, {}", count_with_noun(judged, "judged exchange"))
}

/// Returns the state of a debate from its record alone, which does not say whether a process runs
/// it. `judged` is the number of judged exchanges.
pub fn describe_recorded_state(
    phase: Phase,
    authority: Option<Authority>,
    is_halted: bool,
    judged: u16,
) -> String {
    match (phase, describe_lesser_authority(authority), is_halted) {
        (Phase::Closed, None, _) => "done".to_owned(),
        (Phase::Closed, Some(lesser), _) => format!("done, {lesser}"),
        (_, _, true) => format!("failed before {}", describe_awaited_phase(phase)),
        (Phase::AwaitingArguments, _, false) => describe_paused_formal_debate(judged),
        (_, _, false) => format!("open, before {}", describe_awaited_phase(phase)),
    }
}

#[cfg(test)]
mod tests {
    use agon_samples::duel;

    use super::*;

    #[test]
    fn a_debate_of_a_list_stands_by_its_phase_and_whoever_is_at_it() {
        let verdict = Phase::AwaitingVerdict;
        let listed = [
            (Phase::Closed, None, RunState::Done, Some("claude")),
            (
                Phase::Closed,
                Some(Authority::Partial),
                RunState::Done,
                Some("codex"),
            ),
            (
                Phase::Closed,
                Some(Authority::Uncontested),
                RunState::Done,
                None,
            ),
            (verdict, None, RunState::Running, None),
            (verdict, None, RunState::WaitingForPerson, None),
            (verdict, None, RunState::Failed, None),
            (Phase::AwaitingArguments, None, RunState::Done, None),
        ];
        let listed = listed.map(|(phase, authority, run, winner)| {
            describe_state_in_list(ListedState {
                phase,
                run,
                authority,
                winner,
                judged: 3,
                taken: None,
            })
        });
        assert_eq!(
            listed,
            [
                "done, claude wins",
                "done, codex wins, partial",
                "done, uncontested",
                "running: the verdict",
                "waiting for you",
                "failed before the verdict",
                "open, 3 judged exchanges",
            ]
        );
        let not_taken = describe_state_in_list(ListedState {
            phase: Phase::Closed,
            run: RunState::Done,
            authority: None,
            winner: Some("claude"),
            judged: 0,
            taken: Some(DecisionKind::NotTaken),
        });
        assert_eq!(not_taken, "done, not taken, claude wins");
        let recorded = [
            (Phase::Closed, Some(Authority::Full), false),
            (Phase::Closed, Some(Authority::Unstable), false),
            (verdict, None, true),
            (verdict, None, false),
            (Phase::AwaitingArguments, None, false),
        ];
        let recorded = recorded
            .map(|(phase, authority, halted)| describe_recorded_state(phase, authority, halted, 1));
        assert_eq!(
            recorded,
            [
                "done",
                "done, unstable",
                "failed before the verdict",
                "open, before the verdict",
                "open, 1 judged exchange",
            ]
        );
    }
    #[test]
    fn whom_a_verdict_is_for_is_a_tool_or_a_side_where_one_tool_has_both() {
        let mut state = State::open(duel::spec(2));
        let proposer = tool_or_side_name(&state, Seat::Proposer);
        assert_eq!(proposer, state.seats[&Seat::Proposer].tool.to_string());
        let twin = state.seats[&Seat::Proposer].clone();
        state.seats.insert(Seat::Challenger, twin);
        assert_eq!(tool_or_side_name(&state, Seat::Proposer), "the proposer");
        assert_eq!(
            tool_or_side_name(&state, Seat::Challenger),
            "the challenger"
        );
    }
}
