//! `agon skills lint`: whether skills are as hosts read them.

use agon_install::skills;
use agon_install::skills::ListingDoc;
use agon_report::text::count_with_noun;

use crate::args::{Global, SkillsLintArgs};
use crate::command::hosts::format_finding;
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{BAD, Out, apply_style};

/// Checks the skills; exit 8 when something is wrong with one, or with all together.
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
        let faults = count_with_noun(document.findings.len() as u64, "fault");
        let checked = count_with_noun(document.checked as u64, "skill");
        out.write_line(&format!("{checked} checked, {faults}"))?;
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
        "{host}: names and descriptions take {tokens} tokens of {limit} ({percent} % of its window)"
    );
    match tokens > limit {
        true => apply_style(BAD, &format!("{line}: it drops what is beyond that")),
        false => line,
    }
}
