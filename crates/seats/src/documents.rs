//! The documents about tools and models.

use agon_record::document::Document;

use crate::model;
use crate::tools::{doctor, overview};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = &[
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
    Document::with_output_schema::<overview::ToolsDoc>(
        "tools",
        "agon.tools/1",
        "the tools here: agon tools",
    ),
];
