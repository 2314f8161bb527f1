//! Resolves paths to their place on disk.

use std::path::{Path, PathBuf};

/// Resolves links and `..` in a path, as far as the path exists.
pub(super) fn resolve(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                clean = clean.canonicalize().unwrap_or(clean);
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    let there = clean
        .ancestors()
        .find_map(|dir| Some((dir, dir.canonicalize().ok()?)));
    match there {
        Some((dir, real)) => match clean.strip_prefix(dir) {
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => clean,
        },
        None => clean,
    }
}
