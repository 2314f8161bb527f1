//! Finds the JSON object at the end of a reply.

use agon_record::moves::MovesKind;
use serde::de::IgnoredAny;
use serde_json::error::Category;
use serde_json::{Deserializer, Map, Value};

use crate::parse::{MAX_REPLY, lenient, shape, value};

/// Why a reply has no JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonFault {
    /// The code, as in [`ParseError::code`](super::ParseError::code).
    pub(super) code: String,
    /// What is wrong.
    pub(super) message: String,
    /// How to fix it.
    pub(super) hint: String,
}

/// The code of a list in place of an object.
const LIST: &str = "schema:type";

impl JsonFault {
    pub(super) fn new(
        code: impl Into<String>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            hint: hint.into(),
        }
    }

    fn cut_off() -> Self {
        Self::new(
            "truncated:json",
            "the JSON at the end of the reply is cut off",
            "give the complete object again, shorter if necessary",
        )
    }

    fn no_object() -> Self {
        Self::new(
            "json:none",
            "there is no JSON object in the reply",
            "end the reply with one fenced block that contains one JSON object",
        )
    }
}

/// Trims white space and byte order marks, in any order.
pub(super) fn trim_white_space(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// Returns the object at the end of `reply`, preferably one with a name of `kind`.
pub(super) fn find_final_object(
    reply: &str,
    kind: MovesKind,
) -> Result<Map<String, Value>, JsonFault> {
    if reply.len() > MAX_REPLY {
        return Err(JsonFault::new(
            "too_large:bytes",
            format!(
                "the reply has {} bytes, but at most {MAX_REPLY} are allowed",
                reply.len()
            ),
            "give a shorter answer",
        ));
    }
    let text = trim_white_space(reply);
    if text.is_empty() {
        return Err(JsonFault::new(
            "empty:no_text",
            "the reply is empty",
            "end the reply with one fenced block that contains one JSON object",
        ));
    }
    search_object(text, kind).or_else(|fault| match lenient::repair_spaces_and_surrogates(text) {
        Some(readable) => search_object(&readable, kind),
        None => Err(fault),
    })
}

fn search_object(text: &str, kind: MovesKind) -> Result<Map<String, Value>, JsonFault> {
    let mut search = ObjectSearch {
        kind,
        known: shape::top_level_names(kind),
        stranger: None,
        fault: None,
    };
    if let Some(found) = search.search_fenced_blocks(text)? {
        return Ok(found);
    }
    if text.starts_with(['{', '['])
        && let Some(found) = search.read_json_text(text, true)?
    {
        return Ok(found);
    }
    let listed = search
        .fault
        .as_ref()
        .is_some_and(|fault| fault.code == LIST);
    if !listed && let Some(found) = search.search_embedded_objects(text)? {
        return Ok(found);
    }
    match (search.fault, search.stranger) {
        (Some(fault), _) => Err(fault),
        (None, Some(stranger)) => Ok(stranger),
        (None, None) => Err(JsonFault::no_object()),
    }
}

struct ObjectSearch<'a> {
    kind: MovesKind,
    known: &'a [String],
    /// An object without a known name.
    stranger: Option<Map<String, Value>>,
    /// The fault of the last text that looks like JSON.
    fault: Option<JsonFault>,
}

type ReadObject = Result<Option<Map<String, Value>>, JsonFault>;

