//! Compiles skills. All hosts read the same format, so only two things differ: a name that is taken
//! gets a prefix, and hosts that show argument hints get one.

use super::{Compiled, Kind, Target};
use crate::content::front_matter::quote;
use crate::content::{Skill, SlashCommand};
use crate::field::{FieldOutcome, SourceField};
use crate::host::CommandForm;

/// Compiles `skill`. `command` is the command it replaces in hosts that offer skills as commands.
pub(super) fn compile(
    skill: &Skill,
    command: Option<&SlashCommand>,
    target: &Target<'_>,
    compiled: &mut Compiled,
) {
    let name = target.host.free_skill_name(&skill.name);
    let text = match name == skill.name {
        true => skill.text.clone(),
        false => set_front_matter_key(&skill.text, "name", &name),
    };
    let arguments = command.and_then(|command| command.arguments.as_deref());
    let arguments = arguments.filter(|_| target.host.offers_skills_as_commands);
    let (text, hinted) = match (target.host.commands, arguments) {
        (_, None) => (text, None),
        (
            CommandForm::Markdown {
                hint_key: Some(key),
                ..
            },
            Some(arguments),
        ) => {
            let hinted = FieldOutcome::Translated("argument-hint");
            (add_front_matter_key(&text, key, arguments), Some(hinted))
        }
        (_, Some(_)) => (text, Some(FieldOutcome::Translated("in its text"))),
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
    if let Some(hinted) = hinted {
        let hinted = &[(SourceField::Arguments, hinted)];
        compiled.report(Kind::Skill, &skill.name, hinted);
    }
}

/// Returns `text` with `key` set to `value` in its front matter.
fn set_front_matter_key(text: &str, key: &str, value: &str) -> String {
    change_first_line(text, key, |_| format!("{key}: {}\n", quote(value)))
}

/// Returns `text` with `key` added to its front matter, below the description.
fn add_front_matter_key(text: &str, key: &str, value: &str) -> String {
    change_first_line(text, "description", |line| {
        format!("{line}{key}: {}\n", quote(value))
    })
}

/// Returns `text` with its first line for `key` changed.
fn change_first_line(text: &str, key: &str, change: impl Fn(&str) -> String) -> String {
    let mut done = false;
    let lines = text.split_inclusive('\n').map(|line| {
        let is_key = line
            .strip_prefix(key)
            .is_some_and(|rest| rest.starts_with(':'));
        if !done && is_key {
            done = true;
            return change(line);
        }
        line.to_owned()
    });
    lines.collect()
}
