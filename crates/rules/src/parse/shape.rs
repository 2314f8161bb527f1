//! Fits an object to the schema of its kind and accepts harmless deviations.

use std::sync::OnceLock;

use agon_record::id::NodeId;
use agon_record::moves::MovesKind;
use agon_record::text::sanitise_line;
use jsonschema::error::ValidationErrorKind;
use jsonschema::paths::LocationSegment;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value, json};

use crate::parse::fits::certainly_fits;
use crate::parse::{Author, MAX_FINDINGS};
use crate::schema;

/// An object that was fitted to its schema.
pub(super) struct FittedObject {
    /// The normalised object without unknown keys.
    pub(super) object: Map<String, Value>,
    /// The places of unknown keys.
    pub(super) unknown: Vec<String>,
    /// Ids and words whose spelling was corrected.
    pub(super) respelled: Vec<SpellingFix>,
    /// The violations of the schema.
    pub(super) violations: Vec<Violation>,
}

/// An id or a word whose spelling was corrected.
pub(super) struct SpellingFix {
    /// The place.
    pub(super) at: String,
    /// The correct spelling.
    pub(super) right: String,
}

/// A violation of the schema.
pub(super) struct Violation {
    /// The keyword of the schema.
    pub(super) rule: String,
    /// The place, such as `objections[1].target`.
    pub(super) at: String,
    /// What is wrong, without quoting the text.
    pub(super) message: String,
    /// How to fix it.
    pub(super) hint: String,
}

/// The schema of one kind of reply.
struct Shape {
    schema: Value,
    names: Vec<String>,
    /// Compiled for the first reply that may not fit.
    validator: OnceLock<Option<Validator>>,
}

impl Shape {
    fn violations(&self, value: &Value, kind: MovesKind) -> Vec<Violation> {
        if certainly_fits(&self.schema, &self.schema, value) {
            return Vec::new();
        }
        let compile = || jsonschema::draft202012::new(&self.schema).ok();
        let validator = self.validator.get_or_init(compile).iter();
        let violations = validator.flat_map(|validator| {
            let errors = validator.iter_errors(value);
            errors
                .take(MAX_FINDINGS)
                .map(|error| violation_from_error(&error, kind))
        });
        violations.collect()
    }
}

fn shape_of_kind(kind: MovesKind, author: Author) -> &'static Shape {
    type Shapes = [OnceLock<Shape>; MovesKind::ALL.len()];
    static OF_TOOLS: Shapes = [const { OnceLock::new() }; MovesKind::ALL.len()];
    static OF_PEOPLE: Shapes = [const { OnceLock::new() }; MovesKind::ALL.len()];
    let (shapes, schema): (&Shapes, fn(MovesKind) -> Value) = match author {
        Author::Tool => (&OF_TOOLS, schema::reply_schema),
        Author::Person => (&OF_PEOPLE, schema::person_reply_schema),
    };
    shapes[kind as usize].get_or_init(|| {
        let schema = schema(kind);
        let names = schema["properties"].as_object();
        Shape {
            names: names.map_or_else(Vec::new, |names| names.keys().cloned().collect()),
            validator: OnceLock::new(),
            schema,
        }
    })
}

/// Returns the top-level names of moves of `kind`.
pub(super) fn top_level_names(kind: MovesKind) -> &'static [String] {
    &shape_of_kind(kind, Author::Tool).names
}

/// The form of scores.
pub(super) const LIST_FORM: &str = "give {\"scores\": [{\"argument_id\": \"prop_001\", \"score\": 0.3, \"reasoning\": \"…\"}, {\"argument_id\": \"opp_001\", …}], \"rescores\": []}";

/// Returns the place, message and hint for an `object` that is one item of the expected list.
pub(super) fn single_item_fault(
    object: &Map<String, Value>,
    kind: MovesKind,
) -> Option<(&'static str, &'static str, &'static str)> {
    let has = |name: &str| object.contains_key(name);
    if kind == MovesKind::Scores && has("argument_id") && !has("scores") {
        let message = "this is a single score, but every new argument needs one";
        return Some(("scores", message, LIST_FORM));
    }
    let is_argument = has("title") || has("claim");
    if kind == MovesKind::Case && is_argument && !has("arguments") {
        let message = "this is a single argument, but three are required";
        let hint = "give a list of three arguments, `[{…}, {…}, {…}]`";
        return Some(("arguments", message, hint));
    }
    None
}

