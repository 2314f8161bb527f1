//! Skills, by the specification of Agent Skills and what the strictest host refuses.

use super::finding::Findings;
use super::sort::Placing;
use super::{keys, markdown};
use crate::content::skill::{BUDGET_KEY, count_tokens};
use crate::shape::{FileKey, ValueShape, optional, required};

// By the specification.
const KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(1024)),
    optional("license", ValueShape::Text(500)),
    optional("compatibility", ValueShape::Text(500)),
    optional("metadata", ValueShape::TextMap),
    optional("allowed-tools", ValueShape::Text(4000)),
];

// Recommended by the specification; a longer one belongs into files beside it.
/// The most lines of a skill.
const MAX_LINES: usize = 500;

pub(super) fn lint(text: &str, placing: Placing<'_>, findings: &mut Findings) {
    if !placing.is_flat {
        let message = "its folder is nested: some hosts look one level deep only";
        findings.add("nested", 1, message);
    }
    let Some(skill) = markdown::read(text, findings) else {
        return;
    };
    keys::check(&skill.front, KEYS, skill.source, findings);
    let name = skill.front.get("name").and_then(serde_json::Value::as_str);
    if let Some(name) = name
        && name != placing.folder
        && !placing.folder.is_empty()
    {
        let message = format!(
            "its name is `{name}`, that of its folder `{}`",
            placing.folder
        );
        findings.add("name", skill.source.line_of("name"), message);
    }
    let lines = skill.body.lines().count();
    if lines > MAX_LINES {
        findings.add(
            "long",
            1,
            format!("it has {lines} lines, {MAX_LINES} are enough"),
        );
    }
    let budget = skill
        .front
        .get("metadata")
        .and_then(|all| all.get(BUDGET_KEY)?.as_str());
    if let Some(budget) = budget {
        let line = skill.source.line_of(BUDGET_KEY);
        let tokens = count_tokens(text);
        match budget.parse::<usize>() {
            Err(_) => findings.add("budget", line, format!("`{BUDGET_KEY}` is no number")),
            Ok(budget) if tokens > budget => {
                let message = format!("it takes {tokens} tokens and says {budget}");
                findings.add("budget", line, message);
            }
            Ok(_) => {}
        }
    }
}
