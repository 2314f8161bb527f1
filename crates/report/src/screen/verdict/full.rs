//! The complete verdict.

use agon_record::evidence::{citation_fault, ground_checks};
use agon_record::id::NodeId;
use agon_record::point::Point;
use agon_record::spec::{HUMAN, LOCAL};
use agon_record::stamp::StampKind;
use agon_record::state::State;
use agon_verdict::verdict::{
    Verdict, cautions_in_words, citation_summary, graph_sentence, name_with_fault,
    support_sentences,
};

use super::cost::cost_summary;
use super::{NOT_KEPT, folder_with_slash, head, reason_rows};
use crate::labels::{describe_why_missing, tool_or_seat_name, user_input_lines};
use crate::screen::line::{Line, Style, seat_style};
use crate::screen::rows::{Row, WIDE_LABEL, lay_out_rows};
use crate::screen::{clamp_width, ruling};
use crate::text::{count_with_noun, plain_line};

/// Returns the complete verdict in lines of at most `width` columns; nothing is cut or left out.
///
/// Like [`verdict_lines`](super::verdict_lines), with agreements, concessions, the argument graph
/// and every caution.
pub fn full_verdict_lines(
    state: &State,
    verdict: &Verdict,
    folder: &str,
    width: usize,
) -> Vec<Line> {
    let width = clamp_width(width);
    let mut lines = head::full_head_lines(state, verdict, width);
    let mut rows = verdict_rows(state, verdict);
    rows.extend((folder != NOT_KEPT).then(|| saved_row(state, verdict, folder)));
    lines.extend(lay_out_rows(&rows, WIDE_LABEL, width));
    lines
}

/// Returns all rows of the verdict, beginning with the rows of the short verdict.
fn verdict_rows(state: &State, verdict: &Verdict) -> Vec<Row> {
    let conceded = verdict.conceded.iter().map(|granted| {
        Line::default()
            .with(
                seat_style(granted.seat),
                format!(
                    "{} {}",
                    tool_or_seat_name(state, granted.seat),
                    name_with_fault(state, granted.id)
                ),
            )
            .with_ids(
                Style::Plain,
                &format!(": \"{}\"", plain_line(&granted.text)),
            )
    });
    let hangs_on = verdict.hangs_on.iter();
    let hangs_on = hangs_on.filter_map(|&id| point_id_and_text(state, id));
    let by_graph = verdict.graph_hangs_on.iter();
    let by_graph = by_graph.filter(|id| !verdict.hangs_on.contains(id));
    let by_graph = by_graph.filter_map(|&id| point_id_and_text(state, id));
    let by_graph = graph_sentence(verdict)
        .map(|says| plain_line(&says))
        .into_iter()
        .chain(by_graph);
    let missing = verdict.missing.iter().map(|missing| {
        format!(
            "{} in round {}: {}",
            missing.seat,
            missing.round,
            describe_why_missing(&missing.cause)
        )
    });
    let notes = cautions_in_words(state)
        .into_iter()
        .map(|note| plain_line(&note));
    let name = |seat| tool_or_seat_name(state, seat);
    let quality = verdict.quality.as_ref().map(ruling::quality_text);
    let mut rows = reason_rows(verdict);
    rows.extend([
        Row::new("Before that", earlier_decisions(verdict)),
        Row::styled(
            "Citations",
            citations_style(state),
            vec![citations_row(state)],
        ),
        Row::new(
            "Support",
            vec![plain_line(&support_sentences(state).join("; "))],
        ),
        Row::styled("Note", Style::Warn, notes.collect()),
        Row::styled("Missing", Style::Warn, missing.collect()),
        Row::new("Hangs on", hangs_on.collect()),
        Row::new("By the graph", by_graph.collect()),
        ruling::judges_row(state, verdict),
        Row::new("Question", vec![plain_line(&state.spec.topic)]),
        Row::new(
            "First answers",
            ruling::first_answer_entries(state, verdict),
        ),
        Row::new(
            "Agreements",
            ruling::agreement_entries(state, &verdict.agreements),
        ),
        Row::from_lines("Conceded", conceded.collect()),
        Row::new(
            "Disagreements",
            ruling::disagreement_entries(&verdict.disagreements, &name),
        ),
        Row::new("You said", user_input_lines(state)),
        Row::new("Still open", ruling::open_entries(&verdict.open)),
        Row::new(
            "Assumed",
            ruling::assumption_entries(&verdict.assumed_by_both),
        ),
        Row::new("Quality", quality.into_iter().collect()),
        Row::styled(
            "Rules",
            Style::Warn,
            vec![findings_summary(verdict, state.command_name())],
        ),
        Row::new("Cost", vec![cost_summary(verdict)]),
    ]);
    rows
}

