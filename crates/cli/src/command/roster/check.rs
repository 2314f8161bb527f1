//! `agon roster check`: whether tools have the roster as it is.

use agon_install::roster;
use agon_install::roster::CheckedInstallationDoc;
use agon_report::text::{count_with_noun, plain_line};

use crate::args::Global;
use crate::command::hosts::format_finding;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{ODD, Out, STRONG, apply_style};

/// Runs `agon roster check`; exit 8 where a tool would not take a role, 7 where one differs.
pub(super) fn run(edge: &Surroundings, global: &Global, out: &mut Out) -> Result<Exit, Failure> {
    let checked = roster::check(edge)?;
    if global.json {
        out.write_json(&checked)?;
    } else {
        for installation in &checked.installations {
            out.write_stdout(&format_installation(installation))?;
        }
        for finding in &checked.findings {
            out.write_stdout(&format_finding(finding))?;
        }
        if checked.installations.is_empty() {
            out.write_line("no team is installed: agon install HOST --what team")?;
        }
        let faults = count_with_noun(checked.findings.len() as u64, "fault");
        out.write_line(&format!("the roster has {faults}"))?;
    }
    Ok(if !checked.findings.is_empty() {
        Exit::Findings
    } else if checked.has_drift() {
        Exit::Lesser
    } else {
        Exit::Done
    })
}

fn format_installation(installation: &CheckedInstallationDoc) -> String {
    let scope = match installation.scope {
        "project" => ", for this project",
        _ => "",
    };
    let current = count_with_noun(installation.current as u64, "agent");
    let title = apply_style(STRONG, installation.title);
    let mut text = format!("{title}{scope}  {current} as the roster says\n");
    for drift in &installation.drift {
        let (kind, what) = match drift.kind {
            "outdated" => ("outdated", "the roster says something else now"),
            "changed" => ("changed", "edited, or not Agon's: it stays as it is"),
            "missing" => ("missing", "its file is gone"),
            "new" => ("new", "it was not installed"),
            _ => ("left out", "the tool cannot hold it to its limits now"),
        };
        let kind = apply_style(ODD, kind);
        let path = plain_line(&drift.path);
        text.push_str(&format!("  {kind} {}: {what}: {path}\n", drift.role));
    }
    if !installation.drift.is_empty() {
        let scope = match installation.scope {
            "project" => " --scope project",
            _ => "",
        };
        let host = installation.host;
        text.push_str(&format!(
            "  agon install {host}{scope} brings it up to date\n"
        ));
    }
    text
}
