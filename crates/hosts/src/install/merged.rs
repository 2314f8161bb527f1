//! The user's own permissions in the other files that a host merges.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::disk;
use crate::json::Dialect;

const DENY: &str = "deny";

/// Returns the first of `files` with a rule for `key` in its map `map` that may be stricter than `wanted`
/// and that `wanted` in `target` would override: strings are replaced, and the last matching pattern wins.
pub(super) fn stricter_in<'a>(
    files: &'a [PathBuf],
    target: &Path,
    map: &str,
    (key, wanted): (&str, &Value),
) -> Option<&'a Path> {
    let mut files = files.iter().map(PathBuf::as_path);
    files.find(|file| {
        let is_target = *file == target;
        match disk::read_text(file).map(|text| text.map(|text| Dialect::Comments.parse(&text))) {
            Ok(None) => false,
            // The target is checked when it is edited.
            Ok(Some(Err(_))) | Err(_) => !is_target,
            Ok(Some(Ok(settings))) => {
                let settings = settings.unwrap_or_default();
                let own = settings.get(map);
                own.is_some_and(|own| may_be_stricter(own, is_target, key, wanted))
            }
        }
    })
}

fn may_be_stricter(own: &Value, is_target: bool, key: &str, wanted: &Value) -> bool {
    let Some(map) = own.as_object() else {
        // One string for all permissions, which a map would replace.
        return !is_target && !own.is_null();
    };
    let only_denies = match wanted.as_object() {
        Some(patterns) => patterns.values().all(|effect| effect == DENY),
        None => wanted == DENY,
    };
    let has_wider = map.keys().any(|key| key.contains('*'));
    let same = map.get(key).filter(|_| !is_target);
    match (only_denies, same) {
        (false, same) => has_wider || same.is_some(),
        (true, None) => false,
        // Everything is denied, or only denying patterns are added.
        (true, Some(same)) => wanted.is_object() && !same.is_object() && same != "allow",
    }
}
