//! Words of texts and paths, as they are held against each other.

use super::kit;
use crate::prose::{is_stop_word, key, parts, runs};

/// Letters by which words of one family are taken together.
const BEGINNING: usize = 5;

pub(super) fn beginning(word: &str) -> u64 {
    let end = word
        .char_indices()
        .nth(BEGINNING)
        .map_or(word.len(), |(at, _)| at);
    key(&word[..end])
}

/// The words within a text, names of code taken apart.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    runs(text)
        .flat_map(parts)
        .flat_map(|part| part.split('_'))
        .flat_map(humps)
        .filter(|it| it.len() >= 3)
}

/// The words of a name such as `ShippingForm`.
fn humps(part: &str) -> impl Iterator<Item = &str> {
    let mut ends: Vec<usize> = part
        .as_bytes()
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase())
        .map(|(at, _)| at + 1)
        .collect();
    ends.push(part.len());
    let mut start = 0;
    ends.into_iter().map(move |end| {
        let word = &part[start..end];
        start = end;
        word
    })
}

/// Names of folders and files that stand in any project.
const COMMON: &[&str] = &[
    "src",
    "lib",
    "main",
    "mod",
    "index",
    "test",
    "tests",
    "docs",
    "doc",
    "readme",
    "license",
    "changelog",
    "contributing",
    "cargo",
    "package",
    "makefile",
    "dockerfile",
    "config",
    "app",
    "bin",
    "cmd",
    "pkg",
    "internal",
    "build",
    "scripts",
    "examples",
    "crates",
    "packages",
    "target",
    "dist",
    "out",
    "node",
    "modules",
    "github",
    "workflows",
    "home",
    "users",
    "user",
    "work",
    "tmp",
    "var",
    "usr",
    "json",
    "toml",
    "yaml",
    "yml",
    "html",
    "css",
    "txt",
    "lock",
    "init",
    "setup",
    "utils",
    "util",
    "common",
    "types",
    "error",
    "errors",
    "claude",
    "agents",
    "gitignore",
    "env",
    "mod",
    "server",
    "client",
    "core",
    "api",
    "data",
    "fixtures",
];

/// The words of a path that are its own.
pub(super) fn own_words(path: &str) -> impl Iterator<Item = &str> {
    words(path).filter(|word| {
        let small = word.to_lowercase();
        !COMMON.contains(&small.as_str())
            && !is_stop_word(&small)
            && !small.chars().all(|c| c.is_ascii_digit())
            && kit::of_file(&format!("x.{small}")).is_none()
    })
}
