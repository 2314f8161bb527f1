//! A debate that has not come to its end: what was said, and what goes on with it.

use agon_record::format::Judging;
use agon_record::id::{Seat, Stage};
use agon_record::state::State;
use agon_rules::format::{self, Phase, debate_phase};

use super::by_judging::overview_lines;
use super::clamp_width;
use super::detail::Detail;
use super::line::{Line, Style};
use crate::labels::user_input_lines;
use crate::text::{abbreviate_count, count_with_noun, format_duration, plain_line, wrap_whole};

/// What goes on with a debate that has not come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// What it was halted by has to be fixed.
    Mend {
        /// Why it was halted.
        because: String,
        /// What fixes it, where that is known.
        hint: Option<String>,
    },
    /// A person answers: who, and how.
    Answer(Vec<String>),
    /// A process is at it: the commands that wait for it or stop it.
    Running(String),
    /// A command is typed.
    Command(String),
}

/// What was said so far, why it stands still, and what goes on with it.
///
/// `folder` is the debate's folder as the user would write it.
pub fn progress_lines(
    state: &State,
    folder: &str,
    next: &NextStep,
    detail: Detail,
    width: usize,
) -> Vec<Line> {
    let (mut lines, wide) = overview_lines(state, folder, detail, width);
    let row = |label: &str, style, text: &str| {
        let texts = wrap_whole(text, clamp_width(width).saturating_sub(wide + 1));
        let lines = texts.into_iter().enumerate().map(|(at, text)| {
            let label = if at == 0 { label } else { "" };
            let label = Line::default().with(Style::Name, format!("{label:<wide$} "));
            label.with(style, text)
        });
        lines.collect::<Vec<_>>()
    };
    let words = user_input_lines(state);
    lines.extend(
        words
            .iter()
            .flat_map(|word| row("you said", Style::Plain, word)),
    );
    let standing = match next {
        NextStep::Running(_) => "running",
        NextStep::Mend { .. } | NextStep::Answer(_) | NextStep::Command(_) => "stands",
    };
    lines.extend(row(standing, Style::Plain, &phase_and_cost_summary(state)));
    match next {
        NextStep::Mend { because, hint } => {
            lines.extend(row("because", Style::Warn, &plain_line(because)));
            let hint = hint.iter();
            lines.extend(hint.flat_map(|hint| row("next", Style::Strong, &plain_line(hint))));
        }
        NextStep::Answer(whom) => {
            let whom = whom.iter();
            lines.extend(whom.flat_map(|text| row("your turn", Style::Strong, text)));
        }
        NextStep::Running(command) | NextStep::Command(command) => {
            lines.extend(row("next", Style::Strong, command));
        }
    }
    lines
}

/// The debate's phase, and the calls, time and tokens it took so far.
fn phase_and_cost_summary(state: &State) -> String {
    let rules = state.format_rules();
    let due = rules.round_label(format::first_unjudged_exchange(state));
    let last = state.turns.keys().filter_map(|turn| match turn.stage {
        Stage::Round(round) => Some(round),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    });
    let round = last.max().unwrap_or(0).max(1);
    let whom = match debate_phase(state) {
        Phase::AwaitingBlind => "waits for both sides' first answers".to_owned(),
        Phase::AwaitingProposer => format!("waits for the {} in round {round}", Seat::Proposer),
        Phase::AwaitingChallenger => format!("waits for the {} in round {round}", Seat::Challenger),
        Phase::AwaitingArguments => {
            format!("waits for both sides' arguments in {due}")
        }
        Phase::AwaitingJudgment => format!("waits for the scores of {due}"),
        Phase::AwaitingVerdict => "waits for the judge".to_owned(),
        Phase::Closed => "closed".to_owned(),
    };
    let spent = &state.spent;
    let calls = match rules.judging {
        Judging::AtTheEnd => format!("{} of {} calls", spent.calls, state.caps.calls),
        Judging::EachRound => count_with_noun(spent.calls, "call"),
    };
    format!(
        "{whom} · {calls} · {} · {} tokens",
        format_duration(spent.clock_ms),
        abbreviate_count(spent.total_tokens()),
    )
}
