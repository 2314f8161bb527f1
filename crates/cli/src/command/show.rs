//! `agon show`: a debate's verdict, or where it stands.

use std::path::Path;

use agon_record::id::{Seat, Stage};
use agon_record::spec::FormatName;
use agon_record::state::State;
use agon_report::screen::{Line, Style, blind_line, header, standing, turn_lines, user_words};
use agon_report::text::{clock, counted, plain, rounded};
use agon_rules::format::{self, Phase, phase};
use agon_rules::plan;

use crate::args::{Global, ShowArgs};
use crate::command::{section, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{Out, ansi};
use crate::{exit, person, running};

/// Shows a debate, or a section of it.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &ShowArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    let state = &view.state;
    let folder = folder(edge, &path);
    which::note_problems(&view, &state.spec.slug, out);
    match args.section {
        Some(part) if global.json => section::json(state, part, args.limit, out)?,
        Some(part) => section::text(state, part, args.limit, edge.width, out)?,
        None if global.json || phase(state) == Phase::Closed => {
            running::print(edge, global, state, &folder, out)?;
        }
        None => stands(state, &folder, edge.width)
            .iter()
            .try_for_each(|line| out.line(&ansi(line)))?,
    }
    Ok(Exit::Done)
}

/// The folder as its user would write it.
fn folder(edge: &Edge, path: &Path) -> String {
    match which::shown(edge, path).as_str() {
        "" | "." => ".".to_owned(),
        shown => shown.to_owned(),
    }
}

/// What was said so far, why it stands still, and what goes on with it.
fn stands(state: &State, folder: &str, width: usize) -> Vec<Line> {
    let (mut lines, wide) = match state.spec.format {
        FormatName::Duel => (so_far(state, folder, width), 9),
        FormatName::Formal => (standing(state, folder, width), 12),
    };
    let row = |label: &str, style, text: String| {
        let label = Line::default().with(Style::Name, format!("{label:<wide$} "));
        label.with(style, text).fitted(width)
    };
    let said = user_words(state).into_iter();
    lines.extend(said.map(|word| row("you said", Style::Plain, word)));
    lines.push(row("stands", Style::Plain, waits(state)));
    if state.halted.is_some()
        && let Err(failure) = exit::of(state)
    {
        lines.push(row("because", Style::Warn, plain(&failure.message)));
        lines.extend(
            failure
                .hint
                .map(|hint| row("next", Style::Strong, plain(&hint))),
        );
    } else if !plan::rests_on(state).is_empty() {
        let waits = person::waits(state, folder).into_iter();
        lines.extend(waits.map(|text| row("waits for", Style::Strong, text)));
    } else {
        let slug = plain(&state.spec.slug);
        let next = match state.spec.format {
            FormatName::Formal if exit::of(state).is_ok() => {
                format!("agon run {slug} 3 · agon report {slug}")
            }
            FormatName::Duel | FormatName::Formal => format!("agon resume {slug}"),
        };
        lines.push(row("next", Style::Strong, next));
    }
    lines
}

/// A duel, as far as it has come.
fn so_far(state: &State, folder: &str, width: usize) -> Vec<Line> {
    let topic = Line::default()
        .with(Style::Strong, plain(&state.spec.topic))
        .fitted(width);
    let mut lines = vec![topic];
    lines.extend(header(state, folder, None, width));
    lines.push(Line::default());
    lines.extend(blind_line(state, width));
    let turns = state.turns.keys();
    lines.extend(turns.flat_map(|&turn| turn_lines(state, turn, width)));
    lines
}

fn waits(state: &State) -> String {
    let exchange = format::exchange(state);
    let last = state.turns.keys().filter_map(|turn| match turn.stage {
        Stage::Round(round) => Some(round),
        Stage::Theses | Stage::Verdict | Stage::Swap => None,
    });
    let round = last.max().unwrap_or(0).max(1);
    let whom = match phase(state) {
        Phase::AwaitingBlind => "waits for both sides' first answers".to_owned(),
        Phase::AwaitingProposer => format!("waits for the {} in round {round}", Seat::Proposer),
        Phase::AwaitingChallenger => format!("waits for the {} in round {round}", Seat::Challenger),
        Phase::AwaitingArguments => {
            format!("waits for both sides' arguments in exchange {exchange}")
        }
        Phase::AwaitingJudgment => format!("waits for the scores of exchange {exchange}"),
        Phase::AwaitingVerdict => "waits for the judge".to_owned(),
        Phase::Closed => "closed".to_owned(),
    };
    let spent = &state.spent;
    let calls = match state.spec.format {
        FormatName::Duel => format!("{} of {} calls", spent.calls, state.caps.calls),
        FormatName::Formal => counted(spent.calls, "call"),
    };
    format!(
        "{whom} · {calls} · {} · {} tokens",
        clock(spent.clock_ms),
        rounded(spent.tokens()),
    )
}
