//! `agon schema`: the JSON Schemas of what is published.

use agon_app::similar;
use agon_verdict::documents::{DOCUMENTS, Document};
use serde::Serialize;

use crate::args::{Global, SchemaArgs};
use crate::command::{consult, tools};
use crate::edge::Edge;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, columns};

#[derive(Serialize)]
struct Listed {
    name: &'static str,
    id: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct List {
    schema: &'static str,
    documents: Vec<Listed>,
}

/// Lists the documents, or prints the schema of one.
pub(crate) fn run(
    _edge: &Edge,
    global: &Global,
    args: &SchemaArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match &args.name {
        Some(name) => one(name, out)?,
        None if global.json => {
            let listed = |&Document {
                              name, id, about, ..
                          }: &_| Listed { name, id, about };
            let documents = documents().map(listed).collect();
            out.json(&List {
                schema: "agon.schemas/1",
                documents,
            })?;
        }
        None => {
            let row = |document: &Document| {
                [document.name, document.id, document.about].map(str::to_owned)
            };
            out.data(&columns(&documents().map(row).collect::<Vec<_>>()))?;
            out.note("\nagon schema NAME prints one of them");
        }
    }
    Ok(Exit::Done)
}

/// Every published document.
fn documents() -> impl Iterator<Item = &'static Document> {
    DOCUMENTS.iter().chain(HERE)
}

/// The documents that commands make of several debates, or of none.
const HERE: &[Document] = &[
    Document::of::<agon_app::list::List>(
        "list",
        agon_app::list::LIST_SCHEMA,
        "the debates here, with how they stand: agon list",
    ),
    Document::of::<consult::ConsultDoc>(
        "consult",
        consult::SCHEMA,
        "what one tool answered: agon consult",
    ),
    Document::of::<consult::ConsultationsDoc>(
        "consultations",
        consult::SCHEMA_OF_SEVERAL,
        "what several tools answered: agon consult",
    ),
    Document::of::<agon_app::replay::ReplayDoc>(
        "replay",
        agon_app::replay::REPLAY_SCHEMA,
        "what is otherwise than it was recorded: agon replay",
    ),
    Document::of::<tools::DoctorDoc>(
        "doctor",
        tools::DOCTOR_SCHEMA,
        "whether the tools here are as their profiles say: agon tools doctor",
    ),
    Document::of::<agon_app::model::ModelsDoc>(
        "models",
        agon_app::model::MODELS_SCHEMA,
        "the models that answer in this program: agon model list",
    ),
    Document::of::<agon_app::model::ModelDoc>(
        "model",
        agon_app::model::MODEL_SCHEMA,
        "one of them, and where it lies: agon model pull, agon model path",
    ),
];

/// Prints the schema of the document with this name or id.
fn one(name: &str, out: &mut Out) -> Result<(), Failure> {
    let known = |document: &&Document| document.name == name || document.id == name;
    let Some(document) = documents().find(known) else {
        let names = documents().map(|document| document.name);
        let message = format!("there is no document `{name}`");
        return Err(Failure::new(FailureKind::Usage, "unknown_schema", message)
            .parameter("name")
            .hint(similar::hint(name, names, "`agon schema` lists them all")));
    };
    let text = serde_json::to_string_pretty(&document.schema())
        .map_err(|cause| Failure::from_error(FailureKind::Bug, "json", &cause))?;
    out.line(&text)
}
