//! `agon hosts lint`: whether files for AI tools are as these read them.

use agon_app::hosts::{self, LintFinding};
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{Global, LintArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{BAD, Out, STRONG, apply_style};

/// Checks the files; exit 8 when something is wrong with one.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &LintArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = hosts::lint(edge, &args.paths, args.host.as_deref())?;
    if global.json {
        out.write_json(&document)?;
    } else {
        for finding in &document.findings {
            out.write_stdout(&format_finding(finding))?;
        }
        let faults = count_with_noun(document.findings.len() as u64, "fault");
        let files = count_with_noun(document.checked as u64, "file");
        out.write_line(&format!("{files} checked, {faults}"))?;
    }
    Ok(match document.findings.is_empty() {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

/// A fault with its place, in two lines.
pub(crate) fn format_finding(finding: &LintFinding) -> String {
    let head = apply_style(BAD, &format!("error[{}]", finding.code));
    let message = apply_style(STRONG, &plain_line(&finding.message));
    let path = plain_line(&finding.path);
    format!("{head}: {message}\n  --> {path}:{}\n", finding.line)
}
