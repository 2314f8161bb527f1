//! `agon roster check`: compares installed agents with the roster.

use agon_install::roster;
use agon_install::roster::CheckedInstallationDoc;
use agon_report::text::{count_with_noun, plain_line};

use crate::args::Global;
use crate::command::hosts::format_finding;
use crate::error::{Exit, Failure};
use crate::output::{ODD, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

/// Checks the roster; exits with 8 if a tool would reject a role, and with 7 if an agent differs.
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
        let errors = count_with_noun(checked.findings.len() as u64, "error");
        out.write_line(&format!("roster checked, {errors}"))?;
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
    let mut text = format!("{title}{scope}  {current} up to date\n");
    for drift in &installation.drift {
        let (kind, what) = match drift.kind {
            "outdated" => ("outdated", "the roster has changed since"),
            "changed" => ("changed", "edited, or not Agon's file; left alone"),
            "missing" => ("missing", "its file is gone"),
            "new" => ("new", "not installed yet"),
            _ => ("left out", "the tool can no longer enforce its limits"),
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
        text.push_str(&format!("  update: agon install {host}{scope}\n"));
    }
    text
}
