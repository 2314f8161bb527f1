//! Finds permissions of the user in the other files that a host merges.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::disk;
use crate::json::Dialect;

const DENY: &str = "deny";

/// Returns the first of `files` with a rule for `key` in its map `map` that may be stricter than `wanted`
/// and that `wanted` in `target` would override: strings are replaced, and the last matching pattern wins.
pub(super) fn file_with_stricter_rule<'a>(
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
            // An unreadable file may contain a stricter rule. The target itself is checked when it
            // is edited.
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
        // One string sets all permissions, and a map from Agon would replace it.
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
        // Denying everything is never laxer. A map of denied patterns would replace a string such
        // as "ask".
        (true, Some(same)) => wanted.is_object() && !same.is_object() && same != "allow",
    }
}
