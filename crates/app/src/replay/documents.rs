//! The documents of a debate, compared with those that its record makes.

use std::path::Path;

use agon_folder::published_files;
use agon_record::state::State;

/// A verdict for programs.
const VERDICT: &str = "verdict.json";
/// The same for people.
const VERDICT_TEXT: &str = "verdict.md";

/// The documents of a debate, made again.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// How many there are.
    pub(super) count: u64,
    /// Those that are not as they would be made now.
    pub(super) changed: Vec<String>,
    /// Those that have another version.
    pub(super) older: Vec<String>,
}

/// The documents of the debate in `path`, made again from its record.
pub(super) fn compare_documents(path: &Path, state: &State) -> Documents {
    let mut documents = Documents::default();
    let files = published_files(state);
    let verdict = files.iter().find(|(name, _)| name.as_str() == VERDICT);
    // What people read of a verdict has no version of its own.
    let verdict = verdict.and_then(|(_, now)| schemas_if_older(&read_stored(path, VERDICT), now));
    for (name, now) in files {
        let name = name.as_str();
        documents.count += 1;
        let then = read_stored(path, name);
        if then == now {
            continue;
        }
        let of_verdict = verdict.clone().filter(|_| name == VERDICT_TEXT);
        match of_verdict.or_else(|| schemas_if_older(&then, &now)) {
            Some((old, new)) => {
                let entry = format!("{name} is {old}, and would be {new} now");
                documents.older.push(entry);
            }
            None => documents
                .changed
                .push(format!("{name}: another text would stand there")),
        }
    }
    documents
}

/// What stands in the folder under `name`; nothing where that cannot be read.
fn read_stored(path: &Path, name: &str) -> Vec<u8> {
    std::fs::read(path.join(name)).unwrap_or_default()
}

/// The names and versions of both documents where `then` is an older version of `now`.
fn schemas_if_older(then: &[u8], now: &[u8]) -> Option<(String, String)> {
    let (old, new) = (document_schema(then)?, document_schema(now)?);
    let (old_name, old_version) = split_schema_version(&old)?;
    let (new_name, new_version) = split_schema_version(&new)?;
    (old_name == new_name && old_version < new_version).then_some((old, new))
}

/// The two parts of a name such as `agon.verdict/2`.
fn split_schema_version(schema: &str) -> Option<(&str, u32)> {
    let (name, version) = schema.split_once('/')?;
    Some((name, version.parse().ok()?))
}

/// The name and version that a document begins with.
fn document_schema(document: &[u8]) -> Option<String> {
    let document: serde_json::Value = serde_json::from_slice(document).ok()?;
    Some(document.get("schema")?.as_str()?.to_owned())
}
