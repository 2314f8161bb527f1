//! A published document type with its JSON Schema.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// A published document type: its name, its version and its schema.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The name on the command line, such as `challenge`.
    pub name: &'static str,
    /// The name and version in the document, such as `agon.moves.challenge/1`.
    pub id: &'static str,
    /// One line that describes it.
    pub about: &'static str,
    make: fn() -> Value,
}

impl Document {
    /// Defines a document that Agon writes and never reads from a model.
    pub const fn with_output_schema<T: JsonSchema>(
        name: &'static str,
        id: &'static str,
        about: &'static str,
    ) -> Self {
        let make = output_schema::<T>;
        Self {
            name,
            id,
            about,
            make,
        }
    }

    /// Defines a document whose schema is built elsewhere, such as one that a person writes.
    pub const fn with_schema(
        name: &'static str,
        id: &'static str,
        about: &'static str,
        make: fn() -> Value,
    ) -> Self {
        Self {
            name,
            id,
            about,
            make,
        }
    }

    /// Returns its schema: JSON Schema, draft 2020-12, under its name.
    pub fn schema(&self) -> Value {
        let mut schema = (self.make)();
        if let Some(object) = schema.as_object_mut() {
            object.insert("$id".to_owned(), json!(self.id));
            object.insert("title".to_owned(), json!(self.id));
        }
        schema
    }
}

/// Returns the schema of a type that Agon writes and never reads from a model.
pub fn output_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Defines a list of documents, each with its name, type, versioned name and description.
#[macro_export]
macro_rules! documents {
    ($($name:literal $type:ty = $id:expr, $about:literal;)*) => {
        &[$($crate::document::Document::with_output_schema::<$type>($name, $id, $about)),*]
    };
}
