//! The summary of an installation, at most six lines per tool.

use agon_install::hosts::{HostDoc, InstallationDoc, StepDoc};
use agon_report::text::{count_with_noun, plain_line};

use crate::output::{BAD, DIM, ODD, STRONG, apply_style};
use crate::wrap::wrap_lines;

/// The maximum number of lines per tool, including the hint at the end.
const MAX_LINES: usize = 6;
/// The maximum number of kept or refused steps listed per tool.
const MAX_NAMED: usize = 2;

/// The verbs of each action, for a real run and for a dry run.
const VERBS: [(&str, [&str; 2]); 7] = [
    ("add", ["added", "would add"]),
    ("update", ["updated", "would update"]),
    ("remove", ["removed", "would remove"]),
    ("same", ["unchanged"; 2]),
    ("keep", ["kept", "would keep"]),
    ("refuse", ["refused", "would refuse"]),
    // For agents that are not installed, because the tool cannot enforce their limits.
    ("leave out", ["left out", "would leave out"]),
];

/// Returns the verb of an action.
pub(super) fn verb(action: &str, is_dry: bool) -> &str {
    let known = VERBS.iter().find(|(name, _)| *name == action);
    known.map_or(action, |(_, verbs)| verbs[usize::from(is_dry)])
}

/// Summarizes each tool on one line, followed by the steps that were not done. For a single tool,
/// adds its next steps, as far as they fit into six lines.
pub(super) fn format_summary(document: &InstallationDoc, width: usize) -> String {
    let titles = document.hosts.iter().map(|host| host.title.len());
    let wide = titles.max().unwrap_or(0);
    let is_dry = document.dry_run;
    let mut lines: Vec<String> = document
        .hosts
        .iter()
        .flat_map(|host| host_lines(host, wide, is_dry))
        .collect();
    let mut hints = Vec::new();
    // A dry run writes nothing, so there is nothing to do after it.
    let next: usize = match is_dry {
        true => 0,
        false => document.hosts.iter().map(|host| host.next.len()).sum(),
    };
    if let [host] = document.hosts.as_slice() {
        let rows = |line: &str| wrap_lines(line, Some(width)).lines().count();
        let mut taken: usize = lines.iter().map(|line| rows(line)).sum();
        let mut left = next;
        for step in host.next.iter().take(next) {
            let line = format!("  {} {step}", apply_style(STRONG, "next:"));
            taken += rows(&line);
            // Reserves the last line for the hint.
            if taken >= MAX_LINES {
                break;
            }
            lines.push(line);
            left -= 1;
        }
        if left > 0 {
            let more = count_with_noun(left as u64, "more step");
            hints.push(format!("-v lists every file and {more}"));
        }
    } else if next > 0 {
        hints.push("restart these tools; -v lists every file and next step".to_owned());
    }
    let has_steps = document.hosts.iter().any(|host| !host.steps.is_empty());
    let has_left_out = document.hosts.iter().any(|host| !host.left_out.is_empty());
    if hints.is_empty() && has_left_out {
        hints.push("-v lists every file, and the reason for each missing agent".to_owned());
    } else if hints.is_empty() && has_steps {
        hints.push("-v lists every file".to_owned());
    }
    lines.extend(hints.iter().map(|hint| apply_style(DIM, hint)));
    lines.join("\n")
}

fn host_lines(host: &HostDoc, wide: usize, is_dry: bool) -> Vec<String> {
    let title = apply_style(STRONG, &format!("{:<wide$}", host.title));
    let scope = match host.scope {
        "project" => "this project: ",
        _ => "",
    };
    if host.steps.is_empty() {
        return vec![format!("{title}  {scope}Agon is not installed")];
    }
    let mut parts = Vec::new();
    for (action, verbs) in VERBS {
        let is_it = |step: &&StepDoc| step.action == action && !needs_server(step);
        let steps: Vec<_> = host.steps.iter().filter(is_it).collect();
        if !steps.is_empty() {
            let verb = verbs[usize::from(is_dry)];
            let colon = if action == "same" { ":" } else { "" };
            parts.push(format!("{verb}{colon} {}", count_parts(&steps)));
        }
    }
    let withheld = host.steps.iter().filter(|step| needs_server(step));
    let withheld: Vec<_> = withheld.collect();
    if !withheld.is_empty() {
        let verb = if is_dry { "would skip" } else { "skipped" };
        let what = count_parts(&withheld);
        parts.push(format!("{verb} {what} that need the server"));
    }
    let left_out = host.left_out.iter().map(|left| left.agent.as_str());
    let mut left_out: Vec<_> = left_out.collect();
    left_out.dedup();
    if !left_out.is_empty() {
        let agents = count_with_noun(left_out.len() as u64, "agent");
        parts.push(format!("{} {agents}", verb("leave out", is_dry)));
    }
    let mut lines = vec![format!("{title}  {scope}{}", parts.join("; "))];
    let is_left = |step: &&StepDoc| {
        ["keep", "refuse"].contains(&step.action) && !needs_server(step) && step.reason.is_some()
    };
    let left: Vec<_> = host.steps.iter().filter(is_left).collect();
    let named = left.iter().take(MAX_NAMED);
    lines.extend(named.map(|step| format_undone_step(step, is_dry)));
    if let Some(more @ 1..) = left.len().checked_sub(MAX_NAMED) {
        lines.push(format!("  and {more} more; -v lists them"));
    }
    lines
}

fn needs_server(step: &StepDoc) -> bool {
    step.refusal == Some("needs_server")
}

/// Formats a kept or refused part, with its file and the reason.
fn format_undone_step(step: &StepDoc, is_dry: bool) -> String {
    let style = match step.action {
        "keep" => ODD,
        _ => BAD,
    };
    let reason = step.reason.as_deref().unwrap_or_default();
    format!(
        "  {} {}, {}: {}",
        apply_style(style, verb(step.action, is_dry)),
        plain_line(&step.part),
        plain_line(&step.path),
        plain_line(reason)
    )
}

/// Counts the parts by kind, in their order: `server, 3 skills, 1 command`.
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
        // Print no count, because a tool has only one of each of these.
        ("server" | "hooks" | "permissions", 1) => kind.to_owned(),
        _ => count_with_noun(count, kind),
    });
    said.collect::<Vec<_>>().join(", ")
}
