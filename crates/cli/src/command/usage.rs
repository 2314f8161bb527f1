//! `agon usage`: what debates have cost.

use std::collections::{BTreeMap, BTreeSet};

use agon_index::{Call, Ended, Spent, Upto};
use agon_record::spec::ToolName;
use agon_record::text::sanitise;
use agon_report::text::{clock, cut, rounded};
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp, civil::Date};
use serde::Serialize;

use crate::args::{By, Global, UsageArgs};
use crate::command::list::time;
use crate::command::which;
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, columns, styled};
use crate::past;

/// The widest name of a row.
const WIDEST: usize = 44;

/// What some calls cost together.
#[derive(Clone, Debug, Default, Serialize)]
struct Sum {
    debates: usize,
    calls: u64,
    /// Calls that gave no reply.
    lost: u64,
    tokens: Tokens,
    /// In US dollars, of the calls that say it; null where none does.
    cost: Option<f64>,
    /// Calls that do not say what they cost.
    cost_unknown: u64,
    cost_unknown_for: BTreeSet<ToolName>,
    /// Time in calls.
    time_ms: u64,
    /// Running time of the debates: calls beside each other count once.
    wall_ms: u64,
}

#[derive(Clone, Debug, Default, Serialize)]
struct Tokens {
    #[serde(rename = "in")]
    input: u64,
    #[serde(rename = "out")]
    output: u64,
    cached: u64,
    /// Whether some of it is our estimate.
    estimated: bool,
}

#[derive(Serialize)]
struct Group {
    name: String,
    #[serde(flatten)]
    sum: Sum,
}

#[derive(Serialize)]
struct Usage {
    schema: &'static str,
    since: Option<String>,
    by: &'static str,
    total: Sum,
    groups: Vec<Group>,
}

/// Shows what debates have cost.
pub(crate) fn run(
    edge: &Edge,
    global: &Global,
    args: &UsageArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let since = args.since.as_deref().map(since).transpose()?;
    let dir = which::debates_dir(edge, global)?;
    let (mut index, refreshed) = past::index(&dir, Upto::All, out)?;
    past::note_unreadable(&refreshed, out);
    let spent = index
        .spent(since.unwrap_or(0))
        .map_err(|error| past::failure(&error))?;
    let usage = Usage {
        schema: "agon.usage/1",
        since: since.map(time),
        by: name_of(args.by),
        total: sum(spent.iter()),
        groups: groups(&spent, args.by),
    };
    if global.json {
        out.json(&usage)?;
        return Ok(Exit::Done);
    }
    if usage.groups.is_empty() {
        let since = usage.since.map(|since| format!(" since {since}"));
        out.note(&format!(
            "no call in {}{}",
            dir.display(),
            since.unwrap_or_default()
        ));
        return Ok(Exit::Done);
    }
    print(&usage, out)?;
    Ok(Exit::Done)
}

fn name_of(by: By) -> &'static str {
    match by {
        By::Tool => "tool",
        By::Debate => "debate",
        By::Model => "model",
        By::Day => "day",
    }
}

/// The moment that `text` names, in milliseconds since 1970.
fn since(text: &str) -> Result<u64, Failure> {
    let at = moment(text).and_then(|at| u64::try_from(at.as_millisecond()).ok());
    at.ok_or_else(|| {
        let text = sanitise(text, 60);
        Failure::new(
            Exit::Usage,
            "invalid_parameter",
            format!("`{text}` is no moment in the past"),
        )
        .parameter("since")
        .hint("use 7d, 24h, 2w, a day such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z")
    })
}

fn moment(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    if let Ok(day) = text.parse::<Date>() {
        return Some(day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp());
    }
    let span: Span = text.parse().ok()?;
    let ago = span
        .abs()
        .to_duration(SpanRelativeTo::days_are_24_hours())
        .ok()?;
    let now = Timestamp::from_millisecond(i64::try_from(edge::now_ms()).ok()?).ok()?;
    (ago > SignedDuration::ZERO).then(|| now.checked_sub(ago).ok())?
}

fn groups(spent: &[Spent], by: By) -> Vec<Group> {
    // Debates may have the same name in two tellings of it; their number tells them apart.
    let mut found: BTreeMap<(String, Option<i64>), Vec<&Spent>> = BTreeMap::new();
    for one in spent {
        let debate = (by == By::Debate).then_some(one.debate);
        found.entry((name(one, by), debate)).or_default().push(one);
    }
    let groups = found.into_iter().map(|((name, _), calls)| Group {
        name,
        sum: sum(calls.into_iter()),
    });
    let mut groups: Vec<_> = groups.collect();
    match by {
        // Days in their order; the rest by what they cost, the most first.
        By::Day => {}
        By::Tool | By::Debate | By::Model => {
            groups.sort_by_key(|group| std::cmp::Reverse(all(&group.sum.tokens)));
        }
    }
    groups
}

