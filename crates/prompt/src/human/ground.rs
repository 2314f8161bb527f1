//! A ground, as people write it down.

use serde_json::{Map, Value, json};

use super::lines::{FormLine, split_key_value};
use super::name::normalize_name;
use super::place::{parse_citation, parse_file_or_url, parse_line_range, parse_quoted_place};
use super::problem::Problem;

/// Between the place, what it says and why that matters.
const BETWEEN: [&str; 3] = [" — ", " – ", " -- "];
/// Where a sentence of its own comes from.
const OWN: &str = "own statement";
/// Why a ground matters that does not say it.
const FOR_THIS: &str = "given in support of this point";
/// What may stand under a name of its own in a ground, and what it is.
const NAMES: [(&str, &str); 14] = [
    ("source", "source"),
    ("content", "content"),
    ("says", "content"),
    ("relevance", "relevance"),
    ("why", "relevance"),
    ("citation", "citation"),
    ("file", "file"),
    ("lines", "lines"),
    ("commit", "commit"),
    ("url", "url"),
    ("document", "document"),
    ("anchor", "anchor"),
    ("command", "command"),
    ("output", "output"),
];

/// A ground that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct WrittenGround {
    /// What stands under no name.
    plain: Vec<String>,
    /// What stands under a name.
    named: Map<String, Value>,
    /// The name that further lines belong to.
    last: Option<&'static str>,
    /// The line it begins with.
    line: u32,
}

/// The key in a ground that `name` stands for, such as `content` for `says`.
pub(super) fn canonical_ground_key(name: &str) -> Option<&'static str> {
    NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, part)| *part)
}

impl WrittenGround {
    /// A ground that begins with `text`.
    pub(super) fn new(text: &str, line: FormLine<'_>) -> Self {
        let mut ground = Self {
            line: line.number,
            ..Self::default()
        };
        let named = split_key_value(text).filter(|_| !line.literal);
        match named.and_then(|(name, value)| Some((canonical_ground_key(&name)?, value))) {
            Some((part, value)) => ground.set_part(part, value),
            None => ground.append_line(text),
        }
        ground
    }

    /// Whether `part` can still be added: the ground is written as named parts and this one is
    /// missing.
    pub(super) fn can_take_part(&self, part: &str) -> bool {
        self.plain.is_empty() && !self.named.is_empty() && !self.named.contains_key(part)
    }

    /// Takes what stands under a name.
    pub(super) fn set_part(&mut self, part: &'static str, value: &str) {
        let value = value.strip_prefix('\\').unwrap_or(value);
        self.named.insert(part.to_owned(), json!(value));
        self.last = Some(part);
    }

    /// Takes a further line.
    pub(super) fn append_line(&mut self, text: &str) {
        let told = self.last.and_then(|part| self.named.get_mut(part));
        match told {
            Some(Value::String(told)) => {
                if !told.is_empty() {
                    told.push('\n');
                }
                told.push_str(text);
            }
            Some(_) | None => self.plain.push(text.to_owned()),
        }
    }

    /// The ground as moves have it; none where nothing is said.
    pub(super) fn into_value(self, problems: &mut Vec<Problem>) -> Option<Value> {
        let said = self.plain.join("\n");
        let said = said.trim();
        let mut named = self.named;
        for told in named.values_mut() {
            if let Value::String(text) = told {
                *text = text.trim().to_owned();
            }
        }
        named.retain(|_, told| told.as_str() != Some(""));
        if named.is_empty() {
            return (!is_none_or_blank(said)).then(|| ground_from_line(said));
        }
        let mut wrong = |(message, hint): (String, &str)| {
            problems.push(Problem::at(self.line, &message, hint));
        };
        Some(ground_from_parts(named, &mut wrong))
    }
}

