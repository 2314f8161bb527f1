//! The JSON Schemas of what is published.

use agon_verdict::documents::{DOCUMENTS, Document};
use serde::Serialize;

use crate::failure::{Failure, FailureKind};
use crate::tools::doctor;
use crate::{consult, list, model, replay, similar};

/// The documents that commands make of several debates, or of none.
const OF_COMMANDS: &[Document] = &[
    Document::with_output_schema::<list::List>(
        "list",
        list::LIST_SCHEMA,
        "the debates here, with how they stand: agon list",
    ),
    Document::with_output_schema::<consult::ConsultDoc>(
        "consult",
        consult::SCHEMA,
        "what one tool answered: agon consult",
    ),
    Document::with_output_schema::<consult::ConsultationsDoc>(
        "consultations",
        consult::SCHEMA_OF_SEVERAL,
        "what several tools answered: agon consult",
    ),
    Document::with_output_schema::<replay::ReplayDoc>(
        "replay",
        replay::REPLAY_SCHEMA,
        "what is otherwise than it was recorded: agon replay",
    ),
    Document::with_output_schema::<doctor::DoctorDoc>(
        "doctor",
        doctor::SCHEMA,
        "whether the tools here are as their profiles say: agon tools doctor",
    ),
    Document::with_output_schema::<model::ModelsDoc>(
        "models",
        model::MODELS_SCHEMA,
        "the models that answer in this program: agon model list",
    ),
    Document::with_output_schema::<model::ModelDoc>(
        "model",
        model::MODEL_SCHEMA,
        "one of them, and where it lies: agon model pull, agon model path",
    ),
];

/// Every published document: `agon.schemas/1`.
#[derive(Clone, Debug, Serialize)]
pub struct SchemasDoc {
    schema: &'static str,
    /// The documents.
    pub documents: Vec<SchemaLine>,
}

/// A published document in a line.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SchemaLine {
    /// The name that it is asked for by, such as `challenge`.
    pub name: &'static str,
    /// The name and version in the document.
    pub id: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// Every published document, those of a debate before those of commands.
pub fn all() -> SchemasDoc {
    let line = |&Document {
                    name, id, about, ..
                }: &_| SchemaLine { name, id, about };
    SchemasDoc {
        schema: "agon.schemas/1",
        documents: documents().map(line).collect(),
    }
}

/// The JSON Schema of the document with this name or id.
///
/// # Errors
///
/// If there is none; the hint names what may have been meant.
pub fn find_schema(name: &str) -> Result<impl Serialize + use<>, Failure> {
    let is_meant = |document: &&Document| document.name == name || document.id == name;
    match documents().find(is_meant) {
        Some(document) => Ok(document.schema()),
        None => {
            let names = documents().map(|document| document.name);
            let message = format!("there is no document `{name}`");
            Err(Failure::new(FailureKind::Usage, "unknown_schema", message)
                .parameter("name")
                .hint(similar::hint(name, names, "`agon schema` lists them all")))
        }
    }
}

fn documents() -> impl Iterator<Item = &'static Document> {
    DOCUMENTS.iter().chain(OF_COMMANDS)
}
