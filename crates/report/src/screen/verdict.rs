//! The verdict on one screen.

use std::collections::BTreeSet;

use agon_record::authority::Authority;
use agon_record::event::Outcome;
use agon_record::evidence;
use agon_record::id::NodeId;
use agon_record::point::Point;
use agon_record::stamp::StampKind;
use agon_record::state::State;
use agon_verdict::verdict::{Trial, Verdict, cautions, hangs_on_sentence};

use super::clamp_width;
use super::line::{Line, Style};
use super::rows::{Row, lay_out_rows};
use super::ruling;
use crate::labels::{tool_or_seat_name, user_input_lines};
use crate::text::{
    abbreviate_count, count_with_noun, display_width, format_duration, plain_line,
    truncate_to_width,
};

// The lines of a terminal as it opens by default, so that nothing of a verdict scrolls away;
// `a_verdict_never_outgrows_its_screen` holds every verdict to it.
/// The most lines a verdict takes.
pub const MAX_LINES: usize = 24;

/// The verdict in at most [`MAX_LINES`] lines of at most `width` columns.
///
/// `width` is taken as 40 to 110. Texts that do not fit end in `…`, and the
/// last row says where they stand whole. `folder` is the debate's folder as
/// the user would write it.
pub fn verdict_lines(state: &State, verdict: &Verdict, folder: &str, width: usize) -> Vec<Line> {
    let width = clamp_width(width);
    let VerdictHead {
        line: head,
        answer_cut,
        winner_said,
    } = verdict_head(state, verdict, width);
    let mut rows = verdict_rows(state, verdict, winner_said);
    if answer_cut {
        rows.insert(
            0,
            Row::new(
                "Answer",
                vec![plain_line(verdict.answer.as_deref().unwrap_or_default())],
                3,
            ),
        );
    }
    let rest = MAX_LINES - 1;
    rows.push(saved_row(verdict, folder, false));
    let (mut lines, short) = lay_out_rows(&rows, width, rest);
    if short {
        rows.pop();
        rows.push(saved_row(verdict, folder, true));
        lines = lay_out_rows(&rows, width, rest).0;
    }
    lines.insert(0, head);
    lines
}

/// The line with the answer and what stands behind it.
struct VerdictHead {
    line: Line,
    answer_cut: bool,
    winner_said: bool,
}

fn verdict_head(state: &State, verdict: &Verdict, width: usize) -> VerdictHead {
    let answer = plain_line(verdict.answer.as_deref().unwrap_or_default());
    // Two bars, two spaces, at least two bars, a space.
    const FRAME: usize = 7;
    let (style, ways) = styled_basis_variants(state, verdict);
    let whole = |way: &&(bool, String)| {
        let behind = display_width(&way.1);
        behind <= width * 3 / 5 && behind + display_width(&answer) + FRAME <= width
    };
    let short = |way: &&(bool, String)| display_width(&way.1) <= width / 2;
    let way = ways.iter().find(whole).or_else(|| ways.iter().find(short));
    let (winner_said, behind) = way.or(ways.last()).cloned().unwrap_or_default();
    let behind = truncate_to_width(&behind, width * 3 / 5);
    let room = width - display_width(&behind) - FRAME;
    let shown = truncate_to_width(&answer, room);
    let bars = width - display_width(&behind) - display_width(&shown) - 5;
    let line = Line::default()
        .with(Style::Dim, "━━ ")
        .with(Style::Strong, shown.clone())
        .with(Style::Dim, format!(" {} ", "━".repeat(bars)))
        .with(style, behind);
    VerdictHead {
        line,
        answer_cut: shown != answer,
        winner_said,
    }
}

