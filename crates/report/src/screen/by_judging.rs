//! Screens that depend on when judges speak: after each round or at the end.

use agon_record::format::Judging;
use agon_record::id::TurnId;
use agon_record::state::State;
use agon_verdict::verdict::Verdict;

use super::clamp_width;
use super::detail::Detail;
use super::formal_screen::{
    self, formal_overview_lines, formal_verdict_lines, full_formal_verdict_lines,
};
use super::head::header_lines;
use super::line::{Line, Style};
use super::section;
use super::turn::{self, first_answer_lines};
use super::verdict::{full_verdict_lines, verdict_lines};
use crate::text::plain_line;

/// The screens of a debate. The last parameter of each function is the width.
struct Screens {
    conclusion: fn(&State, FindVerdict<'_, '_>, &str, usize) -> Vec<Line>,
    full_conclusion: fn(&State, FindVerdict<'_, '_>, &str, usize) -> Vec<Line>,
    /// The transcript, one entry per turn or, in a formal debate, per exchange.
    transcript: fn(&State, usize) -> Vec<Vec<Line>>,
    turn: fn(&State, TurnId, Detail, usize) -> Vec<Line>,
    /// The debate so far.
    overview: fn(&State, &str, Detail, usize) -> Vec<Line>,
    /// The width of the labels below the overview.
    label: usize,
}

/// Computes the verdict, which takes time.
type FindVerdict<'f, 'v> = &'f mut dyn FnMut() -> Option<&'v Verdict>;

const RULED: Screens = Screens {
    conclusion: |state, find, folder, width| {
        let lines = |found| verdict_lines(state, found, folder, width);
        find().map(lines).unwrap_or_default()
    },
    full_conclusion: |state, find, folder, width| {
        let lines = |found| full_verdict_lines(state, found, folder, width);
        find().map(lines).unwrap_or_default()
    },
    transcript: section::transcript_parts,
    turn: turn::turn_lines,
    overview: duel_lines_so_far,
    label: 9,
};

const SCORED: Screens = Screens {
    conclusion: |state, _, folder, width| formal_verdict_lines(state, folder, width),
    full_conclusion: |state, _, folder, width| full_formal_verdict_lines(state, folder, width),
    transcript: formal_screen::transcript_parts,
    turn: formal_screen::turn_lines,
    overview: formal_overview_lines,
    label: 12,
};

fn screens(state: &State) -> &'static Screens {
    match state.format_rules().judging {
        Judging::AtTheEnd => &RULED,
        Judging::EachRound => &SCORED,
    }
}

/// Returns the short verdict; empty for a duel without a verdict.
///
/// `find_verdict` is called only if the screen shows the verdict. `folder` is the debate's folder
/// as the user would write it.
pub fn conclusion_lines<'a>(
    state: &State,
    mut find_verdict: impl FnMut() -> Option<&'a Verdict>,
    folder: &str,
    width: usize,
) -> Vec<Line> {
    (screens(state).conclusion)(state, &mut find_verdict, folder, width)
}

/// Like [`conclusion_lines`], with the complete verdict.
pub fn full_conclusion_lines<'a>(
    state: &State,
    mut find_verdict: impl FnMut() -> Option<&'a Verdict>,
    folder: &str,
    width: usize,
) -> Vec<Line> {
    (screens(state).full_conclusion)(state, &mut find_verdict, folder, width)
}

/// Returns the complete transcript: at most `limit` turns, or exchanges in a formal debate.
pub fn transcript_lines(state: &State, limit: usize, width: usize) -> Vec<Line> {
    let parts = (screens(state).transcript)(state, clamp_width(width));
    let parts = parts.into_iter().filter(|lines| !lines.is_empty());
    parts.take(limit).flatten().collect()
}

/// Returns the lines of a turn. They are empty if the turn has not ended or is shown with others.
pub fn turn_lines(state: &State, id: TurnId, detail: Detail, width: usize) -> Vec<Line> {
    (screens(state).turn)(state, id, detail, clamp_width(width))
}

/// Returns the debate so far, and the width of the labels of the rows below it.
pub(super) fn overview_lines(
    state: &State,
    folder: &str,
    detail: Detail,
    width: usize,
) -> (Vec<Line>, usize) {
    let Screens {
        overview, label, ..
    } = screens(state);
    (overview(state, folder, detail, width), *label)
}

/// Returns the lines of a duel so far.
fn duel_lines_so_far(state: &State, folder: &str, detail: Detail, width: usize) -> Vec<Line> {
    let topic = Line::default()
        .with(Style::Strong, plain_line(&state.spec.topic))
        .wrap_to_width(0, clamp_width(width));
    let mut lines = topic;
    lines.extend(header_lines(state, folder, None, width));
    lines.push(Line::default());
    lines.extend(first_answer_lines(state, detail, width));
    let turns = state.turns.keys();
    lines.extend(turns.flat_map(|&turn| turn::turn_lines(state, turn, detail, width)));
    lines
}
