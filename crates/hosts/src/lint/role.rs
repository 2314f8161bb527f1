//! Roles: their form, their budget, and what they name.

use agon_tokens::count_tokens;

use super::finding::Findings;
use super::keys::Source;
use crate::content::Role;
use crate::content::agent::is_server_tool;

/// What tells a role of Agon's from another file in a folder of that name.
pub(super) const BEGIN: &[u8] = b"+++";

// What a host shows of an agent when it chooses one.
/// The most characters of a description.
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
    let told = [role.instructions(), role.instructions_alone()];
    let tokens = told.iter().map(|text| count_tokens(text)).max();
    let tokens = tokens.unwrap_or_default();
    if tokens > role.budget.text {
        let message = format!(
            "its instructions take {tokens} tokens and `text` says {}",
            role.budget.text
        );
        findings.add("budget", source.line_of("text"), message);
    }
    for tool in role.agon.iter().filter(|tool| !is_server_tool(tool)) {
        let message = format!("`{tool}` is not a tool of Agon's server");
        findings.add("unknown-tool", source.line_of("agon"), message);
    }
    for command in role.commands.iter().filter(|it| !it.starts_with("agon ")) {
        let message = format!("`{command}` is not a command of Agon, which begins with `agon `");
        findings.add("unknown-command", source.line_of("commands"), message);
    }
    if role.needs.iter().any(|need| need.trim().is_empty()) {
        findings.add(
            "bad-value",
            source.line_of("needs"),
            "`needs` has an empty text",
        );
    }
    let sentence = [
        (
            "purpose",
            role.purpose.ends_with('.'),
            "is not a sentence with a full stop",
        ),
        (
            "call_when",
            !role.call_when.ends_with('.'),
            "goes on a sentence and ends without a full stop",
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
            "`purpose`, `call_when` and `instead` have {length} characters together, {MAX_DESCRIPTION} are allowed"
        );
        findings.add("bad-value", source.line_of("purpose"), message);
    }
}