/// The style for the verdict's authority, and descriptions of what supports the answer, the longest
/// first; each says whether it names the winner.
fn styled_basis_variants(state: &State, verdict: &Verdict) -> (Style, Vec<(bool, String)>) {
    let winner = verdict
        .winner
        .map(|seat| format!("for {}", tool_or_seat_name(state, seat)));
    let winner = winner.unwrap_or_default();
    match verdict.authority {
        Authority::Full => (
            Style::Good,
            ruling::verdict_basis_variants(verdict, &winner, "all seats present"),
        ),
        Authority::Unstable if verdict.stability.swap == Trial::Flipped => (
            Style::Warn,
            ruling::verdict_basis_variants(verdict, &winner, "unstable"),
        ),
        Authority::Unstable => {
            let why = "unstable, judged by a debater";
            let mut ways = ruling::verdict_basis_variants(verdict, &winner, why);
            ways.retain(|(_, way)| way.ends_with(why));
            ways.push((false, "unstable".to_owned()));
            (Style::Warn, ways)
        }
        Authority::Partial => (
            Style::Warn,
            ruling::verdict_basis_variants(verdict, &winner, "partial"),
        ),
        Authority::Uncontested if state.closed == Some(Outcome::Agreed) => (
            Style::Warn,
            vec![(true, "both sides agree, not judged".to_owned())],
        ),
        Authority::Uncontested => (
            Style::Warn,
            vec![(true, "uncontested, not judged".to_owned())],
        ),
    }
}

/// All rows of the verdict in display order, at most 15.
fn verdict_rows(state: &State, verdict: &Verdict, winner_said: bool) -> Vec<Row> {
    let text = |text: &Option<String>| vec![text.as_deref().map(plain_line).unwrap_or_default()];
    let conceded = verdict.conceded.iter().map(|granted| {
        let who = tool_or_seat_name(state, granted.seat);
        format!("{who} {}: \"{}\"", granted.id, plain_line(&granted.text))
    });
    let points = verdict.hangs_on.iter();
    let points = points.filter_map(|&id| point_id_and_text(state, id));
    let hangs_on = hangs_on_line(verdict).into_iter().chain(points);
    let open = verdict.open.iter().map(|open| {
        let (question, settle) = (plain_line(&open.question), plain_line(&open.to_settle));
        format!("{question} To settle: {settle}")
    });
    let assumed: Vec<_> = verdict
        .assumed_by_both
        .iter()
        .map(|text| plain_line(text))
        .collect();
    let assumed = match assumed.join("; ") {
        assumed if assumed.is_empty() => assumed,
        assumed => format!("By both, unchecked: {assumed}"),
    };
    let missing = verdict.missing.iter().map(|missing| {
        format!(
            "{} in round {} ({})",
            missing.seat, missing.round, missing.cause
        )
    });
    let missing = missing.collect::<Vec<_>>().join("; ");
    let notes = cautions(state).join("; ");
    let warn = |row: Row| Row {
        style: Style::Warn,
        ..row
    };
    let (style, judges) = match ruling::needs_judges_row(state, verdict, winner_said) {
        true => ruling::rulings_and_trials(state, verdict),
        false => (Style::Plain, String::new()),
    };
    let judges = Row {
        style,
        ..Row::new("Judges", vec![judges], 2)
    };
    vec![
        Row::new(
            "Why",
            vec![plain_line(verdict.why.as_deref().unwrap_or_default())],
            5,
        ),
        Row::new("Do next", text(&verdict.do_next), 3),
        Row::new("Unless", text(&verdict.unless), 3),
        Row::new("Hangs on", hangs_on.collect(), 3),
        judges,
        Row::new(
            "Alone",
            vec![ruling::blind_answers_sentence(state, verdict)],
            1,
        ),
        Row::new("Conceded", conceded.collect(), 6),
        Row::new("You said", user_input_lines(state), 2),
        Row::new("Still open", open.collect(), 3),
        Row::new("Assumed", vec![assumed], 2),
        warn(Row::new("Missing", vec![missing], 2)),
        warn(Row::new("Note", vec![plain_line(&notes)], 2)),
        Row::new("Citations", vec![citation_summary(state, verdict)], 1),
        warn(Row::new("Findings", vec![findings_summary(verdict)], 1)),
        Row::new("Cost", vec![cost_summary(verdict)], 2),
    ]
}

