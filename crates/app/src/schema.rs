//! The JSON Schemas of what is published.

mod list;
mod of_commands;

use agon_verdict::documents::{DOCUMENTS, Document};
use serde::Serialize;
use serde_json::Value;

pub use self::list::{SchemaLine, SchemasDoc};
use self::of_commands::OF_COMMANDS;
use crate::failure::{Failure, FailureKind};
use crate::similar;

/// Every published document, those of a debate before those of commands.
pub fn all() -> SchemasDoc {
    let line = |&Document {
                    name, id, about, ..
                }: &_| SchemaLine { name, id, about };
    SchemasDoc::of(documents().map(line).collect())
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

/// The JSON Schema of the published document with this name.
pub fn find_json_schema(name: &str) -> Option<Value> {
    let document = documents().find(|document| document.name == name)?;
    serde_json::to_value(document.schema()).ok()
}

fn documents() -> impl Iterator<Item = &'static Document> {
    DOCUMENTS.iter().chain(OF_COMMANDS)
}
