//! The JSON Schemas of all published documents, collected from all crates.

use agon_caller::documents::{SchemaLine, SchemasDoc};
use agon_caller::similar;
use agon_record::document::Document;
use serde_json::Value;

use crate::documents::DOCUMENTS;
use crate::error::{Code, Failure};

/// Returns all published documents.
pub(crate) fn all() -> SchemasDoc {
    let line = |&Document {
                    name, id, about, ..
                }: &_| SchemaLine { name, id, about };
    SchemasDoc::of(documents().map(line).collect())
}

/// Returns the JSON Schema of the document with this name or id.
///
/// # Errors
///
/// Returns an error if there is no such document; its hint suggests similar names.
pub(crate) fn find_schema(name: &str) -> Result<Value, Failure> {
    let is_meant = |document: &&Document| document.name == name || document.id == name;
    match documents().find(is_meant) {
        Some(document) => Ok(document.schema()),
        None => {
            let names = documents().map(|document| document.name);
            let message = format!("unknown document `{name}`");
            Err(Failure::new(Code::UnknownSchema, message)
                .parameter("name")
                .hint(similar::hint(
                    name,
                    names,
                    "`agon schema` lists all documents",
                )))
        }
    }
}

fn documents() -> impl Iterator<Item = &'static Document> {
    DOCUMENTS.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_is_nearest_to_itself() {
        for document in documents() {
            let names = documents().map(|document| document.name);
            assert_eq!(
                similar::similar(document.name, names).first(),
                Some(&document.name)
            );
        }
    }
}
