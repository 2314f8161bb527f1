//! Attachments: text that the host adds to the context.

use serde_json::Value;

use crate::json::{raw_text_of, str_at};
use crate::problem::ProblemKind;
use crate::stream::{Origin, Output};
use crate::{EntryKind, Loaded, LoadedKind};

pub(super) fn emit(line: &Value, origin: &Origin, out: &mut Output<'_>) {
    let Some(attachment) = line.get("attachment") else {
        return out.note(ProblemKind::Damaged, &origin.location, Some("attachment"));
    };
    let content = attachment.get("content");
    let (kind, text) = match str_at(attachment, "type") {
        "hook_additional_context" | "hook_system_message" | "hook_success" => {
            (LoadedKind::Hook, content)
        }
        "file" => (
            LoadedKind::Surroundings,
            content
                .and_then(|it| it.pointer("/file/content"))
                .or(content),
        ),
        "nested_memory" | "memory" => (
            LoadedKind::Instructions,
            content.and_then(|it| it.get("content")).or(content),
        ),
        // All other kinds: lists of agents, skills and tools, and reminders.
        _ => (
            LoadedKind::Surroundings,
            content.or_else(|| attachment.get("addedLines")),
        ),
    };
    let text = text.map(raw_text_of).unwrap_or_default();
    if !text.is_empty() {
        out.push(origin, EntryKind::Loaded(Loaded { kind, text }));
    }
}
