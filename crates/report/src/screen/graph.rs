//! Results of the argument graph, as lines.

mod table;

use agon_record::id::Seat;
use agon_verdict::graph::{
    ContributionDoc, ContributionsDoc, FlipDoc, GraphDoc, GraphStatus, LeadDoc, StrengthDoc,
};

use self::table::table_lines;
use super::clamp_width;
use super::line::{Line, Style};
use crate::text::{count_with_noun, plain_line, truncate_to_width};

// Half a unit of the sixth and last decimal shown: a smaller change would print as zero.
/// The smallest change of a strength that gets a row.
const MIN_CHANGE: f64 = 5e-7;

// An id of 11 columns and three numbers of up to nine (`-0.000500`), each with two spaces after it.
/// The columns before the title in a row of strengths.
const NUMBERS_WIDTH: usize = 46;

/// Returns the lines of a graph result, in at most `width` columns.
pub fn graph_lines(doc: &GraphDoc, width: usize) -> Vec<Line> {
    let mut lines = vec![head_line(doc)];
    lines.extend(doc.lead.as_ref().map(|lead| lead_line(lead, doc)));
    if let Some(rows) = &doc.strengths {
        lines.push(Line::default());
        lines.extend(strength_lines(rows, width));
    }
    for list in doc.contributions.iter().flatten() {
        lines.push(Line::default());
        lines.extend(contribution_lines(list));
    }
    if let Some(flip) = &doc.flip {
        lines.push(Line::default());
        lines.extend(flip_lines(flip, doc));
    }
    if let Some(sets) = &doc.extensions {
        lines.extend(
            sets.iter()
                .map(|set| text_line(format!("{{{}}}", join_ids(set, " ")))),
        );
        lines.push(text_line(match (sets.len(), doc.complete) {
            (0, Some(true)) => "no extensions".to_owned(),
            (count, Some(true)) => count_with_noun(count as u64, "extension"),
            (count, _) => format!(
                "first {}, there may be more",
                count_with_noun(count as u64, "extension")
            ),
        }));
    }
    if let Some(rows) = &doc.acceptance {
        let word = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
        let head = ["node", "some", "every"].map(str::to_owned);
        let rows = rows
            .iter()
            .map(|row| [plain_line(&row.id), word(row.some), word(row.every)]);
        lines.extend(table_lines(std::iter::once(head).chain(rows)));
    }
    let lines = lines.into_iter();
    lines
        .flat_map(|line| line.wrap_to_width(2, clamp_width(width)))
        .collect()
}

fn text_line(text: impl Into<String>) -> Line {
    Line::default().with(Style::Plain, text)
}

/// Joins the ids of nodes.
fn join_ids(set: &[String], between: &str) -> String {
    plain_line(&set.join(between))
}

/// Returns a note if the semantics did not settle; `None` if it did.
fn unsettled_note(status: GraphStatus) -> Option<String> {
    (!status.is_settled()).then(|| format!("not settled ({})", status.name()))
}

fn head_line(doc: &GraphDoc) -> Line {
    let nodes = count_with_noun(doc.nodes as u64, "node");
    let edges = count_with_noun(doc.edges as u64, "edge");
    let about = format!(" · {} · {nodes}, {edges} · {}", doc.format, doc.semantics);
    let mut line = Line::default()
        .with(Style::Strong, plain_line(&doc.graph))
        .with(Style::Plain, about);
    if let Some(status) = doc.status {
        line = line.with(Style::Plain, " · ");
        line = match unsettled_note(status) {
            Some(unsettled) => line.with(Style::Bad, unsettled),
            None => line.with(Style::Plain, status.name()),
        };
    }
    match doc.without.as_slice() {
        [] => line,
        without => line.with(
            Style::Plain,
            format!(" · without {}", join_ids(without, ", ")),
        ),
    }
}

fn lead_line(lead: &LeadDoc, doc: &GraphDoc) -> Line {
    let says = |seat: Option<Seat>| match seat {
        Some(seat) => format!("the {seat} leads"),
        None => "neither side leads".to_owned(),
    };
    let of = |seat: Seat| {
        let id = format!("position.{seat}");
        let row = doc.strengths.iter().flatten().find(|row| row.id == id)?;
        row.strength
    };
    let numbers = lead.winner.and_then(|winner| {
        let (one, other) = (of(winner)?, of(winner.opponent()?)?);
        Some(format!(
            ", {} to {}",
            format_number(one),
            format_number(other)
        ))
    });
    let mut line = format!("{}{}", says(lead.winner), numbers.unwrap_or_default());
    if !doc.without.is_empty() {
        let same = if lead.before == lead.winner {
            "as before"
        } else {
            "previously:"
        };
        line = match lead.before == lead.winner {
            true => format!("{line}, {same}"),
            false => format!("{line}; {same} {}", says(lead.before)),
        };
    }
    if lead.equal != lead.winner {
        line = format!("{line}; with equal weights, {}", says(lead.equal));
    }
    Line::default().with(Style::Strong, line)
}

