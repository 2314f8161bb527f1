//! The machine-readable documents about tools and models.

use agon_record::document::Document;
use agon_record::documents;

use crate::consent;
use crate::model;
use crate::tools::{doctor, overview};

/// Every document that this crate prints or reads.
pub const DOCUMENTS: &[Document] = documents! {
    "consent" consent::ConsentDoc = consent::SCHEMA,
        "which vendors may be sent material of a project: agon config consent";
    "doctor" doctor::DoctorDoc = doctor::SCHEMA,
        "whether the installed tools match their profiles: agon tools doctor";
    "models" model::ModelsDoc = model::MODELS_SCHEMA,
        "the built-in models: agon model list";
    "model" model::ModelDoc = model::MODEL_SCHEMA,
        "a built-in model and its file: agon model pull, agon model path";
    "tools" overview::ToolsDoc = "agon.tools/1", "the tools on this machine: agon tools";
};