/// Returns the decisions before the present one, the oldest first.
fn earlier_decisions(verdict: &Verdict) -> Vec<String> {
    let earlier = verdict.decided_before.iter();
    earlier
        .map(|decided| plain_line(&decided.in_words()))
        .collect()
}

fn point_id_and_text(state: &State, id: NodeId) -> Option<String> {
    let node = state.node(id)?;
    let text = match node.point {
        Point::Argument(argument) | Point::Alternative(argument) => &argument.title,
        Point::Contention(contention) => &contention.argument.title,
        Point::Objection(_) | Point::Response(_) | Point::Assessment(_) | Point::Agreement(_) => {
            node.point.main_text()
        }
    };
    let fault = citation_fault(state, id).map(|fault| format!(" ({fault})"));
    Some(format!(
        "{id} {}{}",
        plain_line(text),
        fault.unwrap_or_default()
    ))
}

fn citations_row(state: &State) -> String {
    let reasoning = || match state.nodes().is_empty() {
        true => String::new(),
        false => "none: every point rests on reasoning only".to_owned(),
    };
    citation_summary(state).unwrap_or_else(reasoning)
}

/// Returns red if a citation is wrong or missing, amber if one has moved.
fn citations_style(state: &State) -> Style {
    let checks = ground_checks(state);
    let has = |kinds: &[StampKind]| {
        let mut stamps = checks.iter().map(|one| one.stamped.stamp.kind());
        stamps.any(|kind| kinds.contains(&kind))
    };
    if has(&[StampKind::Wrong, StampKind::Missing]) {
        Style::Bad
    } else if has(&[StampKind::Moved]) {
        Style::Warn
    } else {
        Style::Plain
    }
}

fn findings_summary(verdict: &Verdict, name: &str) -> String {
    let counts = &verdict.findings;
    let severities = [
        (counts.fatal, "fatal finding"),
        (counts.error, "error"),
        (counts.warning, "warning"),
    ];
    let some = severities.iter().filter(|(count, _)| *count > 0);
    let some: Vec<_> = some
        .map(|&(count, name)| count_with_noun(count, name))
        .collect();
    if some.is_empty() {
        return String::new();
    }
    format!("{} unresolved · agon check {name}", some.join(", "))
}

fn saved_row(state: &State, verdict: &Verdict, folder: &str) -> Row {
    let name = state.command_name();
    let transcript = format!("agon show {name} --section transcript");
    let mut next = vec![folder_with_slash(folder), transcript];
    if state.spec.is_demo() {
        // The recorded demo has no tool to ask, so suggest commands that need none.
        next.extend(["check", "replay"].map(|command| format!("agon {command} {name}")));
        return Row::new("Saved", vec![next.join(" · ")]);
    }
    // People and the built-in model cannot be asked.
    let mut seats = verdict.seats.values();
    if seats.any(|seat| ![HUMAN, LOCAL].contains(&seat.transport.as_str())) {
        next.push(format!("agon ask {name} \"Why?\""));
    }
    next.push(format!("agon continue {name}"));
    Row::new("Saved", vec![next.join(" · ")])
}
