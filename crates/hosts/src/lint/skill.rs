//! Checks skills by the Agent Skills specification and the rules of the strictest host.

use agon_tokens::count_tokens;
use serde_json::Value;

use super::finding::Findings;
use super::sort::{Placing, SKILL_FILE};
use super::{keys, markdown};
use crate::content::skill::BUDGET_KEY;
use crate::level::LintLevel;
use crate::shape::{FileKey, TEXT, ValueShape, advised, optional, required};

// As in the specification, but a value in `metadata` may have any type: published skills have
// numbers, lists and maps there, and every host loads them.
const KEYS: &[FileKey] = &[
    required("name", TEXT),
    required("description", ValueShape::Text(1024)),
    advised("license", ValueShape::Text(500)),
    advised("compatibility", ValueShape::Text(500)),
    advised("metadata", ValueShape::TextMap),
    advised("allowed-tools", ValueShape::TextOrTexts),
    // Claude Code shows it; other hosts ignore it.
    optional("argument-hint", TEXT),
];

// The specification recommends this, and puts longer material in separate files.
/// Maximum lines of a skill.
const MAX_LINES: usize = 500;

pub(super) fn lint(text: &str, placing: Placing<'_>, findings: &mut Findings) {
    if !placing.is_flat {
        let message = "its folder is nested, and some hosts search only one level";
        findings.add("nested", 1, message);
    }
    if placing.file != SKILL_FILE {
        let message = format!(
            "its file is called `{}`, but most hosts look for `{SKILL_FILE}`",
            placing.file
        );
        findings.add("file-name", 1, message);
    }
    let Some(skill) = markdown::read(text, LintLevel::Warning, findings) else {
        return;
    };
    keys::check_keys(
        &skill.front,
        KEYS,
        skill.source,
        LintLevel::Warning,
        findings,
    );
    if let Some(name @ Value::String(_)) = skill.front.get("name")
        && let Some(fault) = ValueShape::Slug.fault(name)
        && TEXT.fault(name).is_none()
    {
        let line = skill.source.line_of("name");
        findings.warn("bad-value", line, format!("`name` {fault}"));
    }
    let name = skill.front.get("name").and_then(Value::as_str);
    if let Some(name) = name
        && name != placing.folder
        && !placing.folder.is_empty()
    {
        let message = format!(
            "its name is `{name}`, but its folder is called `{}`",
            placing.folder
        );
        findings.add("name", skill.source.line_of("name"), message);
    }
    let lines = skill.body.lines().count();
    if lines > MAX_LINES {
        findings.warn(
            "long",
            1,
            format!("it has {lines} lines; the recommended maximum is {MAX_LINES}"),
        );
    }
    let budget = skill
        .front
        .get("metadata")
        .and_then(|all| all.get(BUDGET_KEY)?.as_str());
    if let Some(budget) = budget {
        let line = skill.source.line_of(BUDGET_KEY);
        let tokens = count_tokens(skill.body);
        match budget.parse::<usize>() {
            Err(_) => findings.add("budget", line, format!("`{BUDGET_KEY}` is not a number")),
            Ok(budget) if tokens > budget => {
                let message = format!("it takes {tokens} tokens but declares {budget}");
                findings.add("budget", line, message);
            }
            Ok(_) => {}
        }
    }
}
