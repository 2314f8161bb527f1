//! The published documents of a debate and their JSON Schemas.

use agon_record::document::{Document, output_schema};
use agon_record::finding::Finding;
use agon_record::moves::MovesKind;
use agon_rules::schema::{self, reply_schema};
use serde_json::Value;

use crate::answer::{ANSWER_SCHEMA, AnswerDoc};
use crate::graph::{GRAPH_SCHEMA, GraphDoc};
use crate::result::{RESULT_SCHEMA, ResultDoc};
use crate::review::{REVIEW_SCHEMA, ReviewDoc};
use crate::status::{STARTED_SCHEMA, STATUS_SCHEMA, StartedDoc, StatusDoc};
use crate::verdict::{SCHEMA as VERDICT_SCHEMA, Verdict};

/// The documents that models write, the findings they get back, and the documents for programs.
///
/// Documents about several debates are defined beside the commands that print them.
pub const DOCUMENTS: &[Document] = &[
    Document::with_schema(
        "blind",
        "agon.moves.blind/1",
        "a first answer, given before either side has seen the other's",
        || reply_schema(MovesKind::Blind),
    ),
    Document::with_schema(
        "opening",
        "agon.moves.opening/1",
        "the proposer's stance and arguments",
        || reply_schema(MovesKind::Opening),
    ),
    Document::with_schema(
        "challenge",
        "agon.moves.challenge/1",
        "the challenger's objections and agreements",
        || reply_schema(MovesKind::Challenge),
    ),
    Document::with_schema(
        "defense",
        "agon.moves.defense/1",
        "the proposer's answers to objections",
        || reply_schema(MovesKind::Defense),
    ),
    Document::with_schema(
        "follow_up",
        "agon.moves.follow_up/1",
        "the challenger's rulings on those answers, and new objections",
        || reply_schema(MovesKind::FollowUp),
    ),
    Document::with_schema(
        "verdict",
        "agon.moves.verdict/1",
        "the part of the verdict that the judge writes",
        || reply_schema(MovesKind::Verdict),
    ),
    Document::with_schema(
        "theses",
        "agon.moves.theses/1",
        "the positively stated thesis of each side of a formal debate",
        || reply_schema(MovesKind::Theses),
    ),
    Document::with_schema(
        "case",
        "agon.moves.case/1",
        "the three arguments with which a side of a formal debate opens",
        || reply_schema(MovesKind::Case),
    ),
    Document::with_schema(
        "rebuttal",
        "agon.moves.rebuttal/1",
        "one argument of a formal debate, with its attacks and defenses",
        || reply_schema(MovesKind::Rebuttal),
    ),
    Document::with_schema(
        "scores",
        "agon.moves.scores/1",
        "a judge's scores for an exchange of a formal debate",
        || reply_schema(MovesKind::Scores),
    ),
    Document::with_schema(
        "finding",
        "agon.finding/1",
        "a broken rule",
        schema::derived_schema::<Finding>,
    ),
    Document::with_schema(
        "graph",
        GRAPH_SCHEMA,
        "the results of an argument graph, of a debate or of a file",
        output_schema::<GraphDoc>,
    ),
    Document::with_output_schema::<ResultDoc>(
        "result",
        RESULT_SCHEMA,
        "the short result of a debate: agon show and agon debate",
    ),
    Document::with_output_schema::<Verdict>(
        "verdict_document",
        VERDICT_SCHEMA,
        "the whole verdict: verdict.json",
    ),
    Document::with_output_schema::<ReviewDoc>(
        "review",
        REVIEW_SCHEMA,
        "the defects of a change: agon review --format json",
    ),
    Document::with_output_schema::<StartedDoc>(
        "started",
        STARTED_SCHEMA,
        "a debate that was opened or started in the background",
    ),
    Document::with_output_schema::<StatusDoc>(
        "status",
        STATUS_SCHEMA,
        "the progress of a debate: agon wait",
    ),
    Document::with_output_schema::<AnswerDoc>(
        "answer",
        ANSWER_SCHEMA,
        "an answer to a question about a debate: agon ask",
    ),
];

/// Returns the names of [`DOCUMENTS`] in order.
pub fn document_names() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|document| document.name)
}

/// Returns the JSON Schema (draft 2020-12) of the document named `name`.
///
/// ```
/// # use agon_verdict::documents::document_schema;
/// let challenge = document_schema("challenge").unwrap();
/// assert_eq!(challenge["$id"], "agon.moves.challenge/1");
/// assert!(document_schema("limerick").is_none());
/// ```
pub fn document_schema(name: &str) -> Option<Value> {
    let document = DOCUMENTS.iter().find(|document| document.name == name)?;
    Some(document.schema())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_valid_and_names_itself() {
        for document in DOCUMENTS {
            let schema = document_schema(document.name).unwrap();
            assert_eq!(schema["$id"], document.id, "{}", document.name);
            assert_eq!(schema["title"], document.id, "{}", document.name);
            assert_eq!(
                schema["$schema"],
                "https://json-schema.org/draft/2020-12/schema"
            );
            assert!(jsonschema::meta::is_valid(&schema), "{}", document.name);
            jsonschema::draft202012::new(&schema).unwrap();
        }
    }

    #[test]
    fn every_kind_of_moves_is_published() {
        for kind in MovesKind::ALL {
            let mut published = document_schema(kind.name()).unwrap();
            let mut held_to = reply_schema(kind);
            for schema in [&mut published, &mut held_to] {
                let object = schema.as_object_mut().unwrap();
                object.remove("$id");
                object.remove("title");
            }
            assert_eq!(published, held_to, "{}", kind.name());
        }
    }
}
