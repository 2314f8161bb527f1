//! The documents about sessions.

use agon_record::document::Document;

use crate::{ContextDoc, SESSION_HEALTH_SCHEMA};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = &[Document::with_output_schema::<ContextDoc>(
    "context",
    SESSION_HEALTH_SCHEMA,
    "whether the contexts of sessions are still good: agon context",
)];
