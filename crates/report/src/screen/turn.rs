//! The lines of a completed turn.

use agon_record::evidence::stamps_of_turn;
use agon_record::ground::GroundStamp;
use agon_record::id::{Seat, Stage, TurnId};
use agon_record::moves::{AnswerComparison, Choose, Moves, NoneFound};
use agon_record::point::points;
use agon_record::state::{Admitted, State, Turn, TurnEnd};
use agon_verdict::verdict::{blind_answers, describe_winner};

use super::claim::point_lines_in_detail;
use super::detail::Detail;
use super::finding::finding_line;
use super::line::{Line, Style, seat_style};
use super::{clamp_width, ruling};
use crate::labels::{self, describe_cause, tool_or_seat_name};
use crate::text::{first_sentence, format_duration, plain_line};

/// Returns the first answers of both sides and whether they agree; with their reasons if `detail`
/// is [`Detail::Whole`].
///
/// Empty until both sides have answered or are lost.
pub fn first_answer_lines(state: &State, detail: Detail, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let sides = [Seat::Proposer, Seat::Challenger];
    let turns = sides.map(|seat| state.turns.get(&TurnId::round(0, seat)));
    let [Some(one), Some(other)] = turns else {
        return Vec::new();
    };
    let (Some(first), Some(second)) = (&one.end, &other.end) else {
        return Vec::new();
    };
    let took = [one, other].into_iter().filter_map(last_reply_ms).max();
    let found =
        blind_answers(state).filter(|blind| blind.proposer.is_some() && blind.challenger.is_some());
    // Empty if the challenger's first turn compares the answers itself, since it shows the result.
    let verdict = match found.and_then(|blind| blind.agree) {
        _ if challenger_comparison(state).is_some() => "",
        Some(true) => "they agree",
        Some(false) => "they differ",
        None => "",
    };
    let took = took.map(format_duration).unwrap_or_default();
    let mut lines = vec![
        Line::default()
            .with(Style::Name, "first answers  ")
            .with(Style::Dim, format!("{took}  "))
            .with(Style::Plain, verdict),
    ];
    for (seat, end) in sides.into_iter().zip([first, second]) {
        let name = Line::default().with(
            seat_style(seat),
            format!("  {}  ", tool_or_seat_name(state, seat)),
        );
        match end {
            TurnEnd::Admitted(admitted) => {
                lines.extend(first_answer_body(name, &admitted.moves, detail))
            }
            TurnEnd::Lost { cause, .. } => {
                lines.push(name.with(Style::Warn, format!("lost: {}", cause.code.describe())));
            }
        }
    }
    wrap_all(lines, width)
}

/// Returns a side's first answer with its position and reasons.
fn first_answer_body(name: Line, moves: &Moves, detail: Detail) -> Vec<Line> {
    let Some(blind) = moves.blind() else {
        return vec![name];
    };
    let indent = " ".repeat(HANG);
    let answer = name.with(Style::Strong, plain_line(&blind.answer));
    let position = plain_line(&blind.position);
    if detail == Detail::Claims {
        return vec![match position.is_empty() {
            true => answer,
            false => answer
                .with(Style::Dim, "  ")
                .with(Style::Plain, first_sentence(&position)),
        }];
    }
    let mut lines = vec![answer];
    if !position.is_empty() {
        lines.push(Line::default().with(Style::Plain, format!("{indent}{position}")));
    }
    lines.extend(blind.because.iter().map(|because| {
        Line::default()
            .with(Style::Dim, format!("{indent}· "))
            .with(Style::Plain, plain_line(because))
    }));
    lines
}

// Two columns more than the indentation of a point.
/// The indentation of further lines, in columns.
const HANG: usize = 4;

fn wrap_all(lines: Vec<Line>, width: usize) -> Vec<Line> {
    let lines = lines.into_iter();
    lines
        .flat_map(|line| line.wrap_to_width(HANG, width))
        .collect()
}