/// The points in one line, and what becomes of the graph without them.
fn hangs_on_line(verdict: &Verdict) -> Option<String> {
    let says = plain_line(&hangs_on_sentence(verdict)?);
    if verdict.hangs_on.is_empty() {
        return Some(says);
    }
    let ids: Vec<_> = verdict.hangs_on.iter().map(NodeId::to_string).collect();
    Some(format!("{}. {says}", ids.join(", ")))
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
    Some(format!("{id} {}", plain_line(text)))
}

fn citation_summary(state: &State, verdict: &Verdict) -> String {
    let cited: u32 = verdict.citations.values().map(|seat| seat.total()).sum();
    match cited {
        0 if state.nodes().is_empty() => String::new(),
        0 => "none: every point rests on reasoning only".to_owned(),
        cited if state.spec.source.is_none() && state.command_runs().next().is_none() => format!(
            "{}, none checked: no source is pinned",
            count_with_noun(cited, "place")
        ),
        cited => format!(
            "{}: {}",
            count_with_noun(cited, "place"),
            stamp_counts_with_points(state, verdict)
        ),
    }
}

/// The counts by stamp, with the points whose places are not as cited.
fn stamp_counts_with_points(state: &State, verdict: &Verdict) -> String {
    let sum = |kind| {
        verdict
            .citations
            .values()
            .map(|side| side.count(kind))
            .sum::<u32>()
    };
    let counts = StampKind::ALL.map(|kind| (kind, sum(kind)));
    let said = counts.into_iter().filter(|(_, count)| *count > 0);
    let said = said.map(|(kind, count)| match kind {
        StampKind::Wrong | StampKind::Missing => {
            format!(
                "{count} {kind} ({})",
                points_with_stamp(state, kind).join(", ")
            )
        }
        _ => format!("{count} {}", kind.count_label()),
    });
    said.collect::<Vec<_>>().join(", ")
}

/// The points that cite a place of which `kind` was found.
fn points_with_stamp(state: &State, kind: StampKind) -> Vec<String> {
    let nodes = state.nodes().into_iter();
    let of_kind = nodes.filter(|node| {
        let stamps = evidence::stamps_of_point(state, node.id);
        stamps
            .iter()
            .any(|stamp| stamp.stamped.stamp.kind() == kind)
    });
    of_kind.map(|node| node.id.to_string()).collect()
}

fn findings_summary(verdict: &Verdict) -> String {
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
    format!(
        "{} left standing · agon check {}",
        some.join(", "),
        verdict.debate
    )
}

fn cost_summary(verdict: &Verdict) -> String {
    let usage = &verdict.usage;
    let tokens = &usage.tokens;
    let about = if tokens.estimated { "about " } else { "" };
    let tools = tokens.by_tool.iter();
    let tools: Vec<_> = tools
        .map(|(tool, count)| format!("{tool} {}", abbreviate_count(*count)))
        .collect();
    let mut parts = vec![
        count_with_noun(usage.calls, "call"),
        format_duration(usage.wall_ms),
        format!(
            "{about}{} tokens ({})",
            abbreviate_count(tokens.total()),
            tools.join(", ")
        ),
    ];
    parts.extend(usage.cost.map(|dollars| format!("${dollars:.2}")));
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

fn saved_row(verdict: &Verdict, folder: &str, short: bool) -> Row {
    let folder = plain_line(folder);
    let folder = folder.trim_end_matches('/');
    let whole = if short {
        "cut at …, whole in verdict.md · "
    } else {
        ""
    };
    let show = format!("agon show {}", verdict.debate);
    Row {
        first: true,
        ..Row::new("Saved", vec![format!("{folder}/ · {whole}{show}")], 2)
    }
}
