//! The JSON Schemas of what is published.

use agon_verdict::documents::DOCUMENTS;
pub use agon_verdict::documents::Document;
use serde::Serialize;

use crate::failure::{Failure, FailureKind};
use crate::similar;

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

/// Every published document, those of a debate before the `others`.
pub fn all(others: &'static [Document]) -> SchemasDoc {
    let line = |&Document {
                    name, id, about, ..
                }: &_| SchemaLine { name, id, about };
    SchemasDoc {
        schema: "agon.schemas/1",
        documents: documents(others).map(line).collect(),
    }
}

/// The JSON Schema of the document with this name or id.
///
/// # Errors
///
/// If there is none; the hint names what may have been meant.
pub fn one(others: &'static [Document], name: &str) -> Result<impl Serialize + use<>, Failure> {
    let is_meant = |document: &&Document| document.name == name || document.id == name;
    match documents(others).find(is_meant) {
        Some(document) => Ok(document.schema()),
        None => {
            let names = documents(others).map(|document| document.name);
            let message = format!("there is no document `{name}`");
            Err(Failure::new(FailureKind::Usage, "unknown_schema", message)
                .parameter("name")
                .hint(similar::hint(name, names, "`agon schema` lists them all")))
        }
    }
}

fn documents(others: &'static [Document]) -> impl Iterator<Item = &'static Document> {
    DOCUMENTS.iter().chain(others)
}
