//! A ground, as people write it down.

use serde_json::{Map, Value, json};

use super::lines::keyed;
use super::name::plain;

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
pub(super) struct Ground {
    /// What stands under no name.
    plain: Vec<String>,
    /// What stands under a name.
    named: Map<String, Value>,
    /// The name that further lines belong to.
    last: Option<&'static str>,
}

/// What `name` is in a ground.
pub(super) fn part(name: &str) -> Option<&'static str> {
    NAMES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, part)| *part)
}

impl Ground {
    /// A ground that begins with `text`.
    pub(super) fn new(text: &str, literal: bool) -> Self {
        let mut ground = Self::default();
        let named = keyed(text).filter(|_| !literal);
        match named.and_then(|(name, value)| Some((part(&name)?, value))) {
            Some((part, value)) => ground.put(part, value),
            None => ground.more(text),
        }
        ground
    }

    /// Whether `part` can be told of it: it is told by names, and has none of this one yet.
    pub(super) fn takes(&self, part: &str) -> bool {
        self.plain.is_empty() && !self.named.is_empty() && !self.named.contains_key(part)
    }

    /// Takes what stands under a name.
    pub(super) fn put(&mut self, part: &'static str, value: &str) {
        let value = value.strip_prefix('\\').unwrap_or(value);
        self.named.insert(part.to_owned(), json!(value));
        self.last = Some(part);
    }

    /// Takes a further line.
    pub(super) fn more(&mut self, text: &str) {
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
    pub(super) fn value(self) -> Option<Value> {
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
            return (!said.is_empty()).then(|| of_line(said));
        }
        Some(of_names(named))
    }
}

/// A ground of which each part has its name.
fn of_names(mut named: Map<String, Value>) -> Value {
    let mut ground = Map::new();
    for part in ["source", "content", "relevance"] {
        if let Some(told) = named.remove(part) {
            ground.insert(part.to_owned(), told);
        }
    }
    let told = named.remove("citation");
    let told = told.as_ref().and_then(Value::as_str);
    let whole = told.and_then(|told| serde_json::from_str::<Map<String, Value>>(told).ok());
    let read = whole.or_else(|| place(told?).map(|(citation, _)| citation));
    if let Some(lines) = named.remove("lines")
        && let Some(lines) = lines.as_str().and_then(lines_of)
    {
        named.insert("lines".to_owned(), json!(lines));
    }
    let mut citation = read.unwrap_or_default();
    citation.extend(named);
    if citation.is_empty()
        && let Some((found, _)) = ground
            .get("source")
            .and_then(|source| place(source.as_str()?))
    {
        citation = found;
    }
    if !citation.is_empty() {
        let shown = || crate_place(&citation);
        if !ground.contains_key("source") {
            ground.insert("source".to_owned(), json!(shown()));
        }
        ground.insert("citation".to_owned(), Value::Object(citation));
    }
    ground.entry("relevance").or_insert_with(|| json!(FOR_THIS));
    Value::Object(ground)
}

/// The place as a source that has no other words.
fn crate_place(citation: &Map<String, Value>) -> String {
    let first = ["file", "url", "document", "command"].iter();
    let mut told = first.filter_map(|name| citation.get(*name)?.as_str());
    told.next().unwrap_or(OWN).to_owned()
}

/// A ground in one line: a place, what it says, why it matters; or a sentence.
fn of_line(said: &str) -> Value {
    let (first, rest) = cut(said);
    let (citation, after) = match place(first) {
        Some((citation, after)) => (Some(citation), after),
        None => (None, ""),
    };
    let (source, content, relevance) = match (rest, &citation) {
        (Some(rest), _) => match cut(rest) {
            (content, Some(relevance)) => (first, content, relevance),
            (content, None) => (first, content, FOR_THIS),
        },
        (None, Some(_)) => {
            let after = after.trim_start_matches([':', ',', '-']).trim();
            let source = first
                .get(..first.len() - after.len())
                .unwrap_or(first)
                .trim();
            let content = if after.is_empty() { first } else { after };
            (source, content, FOR_THIS)
        }
        (None, None) => (OWN, first, FOR_THIS),
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

/// `text` before and after the first dash that stands between two parts.
fn cut(text: &str) -> (&str, Option<&str>) {
    let dashes = BETWEEN
        .iter()
        .filter_map(|dash| Some((text.find(dash)?, dash.len())));
    match dashes.min() {
        Some((at, len)) => (text.get(..at).unwrap_or(text), text.get(at + len..)),
        None => (text, None),
    }
}

/// The place that `text` begins with, such as `src/a.rs:10-20 "words"`, and what comes after it;
/// none without words that are to stand there.
fn place(text: &str) -> Option<(Map<String, Value>, &str)> {
    let text = text.trim_start();
    let (word, after) = match text.strip_prefix('`') {
        Some(rest) => rest.split_once('`')?,
        None => match text.find(char::is_whitespace) {
            Some(at) => text.split_at(at),
            None => (text, ""),
        },
    };
    let mut citation = Map::new();
    if word.starts_with("https://") || word.starts_with("http://") {
        citation.insert("url".to_owned(), json!(word.trim_end_matches(',')));
    } else {
        let (file, lines) = match word.trim_end_matches(',').rsplit_once([':', '#']) {
            Some((file, lines)) => (file, lines_of(lines)),
            None => (word, None),
        };
        let file = if lines.is_some() {
            file
        } else {
            word.trim_end_matches([',', ':'])
        };
        let like_a_file = file.contains(['/', '.']) && !file.ends_with('.');
        if !like_a_file {
            return None;
        }
        citation.insert("file".to_owned(), json!(file));
        if let Some(lines) = lines {
            citation.insert("lines".to_owned(), json!(lines));
        }
    }
    let (anchor, after) = quoted(after)?;
    citation.insert("anchor".to_owned(), json!(anchor));
    Some((citation, after))
}

/// The words between quotation marks that `text` begins with, and what comes after them.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ':'));
    let open = text.chars().next()?;
    let close = match open {
        '"' | '`' => open,
        '“' => '”',
        '„' => '“',
        '«' => '»',
        _ => return None,
    };
    let rest = text.get(open.len_utf8()..)?;
    let (words, after) = rest.split_once(close)?;
    (!words.trim().is_empty()).then_some((words.trim(), after))
}

/// First and last line, from `10`, `10-20`, `L10-L20`.
fn lines_of(text: &str) -> Option<[u32; 2]> {
    let number = |text: &str| {
        let digits = text.trim().trim_start_matches(['L', 'l']);
        digits.parse::<u32>().ok().filter(|line| *line > 0)
    };
    let text = text.trim().trim_matches(|c| matches!(c, '[' | ']'));
    match text.split_once(['-', '–', ',']) {
        Some((first, last)) => Some([number(first)?, number(last)?]),
        None => number(text).map(|line| [line, line]),
    }
}

/// Whether `text` says that there is nothing.
pub(super) fn is_nothing(text: &str) -> bool {
    matches!(plain(text).as_str(), "" | "none" | "nothing" | "n_a")
}