/// A ground of which each part has its name.
fn ground_from_parts(
    mut named: Map<String, Value>,
    wrong: &mut impl FnMut((String, &str)),
) -> Value {
    let mut ground = Map::new();
    for part in ["source", "content", "relevance"] {
        if let Some(told) = named.remove(part) {
            ground.insert(part.to_owned(), told);
        }
    }
    let mut place_of = Map::new();
    if let Some(told) = named.remove("citation") {
        match parse_citation(told.as_str().unwrap_or_default()) {
            Ok(citation) => place_of = citation,
            Err(problem) => wrong(problem),
        }
    }
    if let Some(told) = named.remove("lines") {
        let told = told.as_str().unwrap_or_default();
        match parse_line_range(told) {
            Some(lines) => drop(named.insert("lines".to_owned(), json!(lines))),
            None => {
                let told = agon_record::text::sanitise_line(told, 40);
                let message = format!("`{told}` are no lines of a file");
                wrong((message, "the first and the last, such as 10-20"));
            }
        }
    }
    place_of.extend(named);
    let mut citation = place_of;
    if citation.is_empty()
        && let Some((found, _)) = ground
            .get("source")
            .and_then(|source| parse_quoted_place(source.as_str()?))
    {
        citation = found;
    }
    if !citation.is_empty() {
        let shown = || source_from_citation(&citation);
        if !ground.contains_key("source") {
            ground.insert("source".to_owned(), json!(shown()));
        }
        ground.insert("citation".to_owned(), Value::Object(citation));
    }
    ground.entry("relevance").or_insert_with(|| json!(FOR_THIS));
    Value::Object(ground)
}

/// The place as a source that has no other words.
fn source_from_citation(citation: &Map<String, Value>) -> String {
    let first = ["file", "url", "document", "command"].iter();
    let mut told = first.filter_map(|name| citation.get(*name)?.as_str());
    told.next().unwrap_or(OWN).to_owned()
}

/// A ground in one line: a place, what it says, why it matters; or a sentence.
fn ground_from_line(said: &str) -> Value {
    // Words that are quoted may have dashes of their own.
    let (source, citation, rest) = match parse_quoted_place(said) {
        Some((citation, after)) => {
            let source = said.get(..said.len() - after.len()).unwrap_or(said);
            (source, Some(citation), strip_leading_dash(after))
        }
        None => match split_at_dash(said, parse_file_or_url(said).is_some()) {
            (source, Some(rest)) => (source, None, rest),
            (said, None) => (OWN, None, said),
        },
    };
    let (content, relevance) = match split_at_dash(
        rest,
        citation.is_some() || parse_file_or_url(said).is_some(),
    ) {
        (content, Some(relevance)) if source != OWN => (content, relevance),
        _ => (rest, FOR_THIS),
    };
    let content = if content.trim().is_empty() {
        source
    } else {
        content
    };
    let mut ground = json!({
        "source": source.trim(),
        "content": content.trim(),
        "relevance": relevance.trim(),
    });
    if let Some(citation) = citation {
        ground["citation"] = Value::Object(citation);
    }
    ground
}

/// `text` without what stands between it and a place before it.
fn strip_leading_dash(text: &str) -> &str {
    let text = text.trim_start();
    let rest = text.trim_start_matches(['—', '–', '-', ':', ',']);
    match rest.is_empty() || rest.starts_with(char::is_whitespace) {
        true => rest.trim_start(),
        false => text,
    }
}

/// `text` before and after the first dash that stands between two parts; after a `place` a plain
/// one does.
fn split_at_dash(text: &str, place: bool) -> (&str, Option<&str>) {
    let plain = place.then_some(" - ");
    let dashes = BETWEEN.into_iter().chain(plain);
    let dashes = dashes.filter_map(|dash| Some((text.find(dash)?, dash.len())));
    match dashes.min() {
        Some((at, len)) => (text.get(..at).unwrap_or(text), text.get(at + len..)),
        None => (text, None),
    }
}

/// Whether `text` says that there is nothing.
pub(super) fn is_none_or_blank(text: &str) -> bool {
    matches!(
        normalize_name(text).as_str(),
        "" | "none" | "nothing" | "n_a"
    )
}
