//! The top-level fields of a tool's result, including its notes.
//!
//! Each tool lists them by hand, and a test compares them with the documents. Generating the schema
//! of every document to list the tools would take a quarter more memory.

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

/// The names of the top-level fields of a result.
pub(crate) type OutputFields = &'static [&'static str];

/// Returns the schema for clients that validate results. It names only the fields and requires
/// none, because a model reads the document itself.
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

    use crate::tool::find_tool;

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
        let of_documents: [(&str, &[&str]); 11] = [
            ("debate_start", &["started"]),
            ("debate_wait", &["heard"]),
            ("debate_result", &["result"]),
            ("debate_ask", &["answer"]),
            ("consult", &["consult", "consultations", "context"]),
            ("recall", &["recall"]),
            ("status", &["tools", "usage", "context"]),
            ("task", &["team_board", "team_work"]),
            (
                "mail",
                &[
                    "team_mail",
                    "team_mail_sent",
                    "team_mail_acknowledged",
                    "team_mail_list",
                ],
            ),
            ("lock", &["team_lock", "team_locks", "team_unlocked"]),
            (
                "gate",
                &["team_gates", "team_gate_run", "team_gate_running"],
            ),
        ];
        for (tool, documents) in of_documents {
            let fields = find_tool(tool).unwrap().output;
            let mut expected: BTreeSet<String> =
                documents.iter().flat_map(|name| fields_of(name)).collect();
            expected.insert("notes".to_owned());
            // The server adds it to results with quotes.
            expected.extend(fields.contains(&"said_by").then(|| "said_by".to_owned()));
            let listed: BTreeSet<String> = fields.iter().map(|&name| name.to_owned()).collect();
            assert_eq!(listed, expected, "{documents:?}");
            assert_eq!(listed.len(), fields.len(), "duplicate field: {fields:?}");
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
            let steered = find_tool("debate_steer").unwrap().output;
            let missing = steered
                .iter()
                .filter(|&&name| !["notes", "said_by"].contains(&name) && !fields.contains(name));
            assert_eq!(missing.count(), 0, "{document}: {fields:?}");
        }
    }
}
