//! `agon usage`: what debates have cost.

use agon_app::usage::{self, Sum, Usage};
use agon_report::text::{clock, counted, cut, rounded};

use crate::args::{By, Global, UsageArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, columns, styled};

// The longest name of a folder has 40 bytes (`SLUG_MAX` in `store/src/slug.rs`); the others have
// room for six numbers in 110 columns.
/// The widest name of a row.
const WIDEST: usize = 44;

/// Shows what debates have cost.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &UsageArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let usage = usage::usage(edge, args.since.as_deref(), by(args.by), out)?;
    if global.json {
        out.json(&usage)?;
        return Ok(Exit::Done);
    }
    if usage.groups.is_empty() {
        let since = usage.since.map(|since| format!(" since {since}"));
        out.note(&format!(
            "no call in {}{}",
            usage.dir.display(),
            since.unwrap_or_default()
        ));
        return Ok(Exit::Done);
    }
    print(&usage, out)?;
    Ok(Exit::Done)
}

fn by(by: By) -> usage::By {
    match by {
        By::Tool => usage::By::Tool,
        By::Debate => usage::By::Debate,
        By::Model => usage::By::Model,
        By::Day => usage::By::Day,
    }
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
    let debates = counted(total.debates as u64, "debate");
    let since = usage
        .since
        .as_deref()
        .map(|since| format!(" since {since}"));
    let mut parts = vec![format!(
        "{debates}{}, {} of running time",
        since.unwrap_or_default(),
        clock(total.wall_ms)
    )];
    if total.cost_unknown > 0 {
        let tools = total.cost_unknown_for.iter();
        let tools: Vec<_> = tools.map(ToString::to_string).collect();
        let calls = counted(total.cost_unknown, "call");
        parts.push(format!("money unknown for {calls} ({})", tools.join(", ")));
    }
    if total.tokens.estimated {
        parts.push("some tokens are estimated".to_owned());
    }
    out.line(&styled(DIM, &parts.join(" · ")))
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
