//! The verdict on one screen.

use std::collections::BTreeSet;

use agon_record::authority::Authority;
use agon_record::evidence::{citation_fault, ground_checks};
use agon_record::id::NodeId;
use agon_record::point::Point;
use agon_record::spec::{HUMAN, LOCAL};
use agon_record::stamp::StampKind;
use agon_record::state::State;
use agon_verdict::verdict::{
    Verdict, cautions_in_words, citation_summary, decisive_faults, graph_sentence, headline,
    name_with_fault, support_sentences, verdict_without_graph,
};

use super::line::{Line, Style, seat_style};
use super::rows::{Row, lay_out_rows};
use super::{WIDEST, clamp_width, ruling};
use crate::labels::{describe_missing_cause, tool_or_seat_name, user_input_lines};
use crate::text::{
    abbreviate_count, count_with_noun, display_width, format_dollars, format_duration, plain_line,
};

/// The verdict in lines of at most `width` columns, whole: nothing of it is cut.
///
/// `width` is taken as 40 at least. `folder` is the debate's folder as the user would write it.
pub fn verdict_lines(state: &State, verdict: &Verdict, folder: &str, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let mut lines = verdict_head(state, verdict, width);
    let mut rows = verdict_rows(state, verdict);
    rows.extend((folder != NOT_KEPT).then(|| saved_row(state, verdict, folder)));
    lines.extend(lay_out_rows(&rows, width));
    lines
}

/// The answer of a duel and what stands behind it; nothing without a verdict.
pub fn answer_lines(state: &State, width: usize) -> Vec<Line> {
    if state.is_scored() {
        return Vec::new();
    }
    let verdict = verdict_without_graph(state);
    let head = |verdict| verdict_head(state, &verdict, clamp_width(width));
    verdict.map(head).unwrap_or_default()
}

// Two bars, two spaces, at least two bars, a space.
/// Columns of a headline that neither the answer nor what stands behind it takes.
const FRAME: usize = 7;

/// The answer and what stands behind it, in one line where both fit.
fn verdict_head(state: &State, verdict: &Verdict, width: usize) -> Vec<Line> {
    let answer = plain_line(verdict.answer.as_deref().unwrap_or_default());
    let (style, behind) = styled_basis(state, verdict);
    let both = display_width(&answer) + display_width(&behind);
    // Bars as long as a pipe's lines would be no help.
    let wide = width.min(WIDEST);
    if both + FRAME <= wide {
        let bars = "━".repeat(wide - both - 5);
        let line = Line::default()
            .with(Style::Dim, "━━ ")
            .with(Style::Strong, answer)
            .with(Style::Dim, format!(" {bars} "))
            .with(style, behind);
        return vec![line];
    }
    let answer = Line::default()
        .with(Style::Dim, "━━ ")
        .with(Style::Strong, answer);
    let behind = Line::default().with(style, format!("   {behind}"));
    let mut lines = answer.wrap_to_width(3, width);
    lines.extend(behind.wrap_to_width(3, width));
    lines
}

/// What supports the answer, and the style for the verdict's authority.
fn styled_basis(state: &State, verdict: &Verdict) -> (Style, String) {
    let style = match verdict.authority {
        Authority::Full if decisive_faults(state, verdict).is_empty() => Style::Good,
        Authority::Full
        | Authority::Unstable
        | Authority::BuiltInModel
        | Authority::Partial
        | Authority::Uncontested => Style::Warn,
    };
    (style, plain_line(&headline(state, verdict)))
}

/// All rows of the verdict in display order.
fn verdict_rows(state: &State, verdict: &Verdict) -> Vec<Row> {
    let text = |text: &Option<String>| vec![text.as_deref().map(plain_line).unwrap_or_default()];
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
            describe_missing_cause(&missing.cause)
        )
    });
    let notes = cautions_in_words(state)
        .into_iter()
        .map(|note| plain_line(&note));
    let name = |seat| tool_or_seat_name(state, seat);
    let quality = verdict.quality.as_ref().map(ruling::quality_text);
    vec![
        Row::new("Question", vec![plain_line(&state.spec.topic)]),
        Row::new("Why", text(&verdict.why)),
        Row::styled("Do next", Style::Strong, text(&verdict.do_next)),
        Row::new("Unless", text(&verdict.unless)),
        Row::new("Hangs on", hangs_on.collect()),
        Row::new("By the graph", by_graph.collect()),
        ruling::judges_row(state, verdict),
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
        Row::styled("Missing", Style::Warn, missing.collect()),
        Row::styled("Note", Style::Warn, notes.collect()),
        Row::styled(
            "Citations",
            citations_style(state),
            vec![citations_row(state)],
        ),
        Row::new(
            "Support",
            vec![plain_line(&support_sentences(state).join("; "))],
        ),
        Row::new("Quality", quality.into_iter().collect()),
        Row::styled(
            "Rules",
            Style::Warn,
            vec![findings_summary(verdict, state.command_name())],
        ),
        Row::new("Cost", vec![cost_summary(verdict)]),
    ]
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

/// Red where a place is not as it was cited, amber where it is near.
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

fn cost_summary(verdict: &Verdict) -> String {
    let usage = &verdict.usage;
    let tokens = &usage.tokens;
    let about = if tokens.estimated { "about " } else { "" };
    let tools = tokens.by_tool.iter();
    let tools: Vec<_> = tools
        .map(|(tool, count)| format!("{tool} {}", abbreviate_count(*count)))
        .collect();
    // Only people spoke.
    let by_tool = match tools.is_empty() {
        true => String::new(),
        false => format!(" ({})", tools.join(", ")),
    };
    let mut parts = vec![
        count_with_noun(usage.calls, "call"),
        format_duration(usage.wall_ms),
        format!(
            "{about}{} tokens{by_tool}",
            abbreviate_count(tokens.total())
        ),
    ];
    parts.extend(usage.cost.map(format_dollars));
    let unknown: Vec<_> = usage
        .cost_unknown_for
        .iter()
        .map(|tool| tool.as_str())
        .collect();
    if !unknown.is_empty() {
        parts.push(format!("money unknown: {}", unknown.join(", ")));
    }
    let over = verdict
        .seats
        .values()
        .filter(|seat| seat.transport == "acp");
    let over: BTreeSet<_> = over.map(|seat| seat.tool.as_str()).collect();
    if !over.is_empty() {
        let over: Vec<_> = over.into_iter().collect();
        parts.push(format!("over acp: {}", over.join(", ")));
    }
    parts.join(" · ")
}

/// The folder of a recorded debate that is only played: it stands nowhere.
const NOT_KEPT: &str = "(recorded)";

fn saved_row(state: &State, verdict: &Verdict, folder: &str) -> Row {
    let folder = plain_line(folder);
    let folder = folder.trim_end_matches('/');
    let name = state.command_name();
    let mut next = vec![format!("{folder}/"), format!("agon show {name}")];
    if state.spec.is_demo() {
        // No tool sits there that could be asked.
        next.extend(["check", "replay"].map(|command| format!("agon {command} {name}")));
        return Row::new("Saved", vec![next.join(" · ")]);
    }
    let mut seats = verdict.seats.values();
    if seats.any(|seat| ![HUMAN, LOCAL].contains(&seat.transport.as_str())) {
        next.push(format!("agon ask {name} \"Why?\""));
    }
    next.push(format!("agon continue {name}"));
    Row::new("Saved", vec![next.join(" · ")])
}
