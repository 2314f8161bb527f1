//! The published JSON Schemas, and those that hold for one turn.

mod compact;
mod contract;
mod strict;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

pub use compact::compact;
pub use contract::contract;
pub use strict::strict;

use crate::finding::Finding;
use crate::graph::{GRAPH_SCHEMA, GraphDoc};
use crate::inquiry::{ANSWER_SCHEMA, AnswerDoc};
use crate::moves::{
    Blind, Case, Challenge, Contention, Defense, FollowUp, MovesKind, Opening, Ruling, Scores,
    Theses,
};
use crate::result::{ERROR_SCHEMA, ErrorDoc, RESULT_SCHEMA, ResultDoc};
use crate::status::{STARTED_SCHEMA, STATUS_SCHEMA, StartedDoc, StatusDoc};
use crate::verdict::{SCHEMA as VERDICT_SCHEMA, Verdict};

/// A published document: its name, its version and its schema.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The name on the command line, such as `challenge`.
    pub name: &'static str,
    /// The name and version in the document, such as `agon.moves.challenge/1`.
    pub id: &'static str,
    /// One line that says what it is.
    pub about: &'static str,
    make: fn() -> Value,
}

/// The documents that models write, the finding they get back, and what programs get.
///
/// Those that the program itself makes of several debates stand beside its commands.
pub const DOCUMENTS: &[Document] = &[
    Document {
        name: "blind",
        id: "agon.moves.blind/1",
        about: "a first answer, before either side has heard the other",
        make: moves::<Blind>,
    },
    Document {
        name: "opening",
        id: "agon.moves.opening/1",
        about: "the proposer's stance and arguments",
        make: moves::<Opening>,
    },
    Document {
        name: "challenge",
        id: "agon.moves.challenge/1",
        about: "the challenger's first reply",
        make: moves::<Challenge>,
    },
    Document {
        name: "defense",
        id: "agon.moves.defense/1",
        about: "the proposer's answers to objections",
        make: moves::<Defense>,
    },
    Document {
        name: "follow_up",
        id: "agon.moves.follow_up/1",
        about: "the challenger's rulings on those answers, and what is new",
        make: moves::<FollowUp>,
    },
    Document {
        name: "verdict",
        id: "agon.moves.verdict/1",
        about: "the part of the verdict that the judge writes",
        make: moves::<Ruling>,
    },
    Document {
        name: "theses",
        id: "agon.moves.theses/1",
        about: "what each side of a formal debate defends, put positively",
        make: moves::<Theses>,
    },
    Document {
        name: "case",
        id: "agon.moves.case/1",
        about: "the three arguments with which a side of a formal debate opens",
        make: moves::<Case>,
    },
    Document {
        name: "rebuttal",
        id: "agon.moves.rebuttal/1",
        about: "one argument of a formal debate, with its attacks and defenses",
        make: moves::<Contention>,
    },
    Document {
        name: "scores",
        id: "agon.moves.scores/1",
        about: "a judge's scores for an exchange of a formal debate",
        make: moves::<Scores>,
    },
    Document {
        name: "finding",
        id: "agon.finding/1",
        about: "a broken rule",
        make: of::<Finding>,
    },
    Document {
        name: "graph",
        id: GRAPH_SCHEMA,
        about: "what an argument graph says, of a debate or of a file",
        make: crate::verdict::schema_of::<GraphDoc>,
    },
    Document::of::<ResultDoc>(
        "result",
        RESULT_SCHEMA,
        "what a debate came to, small: agon show and agon debate",
    ),
    Document::of::<Verdict>(
        "verdict_document",
        VERDICT_SCHEMA,
        "the whole verdict: verdict.json",
    ),
    Document::of::<StartedDoc>(
        "started",
        STARTED_SCHEMA,
        "a debate that was opened, or runs by itself",
    ),
    Document::of::<StatusDoc>("status", STATUS_SCHEMA, "how far a debate is: agon wait"),
    Document::of::<AnswerDoc>(
        "answer",
        ANSWER_SCHEMA,
        "an answer to a question about a debate: agon ask",
    ),
    Document::of::<ErrorDoc>("error", ERROR_SCHEMA, "why a command failed"),
];

impl Document {
    /// A document that is written and never read from a model.
    pub const fn of<T: JsonSchema>(
        name: &'static str,
        id: &'static str,
        about: &'static str,
    ) -> Self {
        let make = crate::verdict::schema_of::<T>;
        Self {
            name,
            id,
            about,
            make,
        }
    }

    /// Its schema: JSON Schema, draft 2020-12, under its name.
    pub fn schema(&self) -> Value {
        let mut schema = (self.make)();
        if let Some(object) = schema.as_object_mut() {
            object.insert("$id".to_owned(), json!(self.id));
            object.insert("title".to_owned(), json!(self.id));
        }
        schema
    }
}

/// The form of the ids that moves refer to: three digits and at most two letters.
pub const NODE_PATTERN: &str = "^(pro|cha|prop|opp)_[0-9]{3}[a-z]{0,2}$";

/// The most items a list in a reply may have.
pub const MAX_ITEMS: u64 = 50;

/// The most characters a text in a reply may have.
pub const MAX_TEXT: u64 = 8_000;

/// The names of [`DOCUMENTS`], in their order.
pub fn names() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|document| document.name)
}

