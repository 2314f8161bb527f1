//! Checks roles: format, budget and referenced names.

use agon_tokens::count_tokens;

use super::finding::Findings;
use super::keys::Source;
use crate::content::Role;
use crate::content::agent::is_server_tool;

/// Beginning of an Agon role, unlike other files in a folder `roles`.
pub(super) const BEGIN: &[u8] = b"+++";

// Hosts cut a longer description when they show agents to the model.
/// Maximum characters of a description.
const MAX_DESCRIPTION: usize = 1024;

pub(super) fn lint(text: &str, stem: &str, findings: &mut Findings) {
    let role = match Role::parse(stem, text) {
        Ok(role) => role,
        Err(error) => {
            let message = format!("{}: {}", error.what, error.hint);
            findings.add("source", error.line, message);
            return;
        }
    };
    let source = Source { text, before: 0 };
    let variants = [role.instructions(), role.instructions_without_delegation()];
    let tokens = variants.iter().map(|text| count_tokens(text)).max();
    let tokens = tokens.unwrap_or_default();
    if tokens > role.budget.text {
        let message = format!(
            "its instructions take {tokens} tokens, but `text` allows {}",
            role.budget.text
        );
        findings.add("budget", source.line_of("text"), message);
    }
    for tool in role.agon.iter().filter(|tool| !is_server_tool(tool)) {
        let message = format!("`{tool}` is not a tool of Agon's server");
        findings.add("unknown-tool", source.line_of("agon"), message);
    }
    for command in role.commands.iter().filter(|it| !it.starts_with("agon ")) {
        let message = format!("`{command}` is not an Agon command; those begin with `agon `");
        findings.add("unknown-command", source.line_of("commands"), message);
    }
    if role.needs.iter().any(|need| need.trim().is_empty()) {
        findings.add(
            "bad-value",
            source.line_of("needs"),
            "`needs` has an empty entry",
        );
    }
    let sentence = [
        (
            "purpose",
            role.purpose.ends_with('.'),
            "must be a sentence that ends with a full stop",
        ),
        (
            "call_when",
            !role.call_when.ends_with('.'),
            "continues a sentence and must not end with a full stop",
        ),
    ];
    for (key, is_fine, fault) in sentence {
        if !is_fine {
            findings.add("bad-value", source.line_of(key), format!("`{key}` {fault}"));
        }
    }
    let length = role.description().chars().count();
    if length > MAX_DESCRIPTION {
        let message = format!(
            "`purpose`, `call_when` and `instead` have {length} characters in total; the limit is {MAX_DESCRIPTION}"
        );
        findings.add("bad-value", source.line_of("purpose"), message);
    }
}
