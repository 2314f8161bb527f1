//! `agon hosts lint`: checks files for AI tools.

use agon_install::hosts;
use agon_install::hosts::LintFinding;
use agon_report::text::{count_with_noun, plain_line};

use crate::args::{Global, LintArgs};
use crate::error::{Exit, Failure};
use crate::output::{BAD, ODD, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

/// Checks the files; exits with 8 if a host misreads one.
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
        let errors = document.findings.iter().filter(|it| it.is_error()).count();
        let warnings = document.findings.len() - errors;
        let errors = count_with_noun(errors as u64, "error");
        let files = count_with_noun(document.checked as u64, "file");
        let more = match warnings {
            0 => String::new(),
            count => format!(", {}", count_with_noun(count as u64, "warning")),
        };
        out.write_line(&format!("{files} checked, {errors}{more}"))?;
    }
    Ok(match document.has_errors() {
        false => Exit::Done,
        true => Exit::Findings,
    })
}

/// Formats a finding with its place, on two lines.
pub(crate) fn format_finding(finding: &LintFinding) -> String {
    let style = if finding.is_error() { BAD } else { ODD };
    let head = format!("{}[{}]", finding.severity.name(), finding.code);
    let head = apply_style(style, &head);
    let message = apply_style(STRONG, &plain_line(&finding.message));
    let path = plain_line(&finding.path);
    format!("{head}: {message}\n  --> {path}:{}\n", finding.line)
}