fn strength_lines(rows: &[StrengthDoc], width: usize) -> Vec<Line> {
    let room = width.saturating_sub(NUMBERS_WIDTH);
    if rows.iter().any(|row| row.before.is_some()) {
        return strength_change_lines(rows, room);
    }
    let head = ["node", "base", "strength", ""].map(str::to_owned);
    let row = |row: &StrengthDoc| {
        let strength = row.strength.map(format_number).unwrap_or_default();
        [
            plain_line(&row.id),
            format_number(row.base),
            strength,
            node_title(row, room),
        ]
    };
    table_lines(std::iter::once(head).chain(rows.iter().map(row)))
}

/// Returns a row for each strength that changed when nodes were removed.
fn strength_change_lines(rows: &[StrengthDoc], room: usize) -> Vec<Line> {
    let moved = |row: &&StrengthDoc| match (row.before, row.strength) {
        (Some(before), Some(now)) => (before - now).abs() > MIN_CHANGE,
        (Some(_), None) | (None, _) => true,
    };
    let head = ["node", "before", "after", "change", ""].map(str::to_owned);
    let row = |row: &StrengthDoc| {
        let before = row.before.unwrap_or(row.base);
        let (after, change) = match row.strength {
            Some(now) => (format_number(now), format_signed(now - before)),
            None => ("removed".to_owned(), String::new()),
        };
        [
            plain_line(&row.id),
            format_number(before),
            after,
            change,
            node_title(row, room),
        ]
    };
    let shown: Vec<_> = rows.iter().filter(moved).map(row).collect();
    let rest = rows.len() - shown.len();
    let mut lines = table_lines(std::iter::once(head).chain(shown));
    if rest > 0 {
        lines.push(text_line(format!(
            "{} unchanged",
            count_with_noun(rest as u64, "other")
        )));
    }
    lines
}

/// Returns a node's title in at most `room` columns, with the fault of its citations and the
/// factor by which that lowers its base strength.
fn node_title(row: &StrengthDoc, room: usize) -> String {
    let title = plain_line(&row.title);
    let Some(fault) = row.citations.and_then(|found| found.fault()) else {
        return truncate_to_width(&title, room);
    };
    let times = row.citation_weight.map(|kept| format!(": base × {kept}"));
    let note = format!(" · {fault}{}", times.unwrap_or_default());
    let room = room.saturating_sub(note.chars().count());
    truncate_to_width(&title, room) + &note
}

fn contribution_lines(list: &ContributionsDoc) -> Vec<Line> {
    let mut title = Line::default()
        .with(
            Style::Strong,
            format!("contributions to {}", plain_line(&list.topic)),
        )
        .with(Style::Plain, format!(", by {}", list.measure));
    if let Some(unsettled) = unsettled_note(list.status) {
        title = title.with(Style::Plain, ", ").with(Style::Bad, unsettled);
    }
    let mut lines = vec![title];
    if list.values.is_empty() {
        lines.push(text_line("no other node affects it"));
        return lines;
    }
    let row = |value: &ContributionDoc| {
        let error = value
            .error
            .map(|error| format!("± {}", format_number(error)));
        [
            plain_line(&value.id),
            format_signed(value.value),
            error.unwrap_or_default(),
        ]
    };
    lines.extend(table_lines(list.values.iter().map(row)));
    lines
}

fn flip_lines(flip: &FlipDoc, doc: &GraphDoc) -> Vec<Line> {
    let (leads, trails) = (plain_line(&flip.leads), plain_line(&flip.trails));
    let complete = doc.complete.unwrap_or(true);
    let mut lines = match (flip.sets.as_slice(), complete) {
        ([], true) => {
            let most = flip.size;
            let line = format!("{leads} stays ahead of {trails} without any {most} nodes");
            return vec![text_line(line)];
        }
        ([], false) => {
            let tried = match flip.searched {
                0 => "not every node was tried".to_owned(),
                1 => "every node was tried alone, but not all sets of nodes".to_owned(),
                size => {
                    format!("all sets of up to {size} nodes were tried, but not all larger ones")
                }
            };
            let line =
                format!("found no nodes whose removal puts {trails} ahead of {leads} ({tried})");
            return vec![text_line(line)];
        }
        ([one], _) => {
            let one = join_ids(one, ", ");
            let line = format!("hangs on {one}: without it, {trails} is ahead of {leads}");
            vec![text_line(line)]
        }
        (many, _) => {
            let text = format!("{trails} is ahead of {leads} without any one of these sets");
            let mut lines = vec![text_line(text)];
            lines.extend(
                many.iter()
                    .map(|set| text_line(format!("  {}", join_ids(set, ", ")))),
            );
            lines
        }
    };
    if !complete && doc.task == "flip" {
        lines.push(text_line("there may be more"));
    }
    lines
}

/// Formats a number with three decimals, or six if the first three are zero.
fn format_number(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.0005 {
        format!("{value:.6}")
    } else {
        format!("{value:.3}")
    }
}

fn format_signed(value: f64) -> String {
    let sign = if value < 0.0 { "-" } else { "+" };
    format!("{sign}{}", format_number(value.abs()))
}
