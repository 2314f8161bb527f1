//! The documents that every front end prints, including the list of all documents.

use agon_record::document::Document;
use agon_record::documents;
use schemars::JsonSchema;
use serde::Serialize;

use crate::errors::{CodeDoc, CodesDoc};
use crate::failure::{ERROR_SCHEMA, ErrorDoc};

/// Every published document: `agon.schemas/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SchemasDoc {
    schema: &'static str,
    /// The documents.
    pub documents: Vec<SchemaLine>,
}

impl SchemasDoc {
    /// Returns the list of these documents.
    pub fn of(documents: Vec<SchemaLine>) -> Self {
        Self {
            schema: "agon.schemas/1",
            documents,
        }
    }
}

/// A published document on one line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SchemaLine {
    /// The name to request it by, such as `challenge`.
    pub name: &'static str,
    /// The name and version in the document.
    pub id: &'static str,
    /// A short description.
    pub about: &'static str,
}

/// The documents that every front end prints.
pub const DOCUMENTS: &[Document] = documents! {
    "error" ErrorDoc = ERROR_SCHEMA, "why a command failed";
    "errors" CodesDoc = "agon.errors/1", "the list of error codes: agon errors";
    "error_code" CodeDoc = "agon.error_code/1", "one error code, with causes and commands that help: agon errors CODE";
    "schemas" SchemasDoc = "agon.schemas/1", "the documents that have a schema: agon schema";
};