/// Returns the lines of a completed turn: its tool, its time and each point.
///
/// Empty for a turn that has not ended and for a first answer, which has [`first_answer_lines`].
/// The first judge's line also has its ruling with the sides swapped, so it waits for that.
pub(super) fn turn_lines(state: &State, id: TurnId, detail: Detail, width: usize) -> Vec<Line> {
    let Some((turn, end)) = state
        .turns
        .get(&id)
        .and_then(|turn| Some((turn, turn.end.as_ref()?)))
    else {
        return Vec::new();
    };
    let label = match id.stage {
        Stage::Theses | Stage::Round(0) => return Vec::new(),
        Stage::Round(round) => format!("round {round}"),
        Stage::Verdict | Stage::Swap => id.seat.to_string(),
    };
    let judge = TurnId::verdict(Seat::JUDGE);
    if id == TurnId::SWAP || (id == judge && ruling::is_awaiting_swap(state)) {
        return Vec::new();
    }
    let swap = state.turns.get(&TurnId::SWAP).filter(|_| id == judge);
    let took = [Some(turn), swap]
        .into_iter()
        .flatten()
        .filter_map(last_reply_ms);
    let head = turn_line_start(state, id, &label, took.max());
    match end {
        TurnEnd::Admitted(admitted) => {
            let back = sent_back_note(state, id, detail);
            let (head, back) = match ruling::first_judge_headline(state).filter(|_| id == judge) {
                Some((style, said)) => {
                    let again = swap.map(|_| sent_back_note(state, TurnId::SWAP, detail));
                    let back = [back, again.unwrap_or_default()].join(" ");
                    (head.with(style, said), back.trim().to_owned())
                }
                None => {
                    let headline = turn_headline(state, &admitted.moves);
                    (head.with(Style::Strong, headline), back)
                }
            };
            let mut lines = head_lines(head, &back, width);
            lines.extend(point_lines(
                admitted,
                stamps_of_turn(state, id),
                detail,
                width,
            ));
            lines.extend(remark_lines(admitted, detail, width));
            let is_shown = id != judge && detail == Detail::Whole;
            if let Some(ruling) = admitted.moves.ruling().filter(|_| is_shown) {
                lines.extend(ruling::ruling_lines(state, ruling, width));
            }
            lines
        }
        TurnEnd::Lost { cause, findings } => {
            let head = head.with(Style::Warn, format!("lost: {}", describe_cause(cause)));
            let mut lines = head_lines(head, &sent_back_note(state, id, detail), width);
            lines.extend(wrap_all(findings.iter().map(finding_line).collect(), width));
            lines
        }
    }
}

/// Returns the categories in which a challenger found nothing, and the broken rules. The short form
/// has only the broken rules that no citation stamp shows.
fn remark_lines(admitted: &Admitted, detail: Detail, width: usize) -> Vec<Line> {
    let cleared = admitted.moves.cleared_categories().iter();
    let cleared = cleared.filter(|_| detail == Detail::Whole);
    let mut lines: Vec<_> = cleared.map(cleared_category_line).collect();
    let findings = admitted.findings.iter();
    let findings = findings.filter(|finding| detail.shows_finding(finding));
    lines.extend(findings.map(finding_line));
    wrap_all(lines, width)
}

/// Returns the first line of a turn, with the note on replies that were sent back behind it if it
/// fits, else below.
fn head_lines(head: Line, back: &str, width: usize) -> Vec<Line> {
    // From 80 columns on, further lines are indented to the text beside the label.
    let hang = if width < 80 { HANG } else { 10 };
    if back.is_empty() {
        return head.wrap_to_width(hang, width);
    }
    let gap = if head.to_string().ends_with(' ') {
        0
    } else {
        3
    };
    let beside = head
        .clone()
        .with(Style::Plain, " ".repeat(gap))
        .with(Style::Dim, back);
    if beside.display_width() <= width {
        return vec![beside];
    }
    let mut lines = head.wrap_to_width(hang, width);
    let below = Line::default().with(Style::Dim, format!("{:hang$}{back}", ""));
    lines.extend(below.wrap_to_width(hang, width));
    lines
}

