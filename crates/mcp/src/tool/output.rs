//! The top-level fields of what each tool gives, with the notes that may stand beside them.
//!
//! They are written down and held to the documents by a test: a server that makes the schema of each
//! document only to list its tools takes a quarter more memory.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

/// The names of the top-level fields of a result.
pub(crate) type OutputFields = &'static [&'static str];

/// Of `debate_start`: a debate that has begun.
pub(super) const STARTED: OutputFields = &[
    "schema",
    "id",
    "debate",
    "folder",
    "calls_max",
    "tokens_max",
    "eta_s",
    "poll_after_s",
    "reused",
    "notes",
];

/// Of `debate_wait`: how it stands and what was said since.
pub(super) const HEARD: OutputFields = &[
    "schema",
    "id",
    "debate",
    "state",
    "round",
    "speaking",
    "spent",
    "calls_max",
    "turns",
    "cursor",
    "waiting",
    "error",
    "said_by",
    "notes",
];

/// Of `debate_result`: the verdict; a section has some of them.
pub(super) const RESULT: OutputFields = &[
    "schema",
    "id",
    "debate",
    "topic",
    "format",
    "phase",
    "answer",
    "headline",
    "winner",
    "winner_tool",
    "one_sided",
    "replaced",
    "why",
    "do_next",
    "unless",
    "hangs_on",
    "graph_hangs_on",
    "conceded",
    "open",
    "agreements",
    "disagreements",
    "quality",
    "rigor",
    "authority",
    "stability",
    "citations",
    "citations_wrong",
    "support",
    "unsupported",
    "findings",
    "usage",
    "totals",
    "arguments",
    "left_out",
    "awaits",
    "paths",
    "reused",
    "said_by",
    "notes",
];

/// Of `debate_steer`: what is common to all four that may come of it.
pub(super) const STEERED: OutputFields = &["schema", "debate", "said_by", "notes"];

/// Of `debate_ask`: an answer about a debate.
pub(super) const ANSWER: OutputFields = &[
    "schema",
    "id",
    "debate",
    "question",
    "answer",
    "cited",
    "unknown",
    "whole_record",
    "tool",
    "model",
    "usage",
    "said_by",
    "notes",
];

/// Of `consult`: one answer, or several.
pub(super) const CONSULTED: OutputFields = &[
    "schema",
    "id",
    "tool",
    "model",
    "effort",
    "transport",
    "duration_ms",
    "response",
    "session_id",
    "continuable",
    "usage",
    "error",
    "said_by",
    "notes",
    "answers",
];

/// Of `recall`: earlier decisions.
pub(super) const RECALLED: OutputFields = &["schema", "topic", "decisions", "said_by", "notes"];

/// Of `status`: the tools, or what was used.
pub(super) const STATUS: OutputFields = &[
    "schema",
    "tools",
    "notes",
    "since",
    "by",
    "total",
    "groups",
    "unattended",
    "project",
    "sessions",
    "month",
    "passed_over",
];

/// Of `task`: the board of a team, or a task.
pub(super) const WORK: OutputFields = &[
    "schema",
    "you",
    "tasks",
    "members",
    "locks",
    "unread",
    "done",
    "left_out",
    "task",
    "state",
    "epoch",
    "holder",
    "lease_left_s",
    "text",
    "waits_for",
    "commit",
    "note",
    "notes",
];

/// Of `mail`: messages, or what became of one.
pub(super) const MAIL: OutputFields = &[
    "schema",
    "letters",
    "unread",
    "unacknowledged",
    "next",
    "message",
    "thread",
    "repeated",
    "acknowledged",
    "notes",
];

/// Of `lock`: a lock, or all of them.
pub(super) const LOCK: OutputFields = &["schema", "lock", "behind", "locks", "notes"];

/// Of `gate`: what came of one, that it still runs, or where they stand.
pub(super) const GATE: OutputFields = &[
    "schema",
    "task",
    "gate",
    "tree",
    "passed",
    "outcome",
    "took_ms",
    "log",
    "output_tail",
    "running_s",
    "path",
    "gates",
    "notes",
];

/// What clients hold a result to: as a model reads the document itself, nothing more than its fields,
/// and nothing that the document may leave out is required.
pub(super) fn output_schema(fields: OutputFields) -> JsonObject {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|&name| (name.to_owned(), json!({})))
        .collect();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties));
    schema
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn fields_of(document: &str) -> BTreeSet<String> {
        let all = [
            agon_verdict::documents::DOCUMENTS,
            agon_debates::documents::DOCUMENTS,
            agon_seats::documents::DOCUMENTS,
            agon_health::documents::DOCUMENTS,
            agon_teamwork::documents::DOCUMENTS,
        ];
        let mut all = all.into_iter().flatten();
        let schema = all.find(|it| it.name == document).unwrap().schema();
        let fields = schema["properties"].as_object().unwrap();
        fields.keys().cloned().collect()
    }

    #[test]
    fn the_fields_of_each_result_are_those_of_its_documents() {
        let of_documents: [(OutputFields, &[&str]); 11] = [
            (STARTED, &["started"]),
            (HEARD, &["heard"]),
            (RESULT, &["result"]),
            (ANSWER, &["answer"]),
            (CONSULTED, &["consult", "consultations"]),
            (RECALLED, &["recall"]),
            (STATUS, &["tools", "usage", "context"]),
            (WORK, &["team_board", "team_work"]),
            (
                MAIL,
                &["team_mail", "team_mail_sent", "team_mail_acknowledged"],
            ),
            (LOCK, &["team_lock", "team_locks", "team_unlocked"]),
            (GATE, &["team_gates", "team_gate_run", "team_gate_running"]),
        ];
        for (fields, documents) in of_documents {
            let mut expected: BTreeSet<String> =
                documents.iter().flat_map(|name| fields_of(name)).collect();
            expected.insert("notes".to_owned());
            // The server adds it where others are quoted.
            expected.extend(fields.contains(&"said_by").then(|| "said_by".to_owned()));
            let listed: BTreeSet<String> = fields.iter().map(|&name| name.to_owned()).collect();
            assert_eq!(listed, expected, "{documents:?}");
            assert_eq!(
                listed.len(),
                fields.len(),
                "one stands there twice: {fields:?}"
            );
        }
    }

    #[test]
    fn every_result_that_quotes_others_has_a_field_for_who_they_are() {
        for tool in crate::tool::TOOLS.iter().chain(crate::tool::TEAM_TOOLS) {
            let has_field = tool.output.contains(&"said_by");
            assert_eq!(has_field, tool.quotes.is_some(), "{}", tool.name);
        }
    }

    #[test]
    fn what_comes_of_steering_has_one_of_several_forms_with_these_fields_in_each() {
        for document in ["said", "ordered", "stopped", "started", "result"] {
            let fields = fields_of(document);
            let missing = STEERED
                .iter()
                .filter(|&&name| !["notes", "said_by"].contains(&name) && !fields.contains(name));
            assert_eq!(missing.count(), 0, "{document}: {fields:?}");
        }
    }
}
