//! The JSON Schemas of what is published: the lists of all crates, joined.

use agon_caller::documents::{SchemaLine, SchemasDoc};
use agon_caller::similar;
use agon_record::document::Document;
use serde_json::Value;

use crate::documents::DOCUMENTS;
use crate::error::{Code, Failure};

/// Every published document.
pub(crate) fn all() -> SchemasDoc {
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
pub(crate) fn find_schema(name: &str) -> Result<Value, Failure> {
    let is_meant = |document: &&Document| document.name == name || document.id == name;
    match documents().find(is_meant) {
        Some(document) => Ok(document.schema()),
        None => {
            let names = documents().map(|document| document.name);
            let message = format!("there is no document `{name}`");
            Err(Failure::new(Code::UnknownSchema, message)
                .parameter("name")
                .hint(similar::hint(name, names, "`agon schema` lists them all")))
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
