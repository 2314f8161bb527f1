//! Compiles commands: to a command file, or to a skill in hosts without command files.

use super::{Compiled, Kind, Target};
use crate::content::SlashCommand;
use crate::field::{FieldOutcome, SourceField};
use crate::host::{CommandForm, FrontMatter};

/// Replaces the typed arguments in a skill, because there they are in the conversation.
const WORDS: &str = "(what the user wrote after the name of this skill)";

pub(super) fn compile(command: &SlashCommand, target: &Target<'_>, compiled: &mut Compiled) {
    let host = target.host;
    if command.skill.is_some() && host.offers_skills_as_commands {
        let by_skill = FieldOutcome::Translated("the skill is the command");
        compiled.report(
            Kind::Command,
            &command.name,
            &[(SourceField::Name, by_skill)],
        );
        return;
    }
    let name = host.free_name(&command.name);
    let (path, text, body, arguments) = match host.commands {
        CommandForm::Markdown {
            placeholder,
            hint_key,
        } => {
            let front = FrontMatter::default().text("description", &command.description);
            let front = match (hint_key, &command.arguments) {
                (Some(key), Some(arguments)) => front.text(key, arguments),
                (Some(_) | None, _) => front,
            };
            let arguments = match hint_key {
                Some(_) => FieldOutcome::Translated("argument-hint"),
                None => FieldOutcome::NotEnforced("the host shows no argument hint"),
            };
            let text = front.with_body(&command.body_with(placeholder));
            (format!("{name}.md"), text, FieldOutcome::Kept, arguments)
        }
        CommandForm::Toml { placeholder } => {
            let text = |text: &str| toml::Value::from(text).to_string();
            let lines = format!(
                "description = {}\nprompt = {}\n",
                text(&command.description),
                text(&command.body_with(placeholder))
            );
            let arguments = FieldOutcome::NotEnforced("the host shows no argument hint");
            let body = FieldOutcome::Translated("prompt");
            (format!("{name}.toml"), lines, body, arguments)
        }
        CommandForm::Skill => {
            let arguments = command.arguments.as_deref().unwrap_or("none");
            let description = format!(
                "{}. Use it when the user asks for {name}. Arguments: {arguments}.",
                command.description
            );
            let front = FrontMatter::default()
                .text("name", &name)
                .text("description", &description);
            let text = front.with_body(&command.body_with(WORDS));
            let arguments = FieldOutcome::Translated("in the description");
            (
                format!("{name}/SKILL.md"),
                text,
                FieldOutcome::Kept,
                arguments,
            )
        }
    };
    let kind = match host.commands {
        CommandForm::Skill => Kind::Skill,
        CommandForm::Markdown { .. } | CommandForm::Toml { .. } => Kind::Command,
    };
    let named = match (name == command.name, kind) {
        (false, _) => {
            FieldOutcome::Translated("with the prefix agon-: the host has one of this name")
        }
        (true, Kind::Skill) => FieldOutcome::Translated("a skill of this name"),
        (true, Kind::Command | Kind::Agent) => FieldOutcome::Kept,
    };
    compiled.add_text(kind, &command.name, path, text);
    compiled.report(
        Kind::Command,
        &command.name,
        &[
            (SourceField::Name, named),
            (SourceField::Description, FieldOutcome::Kept),
            (SourceField::Body, body),
            (SourceField::Arguments, arguments),
        ],
    );
}
