//! `agon skills lint`: checks skills.

use agon_install::skills;
use agon_install::skills::ListingDoc;
use agon_report::text::count_with_noun;

use crate::args::{Global, SkillsLintArgs};
use crate::command::hosts::format_finding;
use crate::error::{Exit, Failure};
use crate::output::{BAD, Out, apply_style};
use crate::surroundings::Surroundings;

/// Checks the skills; exits with 8 on an error in one, or if all together are too large.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &SkillsLintArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = skills::lint(edge, args.dir.as_deref())?;
    if global.json {
        out.write_json(&document)?;
    } else {
        for finding in &document.findings {
            out.write_stdout(&format_finding(finding))?;
        }
        for listing in &document.listings {
            out.write_line(&format_listing(listing))?;
        }
        let errors = count_with_noun(document.findings.len() as u64, "error");
        let checked = count_with_noun(document.checked as u64, "skill");
        out.write_line(&format!("{checked} checked, {errors}"))?;
    }
    Ok(match document.has_faults() {
        true => Exit::Findings,
        false => Exit::Done,
    })
}

fn format_listing(listing: &ListingDoc) -> String {
    let ListingDoc {
        host,
        tokens,
        limit,
        percent,
        ..
    } = listing;
    let line = format!(
        "{host}: names and descriptions take {tokens} of {limit} tokens ({percent} % of its context window)"
    );
    match tokens > limit {
        true => apply_style(BAD, &format!("{line}: it drops the rest")),
        false => line,
    }
}
