//! The documents about sessions.

use agon_record::document::Document;
use agon_record::documents;

use crate::{ContextDoc, ExaminerTestDoc, SELF_TEST_SCHEMA, SESSION_HEALTH_SCHEMA};

/// What is printed and read here.
pub const DOCUMENTS: &[Document] = documents! {
    "examiner_test" ExaminerTestDoc = SELF_TEST_SCHEMA,
        "how well a model examines sessions: agon context --examine --self-test";
    "context" ContextDoc = SESSION_HEALTH_SCHEMA,
        "whether the contexts of sessions are still good: agon context";
};
