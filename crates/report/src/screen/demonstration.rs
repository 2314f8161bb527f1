//! The screens of a demonstration: a debate of the built-in model with itself.
//!
//! It omits the rows of a real verdict, so that it cannot be mistaken for one.

use agon_interview::NO_USABLE_REASON;
use agon_record::authority::Authority;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::state::{State, TurnEnd};
use agon_verdict::verdict::{Verdict, is_built_in_model_only};

use super::line::{Line, Style, seat_style};
use super::rows::{NARROW_LABEL, Row, lay_out_rows};
use super::{WIDEST, clamp_width};
use crate::text::{display_width, plain_line};

/// Maximum number of lines of the verdict on a terminal of 80 columns or more.
const MAX_LINES: usize = 8;

/// Returns whether the built-in model holds every seat.
pub(super) fn is_demonstration(state: &State) -> bool {
    state.format_rules().can_interview && is_built_in_model_only(state)
}

/// Returns the lines before the first call: what each side argues for.
pub(super) fn header_lines(state: &State, expected: Option<&str>, width: usize) -> Vec<Line> {
    let argues = match state.spec.options() {
        Some(options) => format!(
            "The built-in model argues \"{}\" against \"{}\", then judges.",
            plain_line(&options.proposer.name),
            plain_line(&options.challenger.name)
        ),
        None => "The built-in model argues both sides, then judges.".to_owned(),
    };
    let takes = expected.map(|expected| format!(" It takes {}.", plain_line(expected)));
    Line::default()
        .with(Style::Plain, argues)
        .with(Style::Dim, takes.unwrap_or_default())
        .wrap_to_width(2, clamp_width(width))
}

/// Returns a side's completed turn, one sentence per line; empty for the judge, whose reason is in
/// the verdict.
pub(super) fn turn_lines(state: &State, id: TurnId, width: usize) -> Vec<Line> {
    let end = state.turns.get(&id).and_then(|turn| turn.end.as_ref());
    let (Stage::Round(_), Some(end)) = (id.stage, end) else {
        return Vec::new();
    };
    let said: Vec<String> = match end {
        TurnEnd::Admitted(admitted) => {
            let blind = admitted.moves.blind().map(|blind| blind.position.clone());
            let nodes = state.nodes().into_iter().filter(|node| node.turn == id);
            let points = nodes.map(|node| node.point.main_text().to_owned());
            let said = blind.into_iter().chain(points);
            said.map(|text| with_full_stop(&text)).collect()
        }
        TurnEnd::Lost { .. } => vec![NO_USABLE_REASON.to_owned()],
    };
    let name = Line::default().with(seat_style(id.seat), side_name(state, id.seat));
    let width = clamp_width(width);
    let said = said
        .into_iter()
        .map(|text| Line::default().with(Style::Plain, format!("  {text}")));
    std::iter::once(name)
        .chain(said)
        .flat_map(|line| line.wrap_to_width(4, width))
        .collect()
}

/// Returns the verdict in at most eight lines of 80 columns.
pub(super) fn verdict_lines(
    state: &State,
    verdict: &Verdict,
    saved: Option<&str>,
    width: usize,
) -> Vec<Line> {
    let width = clamp_width(width);
    let question = Row::new("Question", vec![plain_line(&state.spec.topic)]);
    let saved = saved.map(|folder| saved_text(state, folder));
    let why = verdict
        .why
        .as_deref()
        .filter(|_| has_weighed_both_sides(verdict));
    let rest = [
        answer_row(state, verdict),
        Row::new("Why", why.map(with_full_stop).into_iter().collect()),
        Row::styled("Do next", Style::Strong, vec![NEXT.to_owned()]),
        Row::new("Saved", saved.into_iter().collect()),
    ];
    let heading = heading_lines(state, width);
    let asked = lay_out_rows(&[question], NARROW_LABEL, width);
    let rest = lay_out_rows(&rest, NARROW_LABEL, width);
    // Without enough room, leave out the question, which the user knows.
    let has_room = heading.len() + asked.len() + rest.len() <= MAX_LINES;
    let asked = if has_room { asked } else { Vec::new() };
    [heading, asked, rest].concat()
}

/// Returns the heading and the answer.
pub(super) fn answer_lines(state: &State, verdict: &Verdict, width: usize) -> Vec<Line> {
    let mut lines = heading_lines(state, width);
    lines.extend(lay_out_rows(
        &[answer_row(state, verdict)],
        NARROW_LABEL,
        width,
    ));
    lines
}

/// The hint on how to get a real verdict.
const NEXT: &str = "Log in to an AI tool (`agon tools`), then run this command again.";

fn heading_lines(state: &State, width: usize) -> Vec<Line> {
    let seats = [Seat::JUDGE, Seat::Proposer].into_iter();
    let size = seats
        .filter_map(|seat| state.model(seat))
        .find_map(model_size);
    let size = size.map_or_else(|| "small".to_owned(), str::to_uppercase);
    let text = format!("A demonstration by a {size} model: do not rely on it");
    let bars = width.min(WIDEST).saturating_sub(display_width(&text) + 4);
    let bars = match bars {
        0 => String::new(),
        bars => format!(" {}", "━".repeat(bars)),
    };
    Line::default()
        .with(Style::Dim, "━━ ")
        .with(Style::Warn, text)
        .with(Style::Dim, bars)
        .wrap_to_width(3, width)
}

/// Returns the number of weights in a model's name, such as `135m` in `smollm2-135m`.
fn model_size(name: &str) -> Option<&str> {
    name.split('-').find(|part| {
        let number = part.trim_end_matches(['m', 'M', 'b', 'B']);
        number.len() + 1 == part.len() && number.parse::<f32>().is_ok()
    })
}

/// Returns the answer, or why there is none. An answer without a reason would be a guess.
fn answer_row(state: &State, verdict: &Verdict) -> Row {
    let has_reason = verdict.why.is_some();
    let answer = verdict
        .answer
        .as_deref()
        .filter(|_| has_weighed_both_sides(verdict));
    let answer = match answer.map(plain_line) {
        Some(answer) if has_reason => answer,
        Some(answer) => format!("none: the model chose \"{answer}\" without a usable reason"),
        None => {
            let lost_seat = state.lost_turns().next().map(|(turn, _)| turn.seat);
            let side = lost_seat.map(|seat| format!(" for \"{}\"", side_name(state, seat)));
            let side = side.unwrap_or_default();
            format!("none: the model gave no usable reason{side}")
        }
    };
    Row::styled("Answer", Style::Strong, vec![answer])
}

/// Returns whether the model weighed a reason from each side.
fn has_weighed_both_sides(verdict: &Verdict) -> bool {
    verdict.authority != Authority::Uncontested
}

fn saved_text(state: &State, folder: &str) -> String {
    let folder = plain_line(folder);
    let folder = folder.trim_end_matches('/');
    format!("{folder}/ · agon show {}", state.command_name())
}

/// Returns the option that a side argues for, or the seat's name.
fn side_name(state: &State, seat: Seat) -> String {
    let option = state.spec.options().and_then(|options| options.seat(seat));
    option.map_or_else(|| seat.to_string(), |option| plain_line(&option.name))
}

/// Returns `text` with a full stop if it has no end mark, since recorded reasons may be cut.
fn with_full_stop(text: &str) -> String {
    let text = plain_line(text);
    let text = text.trim_end_matches([',', ' ']);
    match text.ends_with(['.', '!', '?']) || text.is_empty() {
        true => text.to_owned(),
        false => format!("{text}."),
    }
}
