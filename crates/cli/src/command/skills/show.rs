//! `agon skills show`: prints a skill.

use agon_install::skills;
use agon_report::text::strip_invisible_characters;

use crate::args::{Global, SkillsShowArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Prints the text of the skill that a model reads.
pub(super) fn run(
    edge: &Surroundings,
    global: &Global,
    args: &SkillsShowArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = skills::show(edge, &args.name, &args.from.from)?;
    if global.json {
        out.write_json(&document)?;
        return Ok(Exit::Done);
    }
    // A skill from a folder is untrusted text, so control characters are removed.
    out.write_stdout(&strip_invisible_characters(&document.text))?;
    Ok(Exit::Done)
}
