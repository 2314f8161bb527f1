//! Removes old files from a folder of Agon's state.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Most files to check per call.
const MAX_CHECKED: usize = 200;
/// A session whose file is older than 30 days is over.
const KEPT_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Removes the files in `folder` that are older than 30 days.
pub(super) fn remove_old_files(folder: &Path) {
    let Ok(files) = fs::read_dir(folder) else {
        return;
    };
    let is_old = |path: &PathBuf| {
        let modified = fs::metadata(path).and_then(|it| it.modified());
        let age = modified.map(|it| SystemTime::now().duration_since(it).unwrap_or_default());
        age.is_ok_and(|it| it > KEPT_FOR)
    };
    let paths = files.take(MAX_CHECKED).flatten().map(|it| it.path());
    for path in paths.filter(is_old) {
        // Ignore errors: the next call tries again.
        fs::remove_file(path).ok();
    }
}
