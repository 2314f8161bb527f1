//! Checks commands by the rules of their host.

use serde_json::Value;

use super::finding::Findings;
use super::keys::{self, Source};
use super::markdown;
use crate::content::SlashCommand;
use crate::host::{CommandForm, Host};
use crate::level::LintLevel;
use crate::shape::{FileKey, ValueShape, required};

const COMMON_KEYS: &[FileKey] = &[required("description", ValueShape::Text(1024))];

/// The prompt of Agon's server. A host that also has a command of this name expands neither.
const SERVER_PROMPT: &str = "duel-prompt";

pub(super) fn lint(text: &str, stem: &str, host: Option<&Host>, findings: &mut Findings) {
    if ValueShape::Slug.fault(&Value::from(stem)).is_some() {
        let message = "its file name is not made of lower-case letters, digits and single hyphens";
        findings.add("name", 1, message);
    }
    if stem == SERVER_PROMPT {
        let message = format!("a server has a prompt `{stem}`, and the two hide each other");
        findings.add("name", 1, message);
    }
    match host.map(|host| host.commands) {
        Some(CommandForm::Skill) => {
            findings.add(
                "no-commands",
                1,
                "the host has no commands: make it a skill",
            );
        }
        Some(CommandForm::Toml { .. }) => {
            let keys = host.map_or(COMMON_KEYS, |host| host.command_keys);
            if let Some(command) = super::settings::read_toml(text, findings) {
                keys::check(&command, keys, Source { text, before: 0 }, findings);
            }
        }
        None if text.starts_with("+++") => {
            if let Err(reason) = SlashCommand::parse(stem, text) {
                findings.add("source", 1, reason);
            }
        }
        Some(CommandForm::Markdown { .. }) | None => {
            let keys = host.map_or(COMMON_KEYS, |host| host.command_keys);
            if let Some(command) = markdown::read(text, LintLevel::Error, findings) {
                keys::check(&command.front, keys, command.source, findings);
            }
        }
    }
}
