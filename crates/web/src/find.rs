//! Finds the debate that an address names.

use std::path::PathBuf;

use agon_caller::{Caller, Code, Failure, find};
use agon_report::text::plain_line;

/// Returns the folder of the debate `name`.
///
/// The name is only compared with the names of existing folders, so no text of an address ever
/// becomes a path.
///
/// # Errors
///
/// If there is no such folder, or the folder of debates cannot be read.
pub(crate) fn find_debate(caller: &Caller, name: &str) -> Result<PathBuf, Failure> {
    let dir = caller.cwd.join(find::debates_dir(caller)?);
    let folders = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut named = folders.filter(|entry| entry.file_name().to_str() == Some(name));
    let found = named.next().map(|entry| entry.path());
    found
        .filter(|path| find::is_debate_folder(path))
        .ok_or_else(|| {
            let name: String = plain_line(name).chars().take(120).collect();
            Failure::new(Code::UnknownDebate, format!("there is no debate `{name}`"))
                .parameter("debate")
                .hint("the list has every debate of this folder")
        })
}
