//! `agon recall`: finds earlier decisions on a topic, and checks that their evidence is unchanged.

use agon_debates::past::recall;
use agon_debates::past::recall::Decision;
use agon_debates::sources::source_drift::SourceStatus;
use agon_report::screen::{Line, Style};
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{Global, RecallArgs};
use crate::error::{Exit, Failure};
use crate::output::{Out, line_to_ansi};
use crate::surroundings::Surroundings;

// The longest label, `Hangs on`, and three spaces.
/// The width of a label, in columns.
const LABEL: usize = 11;

/// Shows earlier decisions on a topic.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &RecallArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let recall = recall::recall(edge, &args.topic.join(" "), args.limit, out)?;
    if global.json {
        out.write_json(&recall)?;
        return Ok(Exit::Done);
    }
    if recall.decisions.is_empty() {
        out.eprint_line(&format!(
            "no earlier decision on this ({}). Search by word: agon list --search WORDS",
            count_with_noun(recall.looked_at as u64, "debate")
        ));
        return Ok(Exit::Done);
    }
    let mut decisions = recall.decisions.iter();
    decisions.try_for_each(|decision| print_decision(edge, decision, out))?;
    Ok(Exit::Done)
}

fn print_decision(edge: &Surroundings, decision: &Decision, out: &mut Out) -> Result<(), Failure> {
    let answer = Line::default().with(Style::Strong, plain_line(&decision.answer));
    let head = format!(
        "  {} · {} · {} · {} · {} % similar",
        plain_line(&decision.topic),
        plain_line(&decision.debate),
        decision.stands,
        format_age(decision.age_s),
        decision.near
    );
    let head = Line::default().with(Style::Dim, head);
    let mut lines = answer.wrap_to_width(2, edge.width);
    lines.extend(head.wrap_to_width(4, edge.width));
    let hangs_on = decision.hangs_on.iter().map(|point| {
        let fault = point.fault.as_ref();
        let fault = fault.map_or(String::new(), |fault| format!(" ({fault})"));
        format!("{} {}{fault}", point.id, point.title)
    });
    let rows = [
        ("Why", decision.why.clone()),
        ("Unless", decision.unless.clone()),
        (
            "Decided",
            decision.decided.as_ref().map(|decided| decided.in_words()),
        ),
        (
            "Hangs on",
            Some(hangs_on.collect::<Vec<_>>().join("; ")).filter(|it| !it.is_empty()),
        ),
        ("Source", Some(describe_source(&decision.source))),
    ];
    for (label, text) in rows {
        let Some(text) = text else { continue };
        let changed = label == "Source" && decision.source.is_stale();
        let style = if changed { Style::Warn } else { Style::Plain };
        let line = Line::default()
            .with(Style::Name, format!("  {label:<LABEL$}"))
            .with(style, plain_line(&text));
        lines.extend(line.wrap_to_width(LABEL + 2, edge.width));
    }
    lines
        .iter()
        .try_for_each(|line| out.write_line(&line_to_ansi(line)))
}

/// Describes the source of a decision, and how it has changed.
pub(super) fn describe_source(source: &SourceStatus) -> String {
    match &source.about {
        Some(about) => format!("{about}: {}", source.said),
        None => source.said.clone(),
    }
}

/// Formats an age in the largest unit that fits.
pub(super) fn format_age(seconds: u64) -> String {
    let units = [
        (31_557_600, "year"),
        (2_629_800, "month"),
        (604_800, "week"),
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
    ];
    let whole = units.into_iter().find(|(unit, _)| seconds >= *unit);
    match whole {
        Some((unit, name)) => format!("{} ago", count_with_noun(seconds / unit, name)),
        None => "just now".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_said_in_one_unit() {
        let said = [
            0,
            59,
            60,
            7_199,
            86_400,
            604_800 * 3 + 5,
            2_629_800 * 2,
            31_557_600,
        ];
        let said = said.map(format_age);
        assert_eq!(
            said,
            [
                "just now",
                "just now",
                "1 minute ago",
                "1 hour ago",
                "1 day ago",
                "3 weeks ago",
                "2 months ago",
                "1 year ago"
            ]
        );
    }
}
