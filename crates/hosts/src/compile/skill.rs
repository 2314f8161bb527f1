//! Skills: all hosts read the one form, so a skill is the same everywhere, but for a name that is
//! taken.

use super::{Compiled, Kind, Target};
use crate::content::Skill;
use crate::content::front_matter::quote;
use crate::field::{FieldOutcome, SourceField};

pub(super) fn compile(skill: &Skill, target: &Target<'_>, compiled: &mut Compiled) {
    let name = match target.host.offers_skills_as_commands {
        true => target.host.free_name(&skill.name),
        false => skill.name.clone(),
    };
    let text = match name == skill.name {
        true => skill.text.clone(),
        false => rename(&skill.text, &name),
    };
    compiled.add_text(Kind::Skill, &skill.name, format!("{name}/SKILL.md"), text);
    let named = match name == skill.name {
        true => FieldOutcome::Kept,
        false => {
            FieldOutcome::Translated("with the prefix agon-: the host has a command of this name")
        }
    };
    compiled.report(
        Kind::Skill,
        &skill.name,
        &[
            (SourceField::Name, named),
            (SourceField::Description, FieldOutcome::Kept),
            (SourceField::Body, FieldOutcome::Kept),
            (SourceField::Version, FieldOutcome::Kept),
        ],
    );
}

/// `text` with another name in its front matter.
fn rename(text: &str, name: &str) -> String {
    let mut done = false;
    let lines = text.split_inclusive('\n').map(|line| {
        if !done && line.starts_with("name:") {
            done = true;
            return format!("name: {}\n", quote(name));
        }
        line.to_owned()
    });
    lines.collect()
}
