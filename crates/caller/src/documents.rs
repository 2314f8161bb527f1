//! The documents of every use case: why it failed, and which documents there are.

use agon_record::document::Document;
use agon_record::documents;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name and version of the error document.
pub const ERROR_SCHEMA: &str = "agon.error/1";

/// Why a command failed, for a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDoc {
    /// Always `agon.error/1`.
    #[schemars(extend("const" = ERROR_SCHEMA))]
    pub schema: String,
    /// What went wrong.
    pub error: ErrorBody,
}

/// What went wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// The kind of error, such as `missing_parameter`.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do about it; empty when there is nothing.
    pub hint: String,
    /// The parameter it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// When to try again, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_s: Option<u64>,
}

impl From<ErrorBody> for ErrorDoc {
    fn from(error: ErrorBody) -> Self {
        let schema = ERROR_SCHEMA.to_owned();
        Self { schema, error }
    }
}

/// Every published document: `agon.schemas/1`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SchemasDoc {
    schema: &'static str,
    /// The documents.
    pub documents: Vec<SchemaLine>,
}

impl SchemasDoc {
    /// The list of these documents.
    pub fn of(documents: Vec<SchemaLine>) -> Self {
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

/// What every front end prints.
pub const DOCUMENTS: &[Document] = documents! {
    "error" ErrorDoc = ERROR_SCHEMA, "why a command failed";
    "schemas" SchemasDoc = "agon.schemas/1", "the documents that have a schema: agon schema";
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_leaves_out_what_it_does_not_have() {
        let error = ErrorDoc::from(ErrorBody {
            code: "missing_parameter".to_owned(),
            message: "no judge is named".to_owned(),
            hint: "add --judge".to_owned(),
            parameter: Some("judge".to_owned()),
            retry_after_s: None,
        });
        assert_eq!(
            serde_json::to_string(&error).unwrap(),
            r#"{"schema":"agon.error/1","error":{"code":"missing_parameter","message":"no judge is named","hint":"add --judge","parameter":"judge"}}"#
        );
    }
}