/// Returns the challenger's comparison of the first answers, from its first turn.
fn challenger_comparison(state: &State) -> Option<AnswerComparison> {
    let reply = state.admitted(TurnId::round(1, Seat::Challenger))?;
    reply.moves.challenge()?.first_answers
}

/// Returns the start of a turn's first line: its label, tool and time.
fn turn_line_start(state: &State, id: TurnId, label: &str, took: Option<u64>) -> Line {
    let took = took.map(format_duration).unwrap_or_default();
    let tool = state.seats.get(&id.seat).map(|seating| &seating.tool);
    let tool = tool.map_or_else(String::new, |tool| format!("{:<7} ", tool.as_str()));
    Line::default()
        .with(Style::Name, format!("{label:<9} "))
        .with(seat_style(id.seat), tool)
        .with(Style::Dim, format!("{took:>4}  "))
}

/// Returns the time that the last reply of a turn took.
fn last_reply_ms(turn: &Turn) -> Option<u64> {
    let given = turn.asks.iter().rev().find_map(|ask| ask.given.as_ref());
    given.map(|given| given.took_ms)
}

/// Returns a turn's stance, a ruling's winner, or a challenge's comparison of the first answers;
/// empty for other moves.
fn turn_headline(state: &State, moves: &Moves) -> String {
    match (moves.stance(), moves.ruling()) {
        (Some(stance), _) => format!("\"{}\"", plain_line(stance)),
        (None, Some(ruling)) => describe_winner(state, ruling.winner.seat()),
        (None, None) => {
            let said = moves.challenge().and_then(|it| it.first_answers);
            let said = said.map(|said| match said {
                AnswerComparison::Same => "the first answers agree",
                AnswerComparison::Different => "the first answers differ",
            });
            said.unwrap_or_default().to_owned()
        }
    }
}

/// Returns how many replies were sent back, and in the complete form the broken rules.
fn sent_back_note(state: &State, id: TurnId, detail: Detail) -> String {
    let Some(back) = labels::sent_back_replies(state, id) else {
        return String::new();
    };
    let replies = match back.replies {
        1 => "1 reply".to_owned(),
        replies => format!("{replies} replies"),
    };
    if detail == Detail::Claims {
        return match back.replies {
            1 => "(1 faulty reply was sent back)".to_owned(),
            replies => format!("({replies} faulty replies were sent back)"),
        };
    }
    let codes: Vec<_> = back.codes.iter().map(|code| plain_line(code)).collect();
    format!(
        "({replies} sent back first: {}, {})",
        codes.join(", "),
        format_duration(back.took_ms)
    )
}

/// Returns the lines of each point: its id, its relation to its target, its text and its citation
/// checks.
fn point_lines(
    admitted: &Admitted,
    stamps: &[GroundStamp],
    detail: Detail,
    width: usize,
) -> Vec<Line> {
    let nodes = admitted.ids.iter().zip(points(&admitted.moves));
    let lines = nodes.enumerate().flat_map(|(nth, (&id, point))| {
        let stamps: Vec<_> = stamps.iter().filter(|stamp| stamp.point == nth).collect();
        point_lines_in_detail(id, &point, &stamps, detail, width)
    });
    lines.collect()
}

fn cleared_category_line(none: &NoneFound) -> Line {
    let checked: Vec<_> = none
        .looked_at
        .iter()
        .map(|place| plain_line(place))
        .collect();
    let why = none.why.as_deref().map(plain_line);
    let why = why.map_or(String::new(), |why| format!("; reason: {why}"));
    Line::default()
        .with(Style::Name, format!("  {}  ", none.category.label()))
        .with(
            Style::Plain,
            format!("nothing found; checked {}{why}", checked.join(", ")),
        )
}
