//! Checks agents by the rules of their host.

use serde_json::Value;

use super::finding::Findings;
use super::keys::{self, Source};
use super::markdown;
use crate::content::Agent;
use crate::host::{AgentForm, Host};
use crate::level::LintLevel;
use crate::shape::{FileKey, TEXT, ValueShape, optional, required};

// Used if the path does not tell the host: keys that every host accepts.
const COMMON_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(1024)),
    optional("tools", ValueShape::TextOrTexts),
    optional("model", TEXT),
];

pub(super) fn lint(text: &str, stem: &str, host: Option<&Host>, findings: &mut Findings) {
    let form = host.map_or(AgentForm::Markdown(COMMON_KEYS), |host| host.agents);
    match form {
        AgentForm::Markdown(_) if host.is_none() && text.starts_with("+++") => {
            if let Err(reason) = Agent::parse(stem, text) {
                findings.add("source", 1, reason);
            }
        }
        AgentForm::Markdown(keys) => {
            let Some(agent) = markdown::read(text, LintLevel::Error, findings) else {
                return;
            };
            keys::check(&agent.front, keys, agent.source, findings);
            check_name(agent.front.get("name"), stem, agent.source, findings);
        }
        AgentForm::Toml(keys) => {
            let source = Source { text, before: 0 };
            if let Some(agent) = super::settings::read_toml(text, findings) {
                keys::check(&agent, keys, source, findings);
                check_name(agent.get("name"), stem, source, findings);
            }
        }
    }
}

/// Reports a name that differs from the file name, because hosts differ in which of the two they use.
fn check_name(name: Option<&Value>, stem: &str, source: Source<'_>, findings: &mut Findings) {
    if let Some(Value::String(name)) = name
        && name != stem
    {
        let message = format!("its name is `{name}`, but its file is called `{stem}`");
        findings.add("name", source.line_of("name"), message);
    }
}
