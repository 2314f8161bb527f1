//! `agon team usage`: shows tokens, cost and time of members' turns.

use agon_report::text::{
    abbreviate_count, count_with_noun, format_dollars, format_duration, plain_line,
};
use agon_teamwork::{TeamUsageDoc, TeamUsageGroup, TeamUsageRequest, TeamUsageSum};

use crate::args::{Global, TeamBy, TeamUsageArgs};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, align_columns, apply_style};
use crate::surroundings::Surroundings;

/// Shows the usage of a team.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &TeamUsageArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = TeamUsageRequest {
        since: args.since.clone(),
        run: args.run,
    };
    let document = agon_teamwork::usage(edge, &request, out)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    let (by, groups, without) = match args.by {
        TeamBy::Member => ("member", &document.by_member, ""),
        TeamBy::Role => ("role", &document.by_role, ""),
        TeamBy::Host => ("host", &document.by_host, ""),
        TeamBy::Model => ("model", &document.by_model, ""),
        TeamBy::Task => ("task", &document.by_task, "no task"),
        TeamBy::Run => ("run", &document.by_run, "no run"),
    };
    if !groups.is_empty() {
        let table = usage_table(by, groups, without, &document.total, edge.table_width);
        let (head, rest) = table.split_once('\n').unwrap_or((&table, ""));
        out.write_line(&apply_style(DIM, head))?;
        out.write_stdout(rest)?;
    }
    for line in missing_data_notes(&document) {
        out.write_line(&apply_style(DIM, &plain_line(&line)))?;
    }
    Ok(Exit::Done)
}

fn usage_table(
    by: &str,
    groups: &[TeamUsageGroup],
    without: &str,
    total: &TeamUsageSum,
    width: usize,
) -> String {
    let heads = [
        by, "turns", "retries", "in", "out", "cost", "time", "refused", "expired", "mails",
    ];
    let mut rows = vec![heads.map(str::to_owned)];
    for group in groups {
        rows.push(usage_row(
            group.name.as_deref().unwrap_or(without),
            &group.sum,
        ));
    }
    if groups.len() > 1 {
        rows.push(usage_row("total", total));
    }
    align_columns(&rows, width)
}

fn usage_row(name: &str, sum: &TeamUsageSum) -> [String; 10] {
    let tokens = sum.tokens.as_ref();
    let about = tokens.map_or("", |it| if it.estimated { "~" } else { "" });
    let count = |number: Option<u64>| {
        let text = number.map(|it| format!("{about}{}", abbreviate_count(it)));
        format_figure(sum, text, sum.tokens_unknown)
    };
    [
        plain_line(name),
        sum.turns.to_string(),
        sum.retries.to_string(),
        count(tokens.map(|it| it.input)),
        count(tokens.map(|it| it.output)),
        format_figure(sum, sum.cost.map(format_dollars), sum.cost_unknown),
        format_figure(sum, sum.time_ms.map(format_duration), sum.time_unknown),
        sum.claims_refused.to_string(),
        sum.leases_lost.to_string(),
        sum.mails.to_string(),
    ]
}

/// Formats a figure, with `+` if some turns did not report theirs; empty if there was no turn.
fn format_figure(sum: &TeamUsageSum, text: Option<String>, unknown: u64) -> String {
    match text {
        None if sum.turns == 0 => String::new(),
        None => "unknown".to_owned(),
        Some(text) if unknown > 0 => format!("{text}+"),
        Some(text) => text,
    }
}

/// Returns notes on what the figures leave out.
fn missing_data_notes(document: &TeamUsageDoc) -> Vec<String> {
    let total = &document.total;
    let mut lines = Vec::new();
    if total.turns == 0 {
        let run = document.run.map(|run| format!(" in {run}"));
        let since = document.since.as_ref().map(|it| format!(" since {it}"));
        lines.push(format!(
            "Agon has not started any member{}{}",
            run.unwrap_or_default(),
            since.unwrap_or_default()
        ));
    }
    let unknown: Vec<String> = [
        ("tokens", total.tokens_unknown),
        ("cost", total.cost_unknown),
        ("time", total.time_unknown),
    ]
    .into_iter()
    .filter(|(_, turns)| *turns > 0)
    .map(|(what, turns)| format!("{what} of {}", count_with_noun(turns, "turn")))
    .collect();
    if !unknown.is_empty() {
        lines.push(format!("not reported: {}", unknown.join(", ")));
    }
    if total.under_way > 0 {
        let turns = count_with_noun(total.under_way, "turn");
        lines.push(format!("{turns} running"));
    }
    if total.tokens.as_ref().is_some_and(|it| it.estimated) {
        lines.push("~ estimated from the length of the texts".to_owned());
    }
    for debate in &document.debates {
        let sum = &debate.sum;
        let cost = sum.cost.map_or("cost unknown".to_owned(), format_dollars);
        lines.push(format!(
            "plus the debate {}: {}, {} in, {} out, {cost}",
            debate.name,
            count_with_noun(sum.calls, "call"),
            abbreviate_count(sum.tokens.input),
            abbreviate_count(sum.tokens.output),
        ));
    }
    if !document.not_started.is_empty() {
        let names: Vec<String> = document
            .not_started
            .iter()
            .map(ToString::to_string)
            .collect();
        lines.push(format!(
            "not measured (they joined by hand): {}",
            names.join(", ")
        ));
    }
    lines
}
