//! The documents of a debate, compared with those that its record makes.

use std::path::Path;

use agon_folder::{EarlierEdition, earlier_edition, earlier_folder_edition, published_files};
use agon_prompt::PROMPT_VERSION;
use agon_record::state::State;

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
                let entry = format!("{name} is of {then}, and would be of {now} now");
                documents.older.push(entry);
            }
            None => documents
                .changed
                .push(format!("{name}: another text would stand there")),
        }
    }
    documents
}

/// The most bytes of a document that are read.
const MAX_BYTES: u64 = 64 << 20;

/// What stands in the folder under `name`; nothing where that cannot be read.
fn read_stored(path: &Path, name: &str) -> Vec<u8> {
    agon_files::read(&path.join(name), MAX_BYTES).unwrap_or_default()
}
