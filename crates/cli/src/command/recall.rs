//! `agon recall`: what was decided near a topic, and whether it still stands on what it stood on.

use agon_index::{HungOn, Near, Upto};
use agon_record::authority::Authority;
use agon_record::spec::FormatName;
use agon_report::text::{cut, plain, wrapped};
use serde::Serialize;

use crate::args::{Global, RecallArgs};
use crate::command::list::time;
use crate::command::search::stands;
use crate::command::which;
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::output::{DIM, ODD, Out, STRONG, styled};
use crate::past;
use crate::precedents::{SourceNow, State, source_now};

/// The most decisions where nobody says how many.
const MOST: usize = 5;
/// Columns of a label.
const LABEL: usize = 11;

#[derive(Serialize)]
struct Decision {
    debate: String,
    id: Option<String>,
    topic: String,
    format: FormatName,
    /// How near, in percent.
    near: usize,
    answer: String,
    why: Option<String>,
    do_next: Option<String>,
    unless: Option<String>,
    authority: Option<Authority>,
    hangs_on: Vec<HungOn>,
    decided_at: String,
    age_s: u64,
    source: SourceNow,
    folder: String,
}

#[derive(Serialize)]
struct Recall<'a> {
    schema: &'static str,
    topic: &'a str,
    decisions: Vec<Decision>,
}

/// Shows the decisions near a topic.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &RecallArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let topic = args.topic.join(" ");
    let dir = which::debates_dir(edge, global)?;
    let (mut index, refreshed) = past::index(&dir, Upto::All, out)?;
    past::note_unreadable(&refreshed, out);
    let near = index
        .near(&topic, args.limit.unwrap_or(MOST))
        .map_err(|error| past::failure(&error))?;
    let now = edge::now_ms();
    let decisions: Vec<_> = near
        .into_iter()
        .filter_map(|near| Some((stands(&near.summary), decision(edge, near, now)?)))
        .collect();
    if global.json {
        out.json(&Recall {
            schema: "agon.recall/1",
            topic: &topic,
            decisions: decisions
                .into_iter()
                .map(|(_, decision)| decision)
                .collect(),
        })?;
        return Ok(Exit::Done);
    }
    if decisions.is_empty() {
        out.note(&format!(
            "nothing near; {} looked at. agon list --search WORDS looks for words alone",
            agon_report::text::counted(refreshed.debates as u64, "debate")
        ));
        return Ok(Exit::Done);
    }
    for (stands, decision) in &decisions {
        print(edge, stands, decision, out)?;
    }
    Ok(Exit::Done)
}

fn decision(edge: &Edge, near: Near, now: u64) -> Option<Decision> {
    let source = source_now(edge, &near.path, &near.summary);
    let summary = near.summary;
    Some(Decision {
        folder: which::shown(edge, &near.path),
        debate: summary.slug,
        id: summary.ulid.map(|ulid| ulid.to_string()),
        topic: summary.topic,
        format: summary.format,
        near: near.near,
        answer: summary.answer?,
        why: summary.why,
        do_next: summary.do_next,
        unless: summary.unless,
        authority: summary.authority,
        hangs_on: summary.hangs_on,
        decided_at: time(summary.at_last),
        age_s: now.saturating_sub(summary.at_last) / 1_000,
        source,
    })
}

fn print(edge: &Edge, stands: &str, decision: &Decision, out: &mut Out) -> Result<(), Failure> {
    let answer = cut(&plain(&decision.answer), edge.width);
    out.line(&styled(STRONG, &answer))?;
    let said = format!(
        "  {} · {} · {stands} · {} · near {} %",
        plain(&decision.topic),
        plain(&decision.debate),
        age(decision.age_s),
        decision.near
    );
    out.line(&styled(DIM, &cut(&said, edge.width)))?;
    let hangs_on = decision
        .hangs_on
        .iter()
        .map(|point| format!("{} {}", point.id, point.title));
    let rows = [
        ("Why", decision.why.clone()),
        ("Unless", decision.unless.clone()),
        (
            "Hangs on",
            Some(hangs_on.collect::<Vec<_>>().join("; ")).filter(|it| !it.is_empty()),
        ),
        ("Source", Some(source(&decision.source))),
    ];
    for (label, text) in rows {
        let Some(text) = text else { continue };
        let room = edge.width.saturating_sub(LABEL + 2);
        let (lines, _) = wrapped(&plain(&text), room, 3);
        let changed = label == "Source" && decision.source.state == State::Changed;
        for (at, line) in lines.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            let line = if changed {
                styled(ODD, line)
            } else {
                line.clone()
            };
            out.line(&format!("  {label:<LABEL$}{line}"))?;
        }
    }
    Ok(())
}

fn source(source: &SourceNow) -> String {
    match &source.about {
        Some(about) => format!("{about}: {}", source.said),
        None => source.said.clone(),
    }
}

/// How long ago, in the largest unit of which there is a whole one.
fn age(seconds: u64) -> String {
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
        Some((unit, name)) => format!("{} ago", agon_report::text::counted(seconds / unit, name)),
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
        let said = said.map(age);
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
