//! The list of the published documents.

use schemars::JsonSchema;
use serde::Serialize;

/// Every published document: `agon.schemas/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SchemasDoc {
    schema: &'static str,
    /// The documents.
    pub documents: Vec<SchemaLine>,
}

impl SchemasDoc {
    /// The list of these documents.
    pub(super) fn of(documents: Vec<SchemaLine>) -> Self {
        Self {
            schema: "agon.schemas/1",
            documents,
        }
    }
}

/// A published document in a line.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct SchemaLine {
    /// The name that it is asked for by, such as `challenge`.
    pub name: &'static str,
    /// The name and version in the document.
    pub id: &'static str,
    /// What it is.
    pub about: &'static str,
}
