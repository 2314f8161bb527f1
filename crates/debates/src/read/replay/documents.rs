//! The documents of a debate, compared with those that its record makes.

use std::path::Path;

use agon_folder::published_files;
use agon_record::state::State;

/// The documents of a debate, made again.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// How many there are.
    pub(super) count: u64,
    /// Those that are not as they would be made now.
    pub(super) changed: Vec<String>,
}

/// The documents of the debate in `path`, made again from its record.
pub(super) fn compare_documents(path: &Path, state: &State) -> Documents {
    let mut documents = Documents::default();
    for (name, now) in published_files(state) {
        let name = name.as_str();
        documents.count += 1;
        if read_stored(path, name) != now {
            let changed = format!("{name}: another text would stand there");
            documents.changed.push(changed);
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
