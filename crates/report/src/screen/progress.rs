//! The screen of an unfinished debate: its turns so far and the next step.

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

/// The next step of an unfinished debate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// The user must fix the problem that halted the debate.
    Fix {
        /// Why the debate was halted.
        because: String,
        /// How to fix it, if known.
        hint: Option<String>,
    },
    /// A person must answer: who and how.
    Answer(Vec<String>),
    /// A process runs the debate: the commands that watch or stop it.
    Running(String),
    /// The user must run a command.
    Command(String),
}

/// Returns the turns so far, why the debate is halted, and the next step.
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
    let status_label = match next {
        NextStep::Running(_) => "running",
        NextStep::Fix { .. } | NextStep::Answer(_) | NextStep::Command(_) => "status",
    };
    lines.extend(row(
        status_label,
        Style::Plain,
        &phase_and_cost_summary(state),
    ));
    match next {
        NextStep::Fix { because, hint } => {
            lines.extend(row("reason", Style::Warn, &plain_line(because)));
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

/// Returns the debate's phase, and the calls, time and tokens so far.
fn phase_and_cost_summary(state: &State) -> String {
    let rules = state.format_rules();
    let due = rules.round_label(format::first_unjudged_exchange(state));
    let last = state.turns.keys().filter_map(|turn| match turn.stage {
        Stage::Round(round) => Some(round),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    });
    let round = last.max().unwrap_or(0).max(1);
    let whom = match debate_phase(state) {
        Phase::AwaitingBlind => "waiting for both sides' first answers".to_owned(),
        Phase::AwaitingProposer => format!("waiting for the {} in round {round}", Seat::Proposer),
        Phase::AwaitingChallenger => {
            format!("waiting for the {} in round {round}", Seat::Challenger)
        }
        Phase::AwaitingArguments => {
            format!("waiting for both sides' arguments in {due}")
        }
        Phase::AwaitingJudgment => format!("waiting for the scores of {due}"),
        Phase::AwaitingVerdict => "waiting for the judge".to_owned(),
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
