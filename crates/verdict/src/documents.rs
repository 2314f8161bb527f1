//! The published documents with their JSON Schemas.

use agon_prompt::inquiry::{ANSWER_SCHEMA, AnswerDoc};
use agon_record::finding::Finding;
use agon_record::moves::MovesKind;
use agon_rules::schema::{self, reply_schema};
use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::graph::{GRAPH_SCHEMA, GraphDoc};
use crate::result::{ERROR_SCHEMA, ErrorDoc, RESULT_SCHEMA, ResultDoc};
use crate::status::{STARTED_SCHEMA, STATUS_SCHEMA, StartedDoc, StatusDoc};
use crate::verdict::{SCHEMA as VERDICT_SCHEMA, Verdict, schema_of};

/// A published document: its name, its version and its schema.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The name on the command line, such as `challenge`.
    pub name: &'static str,
    /// The name and version in the document, such as `agon.moves.challenge/1`.
    pub id: &'static str,
    /// One line that says what it is.
    pub about: &'static str,
    make: fn() -> Value,
}

/// The documents that models write, the finding they get back, and what programs get.
///
/// Those that the program itself makes of several debates stand beside its commands.
pub const DOCUMENTS: &[Document] = &[
    Document {
        name: "blind",
        id: "agon.moves.blind/1",
        about: "a first answer, before either side has heard the other",
        make: || reply_schema(MovesKind::Blind),
    },
    Document {
        name: "opening",
        id: "agon.moves.opening/1",
        about: "the proposer's stance and arguments",
        make: || reply_schema(MovesKind::Opening),
    },
    Document {
        name: "challenge",
        id: "agon.moves.challenge/1",
        about: "the challenger's first reply",
        make: || reply_schema(MovesKind::Challenge),
    },
    Document {
        name: "defense",
        id: "agon.moves.defense/1",
        about: "the proposer's answers to objections",
        make: || reply_schema(MovesKind::Defense),
    },
    Document {
        name: "follow_up",
        id: "agon.moves.follow_up/1",
        about: "the challenger's rulings on those answers, and what is new",
        make: || reply_schema(MovesKind::FollowUp),
    },
    Document {
        name: "verdict",
        id: "agon.moves.verdict/1",
        about: "the part of the verdict that the judge writes",
        make: || reply_schema(MovesKind::Verdict),
    },
    Document {
        name: "theses",
        id: "agon.moves.theses/1",
        about: "what each side of a formal debate defends, put positively",
        make: || reply_schema(MovesKind::Theses),
    },
    Document {
        name: "case",
        id: "agon.moves.case/1",
        about: "the three arguments with which a side of a formal debate opens",
        make: || reply_schema(MovesKind::Case),
    },
    Document {
        name: "rebuttal",
        id: "agon.moves.rebuttal/1",
        about: "one argument of a formal debate, with its attacks and defenses",
        make: || reply_schema(MovesKind::Rebuttal),
    },
    Document {
        name: "scores",
        id: "agon.moves.scores/1",
        about: "a judge's scores for an exchange of a formal debate",
        make: || reply_schema(MovesKind::Scores),
    },
    Document {
        name: "finding",
        id: "agon.finding/1",
        about: "a broken rule",
        make: schema::derived_schema::<Finding>,
    },
    Document {
        name: "graph",
        id: GRAPH_SCHEMA,
        about: "what an argument graph says, of a debate or of a file",
        make: schema_of::<GraphDoc>,
    },
    Document::with_output_schema::<ResultDoc>(
        "result",
        RESULT_SCHEMA,
        "what a debate came to, small: agon show and agon debate",
    ),
    Document::with_output_schema::<Verdict>(
        "verdict_document",
        VERDICT_SCHEMA,
        "the whole verdict: verdict.json",
    ),
    Document::with_output_schema::<StartedDoc>(
        "started",
        STARTED_SCHEMA,
        "a debate that was opened, or runs by itself",
    ),
    Document::with_output_schema::<StatusDoc>(
        "status",
        STATUS_SCHEMA,
        "how far a debate is: agon wait",
    ),
    Document::with_output_schema::<AnswerDoc>(
        "answer",
        ANSWER_SCHEMA,
        "an answer to a question about a debate: agon ask",
    ),
    Document::with_output_schema::<ErrorDoc>("error", ERROR_SCHEMA, "why a command failed"),
];

impl Document {
    /// A document that is written and never read from a model.
    pub const fn with_output_schema<T: JsonSchema>(
        name: &'static str,
        id: &'static str,
        about: &'static str,
    ) -> Self {
        let make = schema_of::<T>;
        Self {
            name,
            id,
            about,
            make,
        }
    }

    /// A document whose schema is made elsewhere, such as one that a person writes.
    pub const fn with_schema(
        name: &'static str,
        id: &'static str,
        about: &'static str,
        make: fn() -> Value,
    ) -> Self {
        Self {
            name,
            id,
            about,
            make,
        }
    }

    /// Its schema: JSON Schema, draft 2020-12, under its name.
    pub fn schema(&self) -> Value {
        let mut schema = (self.make)();
        if let Some(object) = schema.as_object_mut() {
            object.insert("$id".to_owned(), json!(self.id));
            object.insert("title".to_owned(), json!(self.id));
        }
        schema
    }
}

/// The names of [`DOCUMENTS`], in their order.
pub fn document_names() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|document| document.name)
}

/// The schema of the document named `name`: JSON Schema, draft 2020-12.
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
