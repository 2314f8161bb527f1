//! `agon skills list`: lists the available skills.

use agon_install::skills;
use agon_report::text::{plain_line, truncate_to_width};

use super::report_skipped;
use crate::args::{Global, SkillsListArgs};
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, apply_style};
use crate::surroundings::Surroundings;

/// Lists the skills; exits with 0 even if some of a folder are skipped.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &SkillsListArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = skills::list(edge, &args.from.from)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    for skill in &document.skills {
        let name = apply_style(STRONG, &plain_line(&skill.name));
        let roles = match skill.roles.is_empty() {
            true => "every role".to_owned(),
            false => plain_line(&skill.roles.join(", ")),
        };
        let facts = apply_style(DIM, &format!("{} tokens, for {roles}", skill.tokens));
        // Truncate the description to one line; `agon skills show` prints all of it.
        let room = edge.table_width.saturating_sub(2);
        let description = truncate_to_width(&plain_line(&skill.description), room);
        out.write_stdout(&format!("{name}  {facts}\n  {description}\n"))?;
    }
    report_skipped(&document.findings, out);
    Ok(Exit::Done)
}