impl ObjectSearch<'_> {
    fn search_fenced_blocks(&mut self, text: &str) -> ReadObject {
        let blocks = fenced_blocks(text);
        for block in blocks.into_iter().rev() {
            let body = block.text.trim();
            if !body.starts_with(['{', '[']) {
                continue;
            }
            let at_end = block.open;
            if let Some(found) = self.read_json_text(body, at_end)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Reads all of `text`; JSON that is cut off at the end of the reply ends the search.
    fn read_json_text(&mut self, text: &str, at_end: bool) -> ReadObject {
        match value::read_unambiguous_json(text) {
            Ok(value) => Ok(self.moves_from_value(value)),
            Err(error) if at_end && error.is_eof() => Err(JsonFault::cut_off()),
            Err(error) => {
                self.fault
                    .get_or_insert_with(|| fault_from_json_error(&error));
                Ok(None)
            }
        }
    }

    /// Returns the moves in `value`, even if they are the only item of a list.
    ///
    /// The opening arguments of a formal debate are always a list.
    fn moves_from_value(&mut self, mut value: Value) -> Option<Map<String, Value>> {
        if let Value::Array(list) = &mut value {
            match list.as_slice() {
                [Value::Object(one)]
                    if self.kind != MovesKind::Case || self.has_expected_name(one) =>
                {
                    value = list.remove(0);
                }
                _ if self.kind == MovesKind::Case => {
                    return self.moves_from_case_list(std::mem::take(list));
                }
                _ => {}
            }
        }
        if let Value::Object(object) = value {
            return self.moves_from_object(object);
        }
        let hint = if self.kind == MovesKind::Scores {
            shape::LIST_FORM
        } else if self.kind == MovesKind::Rebuttal {
            "give one argument, as one object"
        } else {
            "give one object"
        };
        self.fault.get_or_insert_with(|| {
            JsonFault::new(LIST, "the JSON of the reply is a list, not an object", hint)
        });
        None
    }

    /// Returns a list as arguments; a list without arguments is used only if nothing else is found.
    fn moves_from_case_list(&mut self, list: Vec<Value>) -> Option<Map<String, Value>> {
        let names = shape::top_level_names(MovesKind::Rebuttal);
        let argues = |item: &Value| names.iter().any(|name| item.get(name).is_some());
        let found = list.iter().any(argues);
        let object = Map::from_iter([("arguments".to_owned(), Value::Array(list))]);
        if found {
            return Some(object);
        }
        self.stranger.get_or_insert(object);
        None
    }

    fn has_expected_name(&self, object: &Map<String, Value>) -> bool {
        self.known.iter().any(|name| object.contains_key(name))
    }

    /// Returns the moves in `object`, even if they are nested under the name of their kind.
    fn moves_from_object(&mut self, mut object: Map<String, Value>) -> Option<Map<String, Value>> {
        if self.has_expected_name(&object) {
            return Some(object);
        }
        if object.len() == 1 {
            for name in [self.kind.name(), "moves"] {
                match object.get_mut(name) {
                    Some(Value::Object(inner)) if self.has_expected_name(inner) => {
                        return Some(std::mem::take(inner));
                    }
                    Some(_) | None => {}
                }
            }
        }
        self.stranger.get_or_insert(object);
        None
    }

    /// Returns the last object in `text` with a known name, whatever surrounds it.
    ///
    /// If a list is expected, the last list of objects counts as one.
    ///
    /// Text that a failed attempt has read is skipped: it is the inside of a broken object.
    fn search_embedded_objects(&mut self, text: &str) -> ReadObject {
        let mut last = None;
        let mut at = 0;
        let opens: &[char] = match self.kind == MovesKind::Case {
            true => &['{', '['],
            false => &['{'],
        };
        while let Some(open) = text[at..].find(opens).map(|found| at + found) {
            let rest = &text[open..];
            at = open + 1;
            let first = if rest.starts_with('{') { '"' } else { '{' };
            if !rest[1..].trim_start().starts_with(first) {
                continue;
            }
            let mut stream = Deserializer::from_str(rest).into_iter::<IgnoredAny>();
            match stream.next() {
                Some(Ok(_)) => {
                    let whole = &rest[..stream.byte_offset()];
                    at = open + whole.len();
                    if let Some(found) = self.read_json_text(whole, false)? {
                        last = Some(found);
                    }
                }
                Some(Err(error)) if error.is_eof() => return Err(JsonFault::cut_off()),
                Some(Err(error)) => at = open + bytes_read_before_error(rest, &error).max(1),
                None => break,
            }
        }
        Ok(last)
    }
}

/// Returns how many bytes of `text` were read before `error`, on a character boundary.
fn bytes_read_before_error(text: &str, error: &serde_json::Error) -> usize {
    let mut start = 0;
    for _ in 1..error.line() {
        match text[start..].find('\n') {
            Some(end) => start += end + 1,
            None => break,
        }
    }
    let mut read = (start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(read) {
        read += 1;
    }
    read
}

fn fault_from_json_error(error: &serde_json::Error) -> JsonFault {
    let category = match error.classify() {
        Category::Io => "io",
        Category::Syntax => "syntax",
        Category::Data => "data",
        Category::Eof => "eof",
    };
    JsonFault::new(
        format!("json:{category}"),
        format!("the JSON of the reply cannot be parsed: {error}"),
        "give one JSON object: names and strings in double quotes, no comments, no trailing comma",
    )
}

/// The text between two fences, or after the last one.
struct Block<'a> {
    text: &'a str,
    /// Whether it is the last block.
    open: bool,
}

/// Returns the text after each fence line up to the next one.
///
/// Every fence ends one block and starts another, so a stray fence in the prose cannot hide the
/// final block. JSON has no line that looks like a fence.
fn fenced_blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut begin = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let mark = line.trim_start();
        if mark.starts_with("```") || mark.starts_with("~~~") {
            if let Some(begin) = begin {
                let text = &text[begin..start];
                blocks.push(Block { text, open: false });
            }
            begin = Some(at);
        }
    }
    if let Some(begin) = begin {
        let text = &text[begin..];
        blocks.push(Block { text, open: true });
    }
    blocks
}