/// Fits `object` to the schema of `kind`.
pub(super) fn fit_to_shape(
    object: Map<String, Value>,
    kind: MovesKind,
    author: Author,
) -> FittedObject {
    let shape = shape_of_kind(kind, author);
    let mut walk = Normalizer {
        root: &shape.schema,
        unknown: Vec::new(),
        respelled: Vec::new(),
    };
    let mut value = Value::Object(object);
    walk.normalize_value(&shape.schema, &mut value, "");
    let violations = shape.violations(&value, kind);
    FittedObject {
        object: value
            .as_object_mut()
            .map(std::mem::take)
            .unwrap_or_default(),
        unknown: walk.unknown,
        respelled: walk.respelled,
        violations,
    }
}

/// Walks a value along its schema.
struct Normalizer<'a> {
    root: &'a Value,
    unknown: Vec<String>,
    respelled: Vec<SpellingFix>,
}

impl<'a> Normalizer<'a> {
    /// Removes null, empty optional and unknown values, and corrects the spelling of ids and words.
    /// Other text is unchanged.
    fn normalize_value(&mut self, schema: &'a Value, value: &mut Value, at: &str) {
        let schema = self.resolve_schema_ref(schema);
        if schema["type"] == "array" && schema["maxItems"] == 2 {
            expand_to_line_pair(value);
        }
        match value {
            Value::Object(object) => self.normalize_object(schema, object, at),
            Value::Array(items) => {
                for (place, item) in items.iter_mut().enumerate() {
                    self.normalize_value(&schema["items"], item, &format!("{at}[{place}]"));
                }
            }
            Value::String(text) => {
                let id = parse_lenient_id(text).filter(|_| schema["pattern"].is_string());
                if let Some(id) = id {
                    self.respell(text, id.to_string(), at);
                }
                if let Some(word) = match_lenient_word(&schema["enum"], text) {
                    self.respell(text, word.to_owned(), at);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn respell(&mut self, text: &mut String, right: String, at: &str) {
        if *text == right {
            return;
        }
        if self.respelled.len() < MAX_FINDINGS {
            self.respelled.push(SpellingFix {
                at: at.to_owned(),
                right: right.clone(),
            });
        }
        *text = right;
    }

    fn normalize_object(&mut self, schema: &'a Value, object: &mut Map<String, Value>, at: &str) {
        let Some(known) = schema["properties"].as_object() else {
            return;
        };
        let required = schema["required"].as_array();
        let optional = |key: &str| required.is_none_or(|names| !names.iter().any(|n| n == key));
        object.retain(|key, value| {
            if !known.contains_key(key) {
                if self.unknown.len() < MAX_FINDINGS {
                    self.unknown.push(join_path(at, &sanitise_line(key, 40)));
                }
                return false;
            }
            let empty = value.as_str().is_some_and(|text| text.trim().is_empty());
            !(value.is_null() || empty && optional(key))
        });
        for (key, value) in object.iter_mut() {
            self.normalize_value(&known[key], value, &join_path(at, key));
        }
    }

    fn resolve_schema_ref(&self, schema: &'a Value) -> &'a Value {
        match schema["$ref"]
            .as_str()
            .and_then(|name| name.strip_prefix('#'))
        {
            Some(pointer) => self.root.pointer(pointer).unwrap_or(schema),
            None => schema,
        }
    }
}

/// Expands a single line number to a first and a last line.
fn expand_to_line_pair(value: &mut Value) {
    let one = match value {
        Value::Array(items) if items.len() == 1 => items[0].clone(),
        Value::Number(_) => value.clone(),
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => {
            return;
        }
    };
    *value = json!([one, one]);
}

/// Returns the id that `text` means, regardless of case and of quotes or brackets around it.
///
/// A path or file name is not an id.
fn parse_lenient_id(text: &str) -> Option<NodeId> {
    if text.len() > 64 {
        return None;
    }
    let bare = text.trim_start_matches(|c: char| c.is_whitespace() || "\"'`*[(<#".contains(c));
    let bare = bare.trim_end_matches(|c: char| c.is_whitespace() || "\"'`*])>.,:;".contains(c));
    bare.to_ascii_lowercase().parse().ok()
}

/// Returns the word in `words` that `text` means, regardless of case and punctuation.
fn match_lenient_word<'a>(words: &'a Value, text: &str) -> Option<&'a str> {
    let words = words.as_array()?;
    if text.len() > 64 {
        return None;
    }
    let letters = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let meant = letters(text);
    let words = words.iter().filter_map(Value::as_str);
    words.into_iter().find(|word| letters(word) == meant)
}

fn join_path(at: &str, key: &str) -> String {
    match at {
        "" => key.to_owned(),
        at => format!("{at}.{key}"),
    }
}

fn violation_from_error(error: &ValidationError<'_>, of: MovesKind) -> Violation {
    let mut at = String::new();
    for segment in error.instance_path().iter() {
        match segment {
            LocationSegment::Property(key) => at = join_path(&at, &key),
            LocationSegment::Index(place) => at.push_str(&format!("[{place}]")),
        }
    }
    let kind = error.kind();
    let rule = kind.keyword().to_owned();
    let (message, hint) = if let ValidationErrorKind::Required { property } = kind {
        let key = property.as_str().unwrap_or_default();
        at = join_path(&at, key);
        ("this is missing".to_owned(), format!("give `{key}`"))
    } else {
        violation_message_and_hint(kind, error.instance(), of)
    };
    Violation {
        rule,
        at,
        message,
        hint,
    }
}

/// Returns the message and the hint for a violation, without the value itself.
fn violation_message_and_hint(
    kind: &ValidationErrorKind,
    value: &Value,
    of: MovesKind,
) -> (String, String) {
    if let ValidationErrorKind::Type { kind } = kind {
        let wanted = match kind {
            jsonschema::error::TypeKind::Single(one) => one.as_str(),
            jsonschema::error::TypeKind::Multiple(_) => "a different type",
        };
        let hint = match wanted {
            "array" => "put it in a list, `[…]`",
            "string" => "give a string in double quotes",
            "integer" | "number" => "give a number without quotes",
            _ => "give it as the contract shows it",
        };
        let message = format!(
            "this is {}, not {}",
            value_type_phrase(value),
            schema_type_phrase(wanted)
        );
        return (message, hint.to_owned());
    }
    if let ValidationErrorKind::Enum { options } = kind {
        let words = options.as_array().into_iter().flatten();
        let words: Vec<_> = words.filter_map(Value::as_str).collect();
        let words = words.join(", ");
        let message = format!("this is not one of the allowed words: {words}");
        return (message, format!("use one of {words}"));
    }
    if matches!(kind, ValidationErrorKind::Pattern { .. }) {
        let hint = match of.is_formal() {
            true => "give the id of an argument, such as prop_001",
            false => "give the id of a point, such as pro_001a",
        };
        return ("this is not the id of a point".to_owned(), hint.to_owned());
    }
    if let ValidationErrorKind::MaxItems { limit } = kind {
        let message = format!("this list has more than {limit} items");
        return (message, format!("give at most {limit}"));
    }
    if let ValidationErrorKind::MinItems { limit } = kind {
        let message = format!("this list has fewer than {limit} items");
        return (message, format!("give at least {limit}"));
    }
    if let ValidationErrorKind::MaxLength { limit } = kind {
        let message = format!("this text has more than {limit} characters");
        return (message, "shorten it".to_owned());
    }
    let message = format!("this violates `{}` of the schema", kind.keyword());
    (message, "give it as the contract shows it".to_owned())
}

fn value_type_phrase(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn schema_type_phrase(kind: &str) -> &'static str {
    match kind {
        "array" => "a list",
        "object" => "an object",
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        _ => "the required type",
    }
}
