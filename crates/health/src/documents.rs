//! The list of documents about sessions.

use agon_record::document::Document;
use agon_record::documents;

use crate::{ContextDoc, ExaminerTestDoc, SELF_TEST_SCHEMA, SESSION_HEALTH_SCHEMA};

/// The documents of this crate.
pub const DOCUMENTS: &[Document] = documents! {
    "examiner_test" ExaminerTestDoc = SELF_TEST_SCHEMA,
        "a model's accuracy in examining sessions: agon context --examine --self-test";
    "context" ContextDoc = SESSION_HEALTH_SCHEMA,
        "the state of each session's context: agon context";
};