/// The schema of the document named `name`: JSON Schema, draft 2020-12.
///
/// ```
/// # use agon_debate::schema::schema;
/// let challenge = schema("challenge").unwrap();
/// assert_eq!(challenge["$id"], "agon.moves.challenge/1");
/// assert!(schema("limerick").is_none());
/// ```
pub fn schema(name: &str) -> Option<Value> {
    let document = DOCUMENTS.iter().find(|document| document.name == name)?;
    Some(document.schema())
}

/// The schema of the moves of `kind`, without a name: what a reply is held to.
pub(crate) fn shape(kind: MovesKind) -> Value {
    match kind {
        MovesKind::Blind => moves::<Blind>(),
        MovesKind::Opening => moves::<Opening>(),
        MovesKind::Challenge => moves::<Challenge>(),
        MovesKind::Defense => moves::<Defense>(),
        MovesKind::FollowUp => moves::<FollowUp>(),
        MovesKind::Verdict => moves::<Ruling>(),
        MovesKind::Theses => moves::<Theses>(),
        MovesKind::Case => moves::<Case>(),
        MovesKind::Rebuttal => moves::<Contention>(),
        MovesKind::Scores => moves::<Scores>(),
    }
}

fn of<T: JsonSchema>() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// The schema of moves: enumerations as plain lists of words, no null, and a
/// bound on every list and text.
fn moves<T: JsonSchema>() -> Value {
    let mut schema = of::<T>();
    if let Some(id) = schema
        .pointer_mut("/$defs/NodeId")
        .and_then(Value::as_object_mut)
    {
        id.insert("pattern".to_owned(), json!(NODE_PATTERN));
        id.insert(
            "description".to_owned(),
            json!("The id of a point, such as pro_001a."),
        );
    }
    settle(&mut schema);
    schema
}

fn settle(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.values_mut().for_each(settle);
            drop_null(object);
            list_words(object);
            bound(object);
        }
        Value::Array(items) => items.iter_mut().for_each(settle),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Makes an optional field's schema that of the field: an absent one is left out.
fn drop_null(object: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get("anyOf") {
        let real: Vec<_> = options
            .iter()
            .filter(|option| option["type"] != "null")
            .collect();
        if let ([Value::Object(only)], true) = (real.as_slice(), options.len() == 2) {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
}

/// Turns one described constant per word into one list of words.
fn list_words(object: &mut Map<String, Value>) {
    let Some(Value::Array(options)) = object.get("oneOf") else {
        return;
    };
    let words: Vec<&str> = options
        .iter()
        .filter_map(|option| option["const"].as_str())
        .collect();
    if words.len() != options.len() {
        return;
    }
    let about = |option: &Value| {
        let word = option["const"].as_str()?;
        let about = option["description"].as_str()?.trim_end_matches('.');
        Some(format!("{word}: {about}."))
    };
    let meanings: Vec<String> = options.iter().filter_map(about).collect();
    let words = json!(words);
    let text = object.get("description").and_then(Value::as_str);
    let text = text.map(str::to_owned).into_iter().chain(meanings);
    let text = text.collect::<Vec<_>>().join(" ");
    object.remove("oneOf");
    object.insert("description".to_owned(), json!(text));
    object.insert("type".to_owned(), json!("string"));
    object.insert("enum".to_owned(), words);
}

fn bound(object: &mut Map<String, Value>) {
    let kind = object.get("type").and_then(Value::as_str);
    if kind == Some("array") && !object.contains_key("maxItems") {
        object.insert("maxItems".to_owned(), json!(MAX_ITEMS));
    } else if kind == Some("string")
        && !object.contains_key("enum")
        && !object.contains_key("pattern")
    {
        object.insert("maxLength".to_owned(), json!(MAX_TEXT));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_valid_and_names_itself() {
        for document in DOCUMENTS {
            let schema = schema(document.name).unwrap();
            assert_eq!(schema["$id"], document.id, "{}", document.name);
            assert_eq!(schema["title"], document.id, "{}", document.name);
            assert_eq!(
                schema["$schema"],
                "https://json-schema.org/draft/2020-12/schema"
            );
            assert!(jsonschema::meta::is_valid(&schema), "{}", document.name);
            jsonschema::draft202012::new(&schema).unwrap();
        }
    }

    #[test]
    fn every_kind_of_moves_is_published() {
        for kind in MovesKind::ALL {
            let mut published = schema(kind.name()).unwrap();
            let mut held_to = shape(kind);
            for schema in [&mut published, &mut held_to] {
                let object = schema.as_object_mut().unwrap();
                object.remove("$id");
                object.remove("title");
            }
            assert_eq!(published, held_to, "{}", kind.name());
        }
    }

    #[test]
    fn words_are_a_list_and_nothing_may_be_null() {
        for kind in MovesKind::ALL {
            let text = shape(kind).to_string();
            assert!(!text.contains("\"null\""), "{}", kind.name());
            assert!(
                !text.contains("oneOf") && !text.contains("anyOf"),
                "{}",
                kind.name()
            );
        }
        let challenge = shape(MovesKind::Challenge);
        let severity = &challenge["$defs"]["ObjectionSeverity"];
        assert_eq!(severity["enum"], json!(["minor", "major", "blocker"]));
        let id = &challenge["$defs"]["NodeId"];
        assert_eq!(id["pattern"], NODE_PATTERN);
        assert!(id["maxLength"].is_null());
    }
}
