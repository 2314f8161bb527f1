//! What must never be seen: secrets anywhere, terminal controls where people look.

use std::fs;
use std::path::{Path, PathBuf};

use agon_testkit::behaviour::{FAKE_ANTHROPIC_KEY, FAKE_GITHUB_TOKEN};

/// Every file below `root`, by its path from there, in order.
pub(crate) fn files(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Where in these texts one of the made-up secrets stands.
pub(crate) fn secrets<'a>(texts: impl IntoIterator<Item = &'a (String, Vec<u8>)>) -> Vec<&'a str> {
    let holds = |bytes: &[u8]| {
        let has = |secret: &str| {
            bytes
                .windows(secret.len())
                .any(|part| part == secret.as_bytes())
        };
        has(FAKE_ANTHROPIC_KEY) || has(FAKE_GITHUB_TOKEN)
    };
    let texts = texts.into_iter().filter(|(_, bytes)| holds(bytes));
    texts.map(|(name, _)| name.as_str()).collect()
}

/// Where in these texts a character stands that moves, paints or reorders.
pub(crate) fn controls<'a>(texts: impl IntoIterator<Item = &'a (String, Vec<u8>)>) -> Vec<String> {
    let bad = |c: &char| {
        (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let found = texts.into_iter().filter_map(|(name, bytes)| {
        let text = std::str::from_utf8(bytes).unwrap();
        let c = text.chars().find(bad)?;
        Some(format!("{name} has U+{:04X}", c as u32))
    });
    found.collect()
}
