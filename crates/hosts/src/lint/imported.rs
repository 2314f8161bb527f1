//! The manifest of another author's skill: a flat object of seven fields.

use serde_json::{Map, Value};

use super::finding::{Finding, Findings};
use super::keys::{self, Source};
use crate::shape::{FileKey, ValueShape, required};

/// Its file name in the folder of the skill.
pub(crate) const MANIFEST: &str = "manifest.json";

// Published skills have exactly these fields, and their loaders do not know any others.
const KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("version", ValueShape::Version),
    required("description", ValueShape::Custom(line_fault)),
    required("triggers", ValueShape::Custom(triggers_fault)),
    required("applicable_agents", ValueShape::Custom(agents_fault)),
    required("max_context_tokens", ValueShape::Count),
    required("entry_file", ValueShape::Custom(file_fault)),
];

/// A parsed manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ImportManifest {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) description: String,
    pub(crate) triggers: Vec<String>,
    pub(crate) agents: Vec<String>,
    pub(crate) max_tokens: usize,
    pub(crate) entry_file: String,
}

/// Parses the manifest at `path`, of the skill in the folder `folder`.
///
/// # Errors
///
/// The findings if it is not valid.
pub(crate) fn read_manifest(
    path: &str,
    folder: &str,
    bytes: &[u8],
) -> Result<ImportManifest, Vec<Finding>> {
    let mut findings = Findings::new(path);
    let Ok(text) = std::str::from_utf8(bytes) else {
        findings.add("encoding", 1, "it is not valid UTF-8");
        return Err(findings.into_findings());
    };
    let text = findings.strip_byte_order_mark(text);
    let map = match serde_json::from_str(text) {
        Ok(Value::Object(map)) => map,
        Ok(_) => {
            findings.add("json", 1, "it is not an object");
            return Err(findings.into_findings());
        }
        Err(error) => {
            let message = format!("it is not JSON: {error}");
            findings.add("json", error.line().max(1), message);
            return Err(findings.into_findings());
        }
    };
    let source = Source { text, before: 0 };
    keys::check(&map, KEYS, source, &mut findings);
    if let Some(value @ Value::String(name)) = map.get("name")
        && ValueShape::Slug.fault(value).is_none()
        && name != folder
    {
        let message = format!("its name is `{name}`, but its folder is called `{folder}`");
        findings.add("name", source.line_of("name"), message);
    }
    let found = findings.into_findings();
    match (found.is_empty(), manifest_from_map(&map)) {
        (true, Some(manifest)) => Ok(manifest),
        _ => Err(found),
    }
}

fn manifest_from_map(map: &Map<String, Value>) -> Option<ImportManifest> {
    let text = |key: &str| map.get(key)?.as_str().map(str::to_owned);
    let texts = |key: &str| -> Option<Vec<String>> {
        let all = map.get(key)?.as_array()?.iter();
        all.map(|text| text.as_str().map(str::to_owned)).collect()
    };
    Some(ImportManifest {
        name: text("name")?,
        version: text("version")?,
        description: text("description")?,
        triggers: texts("triggers")?,
        agents: texts("applicable_agents")?,
        max_tokens: usize::try_from(map.get("max_context_tokens")?.as_u64()?).ok()?,
        entry_file: text("entry_file")?,
    })
}

// Set by the skill specification.
/// Maximum characters of a description.
const MAX_DESCRIPTION: usize = 1024;

fn line_fault(value: &Value) -> Option<String> {
    let fault = ValueShape::Text(MAX_DESCRIPTION).fault(value);
    let has_lines = value
        .as_str()
        .is_some_and(|text| text.contains(['\n', '\r']));
    fault.or_else(|| has_lines.then(|| "has more than one line".to_owned()))
}

/// Maximum words of a trigger; longer phrases never occur verbatim.
const MAX_WORDS: usize = 3;

fn triggers_fault(value: &Value) -> Option<String> {
    list_fault(value, |trigger| {
        let words = trigger.split(' ').count();
        let fits = !trigger.split(' ').any(str::is_empty)
            && words <= MAX_WORDS
            && !trigger.contains([';', '\n', '\t'])
            && trigger.to_lowercase() == trigger;
        (!fits).then_some("not a lower-case phrase of one to three words")
    })
}

fn agents_fault(value: &Value) -> Option<String> {
    list_fault(value, |agent| {
        let fault = ValueShape::Slug.fault(&Value::from(agent));
        fault.map(|_| "not a name of lower-case letters, digits and single hyphens")
    })
}

/// Returns the error in a list of strings, which must be non-empty, without duplicates, and each valid
/// by `fault`.
fn list_fault(value: &Value, fault: impl Fn(&str) -> Option<&'static str>) -> Option<String> {
    let texts: Option<Vec<&str>> = value
        .as_array()
        .and_then(|all| all.iter().map(Value::as_str).collect());
    let Some(texts) = texts else {
        return Some("is not a list of strings".to_owned());
    };
    if texts.is_empty() {
        return Some("is empty".to_owned());
    }
    for (at, text) in texts.iter().enumerate() {
        if let Some(fault) = fault(text) {
            return Some(format!("has `{text}`, which is {fault}"));
        }
        if texts.iter().take(at).any(|earlier| earlier == text) {
            return Some(format!("has `{text}` twice"));
        }
    }
    None
}

fn file_fault(value: &Value) -> Option<String> {
    let name = value.as_str().unwrap_or_default();
    let fits = !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(['/', '\\', '\0', '\n'])
        && name != MANIFEST;
    (!fits).then(|| "is not the name of a file in that folder".to_owned())
}
