//! The documents about sessions.

use agon_record::document::Document;
use agon_record::documents;

use crate::{ContextDoc, SESSION_HEALTH_SCHEMA};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = documents! {
    "context" ContextDoc = SESSION_HEALTH_SCHEMA,
        "whether the contexts of sessions are still good: agon context";
};
