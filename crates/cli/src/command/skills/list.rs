//! `agon skills list`: the skills that there are.

use agon_install::skills;
use agon_report::text::plain_line;

use super::report_passed_over;
use crate::args::{Global, SkillsListArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, apply_style};

/// Lists the skills; exit 0 also where some of a folder are passed over.
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
        let description = plain_line(&skill.description);
        out.write_stdout(&format!("{name}  {facts}\n  {description}\n"))?;
    }
    report_passed_over(&document.findings, out);
    Ok(Exit::Done)
}