fn name(one: &Spent, by: By) -> String {
    let Call { tool, model, .. } = &one.call;
    match by {
        By::Tool => tool.to_string(),
        By::Debate => sanitise(&one.slug, 120),
        By::Model => match model {
            Some(model) => format!("{tool} {}", sanitise(model, 80)),
            None => format!("{tool} (its own choice)"),
        },
        By::Day => time(one.call.at_ms).chars().take(10).collect(),
    }
}

fn all(tokens: &Tokens) -> u64 {
    tokens.input.saturating_add(tokens.output)
}

fn sum<'a>(spent: impl Iterator<Item = &'a Spent>) -> Sum {
    let mut sum = Sum::default();
    let mut micros: Option<u64> = None;
    // From when to when each debate's clock ran.
    let mut clocks: BTreeMap<i64, (u64, u64)> = BTreeMap::new();
    for Spent { debate, call, .. } in spent {
        sum.calls += 1;
        sum.lost += u64::from(call.ended != Ended::Given);
        sum.time_ms = sum.time_ms.saturating_add(call.took_ms.unwrap_or(0));
        let usage = call.usage.unwrap_or_default();
        let tokens = &mut sum.tokens;
        tokens.input = tokens.input.saturating_add(usage.input);
        tokens.output = tokens.output.saturating_add(usage.output);
        tokens.cached = tokens.cached.saturating_add(usage.cached);
        tokens.estimated |= usage.estimated;
        match usage.cost_micros {
            Some(cost) => micros = Some(micros.unwrap_or(0).saturating_add(cost)),
            None => {
                sum.cost_unknown += 1;
                sum.cost_unknown_for.insert(call.tool.clone());
            }
        }
        let clock = clocks.entry(*debate).or_insert((u64::MAX, 0));
        if let (Some(end), Some(took)) = (call.clock_ms, call.took_ms) {
            clock.0 = clock.0.min(end.saturating_sub(took));
            clock.1 = clock.1.max(end);
        }
    }
    sum.debates = clocks.len();
    let ran = clocks.values().map(|(from, to)| to.saturating_sub(*from));
    sum.wall_ms = ran.fold(0, u64::saturating_add);
    sum.cost = micros.map(|micros| micros as f64 / 1e6);
    sum
}

fn print(usage: &Usage, out: &mut Out) -> Result<(), Failure> {
    let mut rows =
        vec![[usage.by, "calls", "lost", "in", "out", "money", "time"].map(str::to_owned)];
    rows.extend(
        usage
            .groups
            .iter()
            .map(|group| row(&group.name, &group.sum)),
    );
    if usage.groups.len() > 1 {
        rows.push(row("together", &usage.total));
    }
    let text = columns(&rows);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    out.line(&styled(DIM, head))?;
    out.data(rest)?;
    let total = &usage.total;
    let counted = agon_report::text::counted(total.debates as u64, "debate");
    let since = usage
        .since
        .as_deref()
        .map(|since| format!(" since {since}"));
    let mut said = vec![format!(
        "{counted}{}, {} of running time",
        since.unwrap_or_default(),
        clock(total.wall_ms)
    )];
    if total.cost_unknown > 0 {
        let tools: Vec<_> = total
            .cost_unknown_for
            .iter()
            .map(ToolName::as_str)
            .collect();
        let calls = agon_report::text::counted(total.cost_unknown, "call");
        said.push(format!("money unknown for {calls} ({})", tools.join(", ")));
    }
    if total.tokens.estimated {
        said.push("some tokens are estimated".to_owned());
    }
    out.line(&styled(DIM, &said.join(" · ")))
}

fn row(name: &str, sum: &Sum) -> [String; 7] {
    let lost = match sum.lost {
        0 => String::new(),
        lost => lost.to_string(),
    };
    let money = match sum.cost {
        None => "unknown".to_owned(),
        Some(cost) if sum.cost_unknown > 0 => format!("${cost:.2} and more"),
        Some(cost) => format!("${cost:.2}"),
    };
    [
        cut(name, WIDEST),
        sum.calls.to_string(),
        lost,
        rounded(sum.tokens.input),
        rounded(sum.tokens.output),
        money,
        clock(sum.time_ms),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_an_age_a_day_or_a_time() {
        let day = since("2026-11-01").unwrap();
        assert_eq!(time(day), "2026-11-01T00:00:00Z");
        assert_eq!(
            time(since("2026-11-01T12:30:00+01:00").unwrap()),
            "2026-11-01T11:30:00Z"
        );
        let now = edge::now_ms();
        for (text, hours) in [("7d", 168), ("24h", 24), ("2w", 336), ("1 day 2 hours", 26)] {
            let at = since(text).unwrap();
            let off = now.saturating_sub(hours * 3_600_000).abs_diff(at);
            assert!(off < 60_000, "{text}: {at}");
        }
        for text in [
            "",
            "yesterday",
            "0d",
            "7",
            "1969-01-01",
            "-",
            "9999999y",
            "2026-13-01",
        ] {
            assert_eq!(since(text).unwrap_err().code, "invalid_parameter", "{text}");
        }
    }
}
