//! Compares the documents of a debate with those rendered from its record.

use std::path::Path;

use agon_folder::{EarlierEdition, earlier_edition, earlier_folder_edition, published_files};
use agon_prompt::PROMPT_VERSION;
use agon_record::state::State;

/// The documents of a debate, rendered again.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// The number of documents.
    pub(super) count: u64,
    /// The documents that differ.
    pub(super) changed: Vec<String>,
    /// The documents that another version rendered.
    pub(super) older: Vec<String>,
}

/// Renders the documents of the debate in `path` from its record and compares them.
pub(super) fn compare_documents(path: &Path, state: &State) -> Documents {
    let mut documents = Documents::default();
    let files = published_files(state);
    let named = files.iter().map(|(name, now)| (name.as_str(), &**now));
    let of_all = earlier_folder_edition(
        state,
        PROMPT_VERSION,
        |name| Some(read_stored(path, name)),
        named,
    );
    for (name, now) in files {
        let name = name.as_str();
        documents.count += 1;
        let then = read_stored(path, name);
        if then == now {
            continue;
        }
        match earlier_edition(&then, &now).or_else(|| of_all.clone()) {
            Some(EarlierEdition { then, now }) => {
                let entry = format!("{name} was rendered by {then}; the current version is {now}");
                documents.older.push(entry);
            }
            None => documents.changed.push(format!(
                "{name} differs from the text that its record gives"
            )),
        }
    }
    documents
}

/// Maximum size of a document that is compared, in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// Returns the stored contents of `name`; empty if it cannot be read.
fn read_stored(path: &Path, name: &str) -> Vec<u8> {
    agon_files::read(&path.join(name), MAX_BYTES).unwrap_or_default()
}
