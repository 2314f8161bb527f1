//! `agon skills`: how to do something well, written for a model.

mod choose;
mod explain;
mod import;
mod lint;
mod list;
mod show;

use agon_install::hosts::LintFinding;

use crate::args::{Global, SkillsCommand};
use crate::command::hosts::format_finding;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;

/// Runs `agon skills`.
pub(crate) fn run(
    edge: &Surroundings,
    global: &Global,
    command: &SkillsCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        SkillsCommand::Match(args) => choose::run(edge, global, args, out),
        SkillsCommand::Explain(args) => explain::run(edge, global, args, out),
        SkillsCommand::List(args) => list::run(edge, global, args, out),
        SkillsCommand::Show(args) => show::run(edge, global, args, out),
        SkillsCommand::Lint(args) => lint::run(edge, global, args, out),
        SkillsCommand::Import(args) => import::run(edge, global, args, out),
    }
}

/// Says which skills of named folders were passed over, and why.
fn report_passed_over(findings: &[LintFinding], out: &mut Out) {
    for finding in findings {
        out.eprint_line(format_finding(finding).trim_end());
    }
}

/// Why a skill is not given, in words.
fn describe_reason(reason: &str) -> &str {
    match reason {
        "role" => "it is for other roles",
        "host" => "it is for other tools",
        "no_match" => "it has no word of the request",
        "below_threshold" => "below the threshold",
        "far_below_best" => "another one fits far better",
        "too_many" => "enough others fit better",
        "no_room" => "there is no room for it",
        other => other,
    }
}
