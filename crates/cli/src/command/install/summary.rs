//! What an installation came to, in a line for each tool.

use agon_app::hosts::{HostDoc, InstallationDoc, StepDoc};
use agon_report::text::{count_with_noun, plain_line};

use crate::output::{BAD, ODD, STRONG, apply_style};

/// The most steps of a tool that are named because they were kept or refused.
const MAX_NAMED: usize = 3;

/// A line for each tool, and those that it takes to say what was left as it is.
pub(super) fn format_summary(document: &InstallationDoc) -> String {
    let titles = document.hosts.iter().map(|host| host.title.len());
    let wide = titles.max().unwrap_or(0);
    let hosts = document.hosts.iter();
    let mut text: String = hosts
        .map(|host| format_host(host, wide, document.dry_run))
        .collect();
    if let [host] = document.hosts.as_slice() {
        for step in &host.next {
            text.push_str(&format!("  {} {step}\n", apply_style(STRONG, "next:")));
        }
    }
    let mut hints = Vec::new();
    let has_next = document.hosts.iter().any(|host| !host.next.is_empty());
    if document.hosts.len() > 1 && has_next {
        hints.push("start these tools again");
    }
    if document.hosts.iter().any(|host| !host.steps.is_empty()) {
        hints.push("add -v for every file and what else to do");
    }
    if !hints.is_empty() {
        text.push_str(&format!("{}\n", hints.join("; ")));
    }
    text
}

fn format_host(host: &HostDoc, wide: usize, is_dry: bool) -> String {
    let title = apply_style(STRONG, &format!("{:<wide$}", host.title));
    let scope = match host.scope {
        "project" => "this project: ",
        _ => "",
    };
    if host.steps.is_empty() {
        return format!("{title}  {scope}Agon is not installed\n");
    }
    let verbs = [
        ("add", ["added", "to add"]),
        ("update", ["updated", "to update"]),
        ("remove", ["removed", "to remove"]),
        ("same", ["unchanged"; 2]),
        ("keep", ["kept"; 2]),
        ("refuse", ["refused"; 2]),
    ];
    let mut parts = Vec::new();
    for (action, [done, planned]) in verbs {
        let is_it = |step: &&StepDoc| step.action == action && !needs_server(step);
        let steps: Vec<_> = host.steps.iter().filter(is_it).collect();
        if !steps.is_empty() {
            let verb = if is_dry { planned } else { done };
            parts.push(format!("{verb}: {}", count_parts(&steps)));
        }
    }
    let withheld: Vec<_> = host
        .steps
        .iter()
        .filter(|step| needs_server(step))
        .collect();
    if !withheld.is_empty() {
        let what = count_parts(&withheld);
        parts.push(format!("not installed without the server: {what}"));
    }
    let mut left_out: Vec<&str> = host
        .left_out
        .iter()
        .map(|left| left.agent.as_str())
        .collect();
    left_out.dedup();
    if !left_out.is_empty() {
        let agents = count_with_noun(left_out.len() as u64, "agent");
        parts.push(format!(
            "left out, as their limits cannot be enforced: {agents}"
        ));
    }
    let mut text = format!("{title}  {scope}{}\n", parts.join("; "));
    let is_left = |step: &&StepDoc| {
        ["keep", "refuse"].contains(&step.action) && !needs_server(step) && step.reason.is_some()
    };
    let left: Vec<_> = host.steps.iter().filter(is_left).collect();
    for step in left.iter().take(MAX_NAMED) {
        text.push_str(&format_left(step));
    }
    if let Some(more @ 1..) = left.len().checked_sub(MAX_NAMED) {
        text.push_str(&format!("  and {more} more: -v names them\n"));
    }
    text
}

fn needs_server(step: &StepDoc) -> bool {
    step.refusal == Some("needs_server")
}

/// A part that was kept or refused, with its file and why.
fn format_left(step: &StepDoc) -> String {
    let (style, verb) = match step.action {
        "keep" => (ODD, "kept"),
        _ => (BAD, "refused"),
    };
    let reason = step.reason.as_deref().unwrap_or_default();
    format!(
        "  {} {}, {}: {}\n",
        apply_style(style, verb),
        plain_line(&step.part),
        plain_line(&step.path),
        plain_line(reason)
    )
}

/// `server, 3 skills, 1 command`: the parts in their order, those of a kind counted.
fn count_parts(steps: &[&StepDoc]) -> String {
    let mut kinds: Vec<(&str, u64)> = Vec::new();
    for step in steps {
        let kind = step.part.split(' ').next().unwrap_or_default();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let said = kinds.into_iter().map(|(kind, count)| match (kind, count) {
        // There is one of them, and its name says all.
        ("server" | "hooks" | "permissions", 1) => kind.to_owned(),
        _ => count_with_noun(count, kind),
    });
    said.collect::<Vec<_>>().join(", ")
}
