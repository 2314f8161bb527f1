//! Translates a manifest and its entry file into a skill file of ours.

use std::borrow::Cow;

use agon_tokens::count_tokens;
use serde_json::{Map, Value};

use super::permissions::{ALLOWED_TOOLS, are_harmless, without_commands};
use super::{ImportOptions, ImportOutcome};
use crate::content::front_matter;
use crate::content::skill::BUDGET_KEY;
use crate::host::FrontMatter;
use crate::lint::ImportManifest;

/// A skill in our format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TranslatedSkill {
    pub(super) text: String,
    pub(super) fields: Vec<(String, ImportOutcome)>,
    pub(super) tokens: usize,
    pub(super) budget: usize,
}

// Rounded up, because an exact budget would be too small after the next edit.
/// Step to which a budget that was too small is rounded up.
const BUDGET_STEP: usize = 50;

/// Other front matter keys of the entry that the skill specification allows.
const KEPT_KEYS: [&str; 3] = ["license", "compatibility", ALLOWED_TOOLS];

/// Translates `manifest` and its entry into a skill.
///
/// # Errors
///
/// The unreadable line of the entry, and the reason.
pub(super) fn translate(
    manifest: &ImportManifest,
    entry: &str,
    options: ImportOptions,
) -> Result<TranslatedSkill, (usize, String)> {
    let entry = entry.strip_prefix('\u{feff}').unwrap_or(entry);
    let Entry { mut front, body } = divide(entry)?;
    let (body, withheld) = match options.keeps_permissions {
        true => (Cow::Borrowed(body), Vec::new()),
        false => remove_permissions(&mut front, body),
    };
    let tokens = count_tokens(body.trim());
    let budget = match tokens <= manifest.max_tokens {
        true => manifest.max_tokens,
        false => tokens.next_multiple_of(BUDGET_STEP),
    };
    let text = write(manifest, &front, &body, budget);
    let mut fields = outcomes(manifest, &front, tokens, budget);
    fields.extend(withheld);
    Ok(TranslatedSkill {
        text,
        fields,
        tokens,
        budget,
    })
}

/// Removes permissions to act without asking. Returns the remaining text and the outcomes.
fn remove_permissions<'a>(
    front: &mut Map<String, Value>,
    body: &'a str,
) -> (Cow<'a, str>, Vec<(String, ImportOutcome)>) {
    let mut withheld = Vec::new();
    let is_harmless = |tools: &Value| tools.as_str().is_some_and(are_harmless);
    if front.get(ALLOWED_TOOLS).is_some_and(|it| !is_harmless(it))
        && let Some(tools) = front.shift_remove(ALLOWED_TOOLS)
    {
        let why = format!(
            "it would allow tools without asking you: {tools}; --keep-permissions keeps it"
        );
        let field = format!("{ALLOWED_TOOLS} of the entry");
        withheld.push((field, ImportOutcome::LeftOut(why)));
    }
    let text = without_commands(body);
    if matches!(text, Cow::Owned(_)) {
        let how = "a space after each `!`, because a host would run the command when it loads the skill; \
                   --keep-permissions keeps them";
        let outcome = ImportOutcome::Translated(how.to_owned());
        withheld.push(("commands in the entry".to_owned(), outcome));
    }
    (text, withheld)
}

/// The entry of a skill, divided into its parts.
struct Entry<'a> {
    front: Map<String, Value>,
    body: &'a str,
}

/// Divides the entry into its front matter, if it has one, and its body.
fn divide(entry: &str) -> Result<Entry<'_>, (usize, String)> {
    let without = |body| Entry {
        front: Map::new(),
        body,
    };
    if !entry.starts_with("---") {
        return Ok(without(entry));
    }
    let parts = front_matter::divide(entry, "---").map_err(|error| (1, error.to_string()))?;
    match serde_yaml_ng::from_str::<Value>(parts.front) {
        Ok(Value::Object(front)) => Ok(Entry {
            front,
            body: parts.body,
        }),
        Ok(Value::Null) => Ok(without(parts.body)),
        Ok(_) => Err((2, "its front matter is not a map".to_owned())),
        Err(error) => {
            let line = error.location().map_or(1, |place| place.line());
            Err((line + 1, format!("its front matter is not YAML: {error}")))
        }
    }
}

fn write(
    manifest: &ImportManifest,
    front: &Map<String, Value>,
    body: &str,
    budget: usize,
) -> String {
    let mut written = FrontMatter::default()
        .text("name", &manifest.name)
        .text("description", &manifest.description);
    for key in KEPT_KEYS {
        if let Some(value) = front.get(key).and_then(Value::as_str) {
            written = written.text(key, value);
        }
    }
    let metadata = [
        ("version", manifest.version.clone()),
        ("agon-triggers", manifest.triggers.join("; ")),
        ("agon-roles", manifest.agents.join("; ")),
        (BUDGET_KEY, budget.to_string()),
    ];
    let mut metadata: Vec<_> = metadata
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
    for (key, value) in string_metadata(front) {
        if !metadata.iter().any(|(taken, _)| taken == key) {
            metadata.push((key.to_owned(), value.to_owned()));
        }
    }
    let body = body.trim_matches(['\n', '\r']);
    written
        .map("metadata", &metadata)
        .with_body(body.trim_end())
}

/// Returns the string entries of the front matter's `metadata`; the specification does not allow
/// other values.
fn string_metadata(front: &Map<String, Value>) -> impl Iterator<Item = (&str, &str)> {
    let map = front.get("metadata").and_then(Value::as_object);
    map.into_iter()
        .flatten()
        .filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)))
}

fn outcomes(
    manifest: &ImportManifest,
    front: &Map<String, Value>,
    tokens: usize,
    budget: usize,
) -> Vec<(String, ImportOutcome)> {
    use ImportOutcome::{Kept, LeftOut, Translated};
    let metadata = |key: &str| Translated(format!("metadata.{key}"));
    let budget = match budget == manifest.max_tokens {
        true => metadata(BUDGET_KEY),
        false => Translated(format!(
            "metadata.{BUDGET_KEY}, as {budget}: it declares {} but takes {tokens}",
            manifest.max_tokens
        )),
    };
    let fields = [
        ("name", Kept),
        ("version", metadata("version")),
        ("description", Kept),
        ("triggers", metadata("agon-triggers")),
        ("applicable_agents", metadata("agon-roles")),
        ("max_context_tokens", budget),
        ("entry_file", Translated("the text of SKILL.md".to_owned())),
    ];
    let own = [
        ("name", &manifest.name),
        ("description", &manifest.description),
        ("version", &manifest.version),
    ];
    let mut all: Vec<_> = fields
        .into_iter()
        .map(|(field, outcome)| (field.to_owned(), outcome))
        .collect();
    for (key, value) in front {
        let is_kept = match key.as_str() {
            "metadata" => value
                .as_object()
                .is_some_and(|map| map.values().all(Value::is_string)),
            key => KEPT_KEYS.contains(&key) && value.is_string(),
        };
        let in_manifest = own.iter().find(|(name, _)| name == key);
        let outcome = match in_manifest {
            _ if is_kept => Kept,
            Some((_, own)) if value.as_str() == Some(own.as_str()) => continue,
            Some(_) => LeftOut(format!("it differs from the manifest, which wins: {value}")),
            None => LeftOut(format!("skills have no such field here: {value}")),
        };
        all.push((format!("{key} of the entry"), outcome));
    }
    all
}
