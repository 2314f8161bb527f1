//! `agon skills`: matches, shows, checks and imports skills.

mod choose;
mod explain;
mod import;
mod lint;
mod list;
mod show;

use agon_install::hosts::LintFinding;

use crate::args::{Global, SkillsCommand};
use crate::command::hosts::format_finding;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

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

/// Reports which skills of the given folders were skipped, and why.
fn report_skipped(findings: &[LintFinding], out: &mut Out) {
    for finding in findings {
        out.eprint_line(format_finding(finding).trim_end());
    }
}

/// Describes why a skill is left out.
fn describe_reason(reason: &str) -> &str {
    match reason {
        "role" => "for other roles",
        "host" => "for other tools",
        "no_match" => "matches no word of the request",
        "below_threshold" => "below the threshold",
        "far_below_best" => "another skill fits much better",
        "too_many" => "enough other skills fit better",
        "no_room" => "does not fit into the budget",
        other => other,
    }
}
