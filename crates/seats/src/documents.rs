//! The documents about tools and models.

use agon_record::document::Document;
use agon_record::documents;

use crate::model;
use crate::tools::{doctor, overview};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = documents! {
    "doctor" doctor::DoctorDoc = doctor::SCHEMA,
        "whether the tools here are as their profiles say: agon tools doctor";
    "models" model::ModelsDoc = model::MODELS_SCHEMA,
        "the models that answer in this program: agon model list";
    "model" model::ModelDoc = model::MODEL_SCHEMA,
        "one of them, and where it lies: agon model pull, agon model path";
    "tools" overview::ToolsDoc = "agon.tools/1", "the tools here: agon tools";
};
