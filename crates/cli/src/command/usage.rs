//! `agon usage`: shows what debates cost.

use agon_caller::usage::{UsageGrouping, UsageSum};
use agon_debates::past::usage;
use agon_debates::past::usage::{MonthDoc, UnattendedDoc, Usage};
use agon_report::screen::{Line, Style};
use agon_report::text::{
    abbreviate_count, count_with_noun, format_dollars, format_duration, truncate_to_width,
};

use crate::args::{By, Global, UsageArgs};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, align_columns, apply_style, line_to_ansi};
use crate::surroundings::Surroundings;

// Folder names have at most 40 bytes (`SLUG_MAX` in `store/src/slug.rs`), and six numbers must
// still fit into 110 columns.
/// The maximum width of a row's name.
const WIDEST: usize = 44;

/// Shows what debates cost.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &UsageArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let usage = usage::usage(edge, args.since.as_deref(), grouping_from_arg(args.by), out)?;
    if global.json {
        out.write_json(&usage)?;
        return Ok(Exit::Done);
    }
    if usage.groups.is_empty() {
        let since = usage.since.map(|since| format!(" since {since}"));
        out.eprint_line(&format!(
            "no calls in {}{}",
            usage.dir.display(),
            since.unwrap_or_default()
        ));
    } else {
        print_usage_table(edge, &usage, out)?;
    }
    let UnattendedDoc {
        used,
        reserved,
        limit,
    } = usage.unattended;
    if used > 0 || reserved > 0 {
        let [used, reserved, limit] = [used, reserved, limit].map(abbreviate_count);
        out.eprint_line(&format!(
            "unattended runs today: {used} of {limit} tokens used, {reserved} reserved"
        ));
    }
    if let Some(MonthDoc {
        used,
        reserved,
        limit,
    }) = usage.month
    {
        let [used, reserved, limit] = [used, reserved, limit].map(abbreviate_count);
        out.eprint_line(&format!(
            "this month: {used} of {limit} tokens used, {reserved} reserved"
        ));
    }
    Ok(Exit::Done)
}

pub(crate) fn grouping_from_arg(by: By) -> UsageGrouping {
    match by {
        By::Tool => UsageGrouping::Tool,
        By::Debate => UsageGrouping::Debate,
        By::Model => UsageGrouping::Model,
        By::Day => UsageGrouping::Day,
    }
}

fn print_usage_table(edge: &Surroundings, usage: &Usage, out: &mut Out) -> Result<(), Failure> {
    let mut rows =
        vec![[usage.by, "calls", "failed", "in", "out", "cost", "time"].map(str::to_owned)];
    rows.extend(
        usage
            .groups
            .iter()
            .map(|group| usage_row(&group.name, &group.sum)),
    );
    if usage.groups.len() > 1 {
        rows.push(usage_row("total", &usage.total));
    }
    let text = match usage.total.lost {
        // Drop the column of failed calls if it would be empty.
        0 => {
            let without = |[name, calls, _, rest @ ..]: [String; 7]| {
                let [input, output, cost, time] = rest;
                [name, calls, input, output, cost, time]
            };
            let rows: Vec<_> = rows.into_iter().map(without).collect();
            align_columns(&rows, edge.table_width)
        }
        _ => align_columns(&rows, edge.table_width),
    };
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    out.write_line(&apply_style(DIM, head))?;
    out.write_stdout(rest)?;
    let total = &usage.total;
    let debates = count_with_noun(total.debates as u64, "debate");
    let since = usage
        .since
        .as_deref()
        .map(|since| format!(" since {since}"));
    let mut notes = vec![format!(
        "{debates}{}, {} running time",
        since.unwrap_or_default(),
        format_duration(total.wall_ms)
    )];
    if total.cost_unknown > 0 {
        let tools = total.cost_unknown_for.iter();
        let tools: Vec<_> = tools.map(ToString::to_string).collect();
        let calls = count_with_noun(total.cost_unknown, "call");
        notes.push(format!(
            "cost not reported for {calls} ({})",
            tools.join(", ")
        ));
    }
    if total.tokens.estimated {
        notes.push("~ estimated from the length of the texts".to_owned());
    }
    let lines = notes.into_iter().flat_map(|note| {
        let line = Line::default().with(Style::Dim, note);
        line.wrap_to_width(2, edge.width)
    });
    lines
        .map(|line| line_to_ansi(&line))
        .try_for_each(|line| out.write_line(&line))
}

fn usage_row(name: &str, sum: &UsageSum) -> [String; 7] {
    let failed = match sum.lost {
        0 => String::new(),
        failed => failed.to_string(),
    };
    let about = if sum.tokens.estimated { "~" } else { "" };
    let cost = match sum.cost {
        None => "unknown".to_owned(),
        Some(cost) if sum.cost_unknown > 0 => format!("{}+", format_dollars(cost)),
        Some(cost) => format_dollars(cost),
    };
    [
        truncate_to_width(name, WIDEST),
        sum.calls.to_string(),
        failed,
        format!("{about}{}", abbreviate_count(sum.tokens.input)),
        format!("{about}{}", abbreviate_count(sum.tokens.output)),
        cost,
        format_duration(sum.time_ms),
    ]
}
