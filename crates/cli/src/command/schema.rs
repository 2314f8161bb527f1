//! `agon schema`: the JSON Schemas of what is published.

use agon_app::consult;
use agon_app::schema::{self, Document, SchemaLine};
use agon_app::tools::doctor;

use crate::args::{Global, SchemaArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::{Out, columns};

/// Lists the documents, or prints the schema of one.
pub(crate) fn run(
    _edge: &Surroundings,
    global: &Global,
    args: &SchemaArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match &args.name {
        Some(name) => {
            let text = serde_json::to_string_pretty(&schema::one(HERE, name)?)
                .map_err(|cause| Failure::from_error(FailureKind::Bug, "json", &cause))?;
            out.line(&text)?;
        }
        None if global.json => out.json(&schema::all(HERE))?,
        None => {
            let row = |line: &SchemaLine| [line.name, line.id, line.about].map(str::to_owned);
            let rows: Vec<_> = schema::all(HERE).documents.iter().map(row).collect();
            out.data(&columns(&rows))?;
            out.note("\nagon schema NAME prints one of them");
        }
    }
    Ok(Exit::Done)
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
    Document::of::<doctor::DoctorDoc>(
        "doctor",
        doctor::SCHEMA,
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
