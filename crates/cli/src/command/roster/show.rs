//! `agon roster show`: shows a role's settings, where each is set, and how tools run it.

use agon_install::roster;
use agon_install::roster::{LimitDoc, RoleDoc, RoleFieldDoc, RoleInHostDoc, RosterRequest};
use agon_report::text::{count_with_noun, plain_line};

use super::matrix::outcome_name;
use super::powers;
use crate::args::{Global, RoleArgs};
use crate::error::{Exit, Failure};
use crate::output::{DIM, ODD, Out, STRONG, align_columns, apply_style};
use crate::pager;
use crate::surroundings::Surroundings;

/// Runs `agon roster show`.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &RoleArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = RosterRequest {
        team_profile: args.team_profile.clone(),
        waived: args.waive.clone(),
    };
    let role = roster::show(edge, &request, &args.role, args.host.as_deref())?;
    if global.json {
        out.write_json(&role)?;
        return Ok(Exit::Done);
    }
    pager::begin(edge, global, out);
    out.write_line(&apply_style(STRONG, &role.role))?;
    out.write_line(&format!("  {}", plain_line(&role.purpose)))?;
    out.write_line(&format!("  Called when {}.\n", plain_line(&role.call_when)))?;
    out.write_stdout(&align_columns(&setting_rows(&role), edge.table_width))?;
    for host in &role.hosts {
        out.write_stdout(&format_host(edge, host))?;
    }
    Ok(Exit::Done)
}

fn setting_rows(role: &RoleDoc) -> Vec<[String; 3]> {
    let row = |name: &str, value: String, source: &str| {
        let value = match value.is_empty() {
            true => "none".to_owned(),
            false => plain_line(&value),
        };
        [
            format!("  {name}"),
            value,
            apply_style(DIM, &plain_line(source)),
        ]
    };
    let temperature = role.temperature.value;
    let mut rows = vec![
        row("class", enum_name(&role.class.value), &role.class.source),
        row("effort", enum_name(&role.effort.value), &role.effort.source),
        row(
            "temperature",
            temperature.map_or_else(|| "the tool's default".to_owned(), |it| it.to_string()),
            &role.temperature.source,
        ),
        row(
            "may",
            powers(&role.may.value, &role.edit_only),
            &role.may.source,
        ),
        row("agon", role.agon.value.join(", "), &role.agon.source),
        row("skills", role.skills.value.join(", "), &role.skills.source),
    ];
    for server in &role.servers {
        let state = match &server.off {
            None => server.server.clone(),
            Some(why) => format!("{}: off, {why}", server.server),
        };
        rows.push(row("server", state, &server.source));
    }
    if let Some(profile) = &role.profile {
        rows.push(row("profile", profile.value.clone(), &profile.source));
    }
    if let Some(member) = &role.membership {
        let count = count_with_noun(member.count.unsigned_abs(), "member");
        let team = match &member.host {
            Some(host) => format!("{}: {count}, in {host}", member.team),
            None => format!("{}: {count}", member.team),
        };
        rows.push(row("team", team, &member.source));
    }
    let budget = format!(
        "{} tokens of instructions, {} for a task",
        role.max_text_tokens, role.max_task_tokens
    );
    rows.push(row("budget", budget, "the role"));
    rows
}

/// Returns the name of an enum value in documents.
fn enum_name(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

fn format_host(edge: &Surroundings, host: &RoleInHostDoc) -> String {
    let title = apply_style(STRONG, host.title);
    let mut text = format!("\n{title}  {}\n", outcome_name(host.outcome));
    let model = [[
        "  model".to_owned(),
        plain_line(&host.model.value),
        apply_style(DIM, &plain_line(&host.model.source)),
    ]];
    text.push_str(&align_columns(&model, edge.table_width));
    if !host.tools.is_empty() {
        let tools = plain_line(&host.tools.join(", "));
        text.push_str(&format!("  tools  {tools}\n"));
    }
    if !host.team_tools.is_empty() {
        let tools = plain_line(&host.team_tools.join(", "));
        text.push_str(&format!("  in a team, also  {tools}\n"));
    }
    if !host.lacks.is_empty() {
        let head = apply_style(ODD, "lacks a tool for");
        text.push_str(&format!("  {head}: {}\n", host.lacks.join(", ")));
    }
    for (outcome, heading) in [
        ("kept", "kept"),
        ("translated", "translated"),
        ("not_enforced", "not supported"),
    ] {
        // Skip limits that caused the agent to be left out; their reasons follow below.
        let is_limit =
            |field: &RoleFieldDoc| host.left_out.iter().any(|it| it.field == field.field);
        let fields = host.fields.iter().filter(|field| !is_limit(field));
        for line in group_fields_by_reason(fields, outcome) {
            text.push_str(&format!("  {heading}: {line}\n"));
        }
    }
    if !host.waived.is_empty() {
        let waived = apply_style(ODD, "waived");
        text.push_str(&format!("  {waived}: {}\n", host.waived.join(", ")));
    }
    for limit in &host.left_out {
        text.push_str(&format_limit(limit));
    }
    text
}

fn format_limit(limit: &LimitDoc) -> String {
    let head = apply_style(ODD, "left out");
    format!(
        "  {head}: {}: {}; --waive {}\n",
        limit.field, limit.reason, limit.waiver
    )
}

/// Returns a line per reason, with the fields that have this outcome for that reason.
fn group_fields_by_reason<'a>(
    fields: impl Iterator<Item = &'a RoleFieldDoc>,
    outcome: &str,
) -> Vec<String> {
    let mut groups: Vec<(Option<&str>, Vec<&str>)> = Vec::new();
    for field in fields.filter(|field| field.outcome == outcome) {
        match groups
            .iter_mut()
            .find(|(detail, _)| *detail == field.detail)
        {
            Some((_, names)) => names.push(field.field),
            None => groups.push((field.detail, vec![field.field])),
        }
    }
    let line = |(detail, names): (Option<&str>, Vec<&str>)| match detail {
        Some(detail) => format!("{}: {detail}", names.join(", ")),
        None => names.join(", "),
    };
    groups.into_iter().map(line).collect()
}
