//! Finds third-party crates with several versions in a full build, each of which costs build time.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Crates that may have several versions, with the crates that require the older ones.
const ALLOWED: &[(&str, &str)] = &[
    (
        "base64",
        "0.13 by tokenizers; 0.22 by tiktoken-rs; 0.23 by reqwest",
    ),
    ("bit-vec", "0.5 by batsat"),
    ("constant_time_eq", "0.4 by blake3"),
    ("cpufeatures", "0.2 by opentelemetry-proto"),
    ("darling", "0.20 by tokenizers"),
    ("darling_core", "0.20 by tokenizers"),
    ("darling_macro", "0.20 by tokenizers"),
    ("fancy-regex", "0.17 by tokenizers"),
    ("getrandom", "0.2 by ring; 0.3 by jsonschema and rand 0.9"),
    ("hashbrown", "0.14 and 0.16 by gix"),
    ("miniz_oxide", "0.8 by png"),
    ("rand", "0.9 by candle-core and opentelemetry_sdk"),
    ("rand_core", "0.9 by rand 0.9"),
    (
        "syn",
        "2 by maud, gix, jsonschema and others; 3 by serde and clap",
    ),
];

/// Compares the crates of a full build, including tests, with the list.
pub(super) fn violations(metadata: &Metadata) -> Result<Vec<String>> {
    let mut tree = workspace::cargo(
        metadata,
        &[
            "tree",
            "--locked",
            "--workspace",
            "--features=agon/full",
            "--target",
            TARGET,
            "--prefix=none",
        ],
    );
    Ok(compare(&workspace::stdout_of(&mut tree)?, ALLOWED))
}

fn compare(tree: &str, allowed: &[(&str, &str)]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in tree.lines() {
        let mut words = line.split_whitespace();
        if let (Some(name), Some(version)) = (words.next(), words.next()) {
            versions.entry(name).or_default().insert(version);
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    let unlisted = versions
        .iter()
        .filter(|(name, _)| allowed.iter().all(|(listed, _)| listed != *name))
        .map(|(name, versions)| {
            let versions: Vec<&str> = versions.iter().copied().collect();
            format!(
                "`{name}` is built as {}: use one version, or list it with the reason",
                versions.join(" and ")
            )
        });
    let unneeded = allowed
        .iter()
        .filter(|(name, _)| !versions.contains_key(name))
        .map(|(name, _)| format!("`{name}` has one version: take it off the list"));
    unlisted.chain(unneeded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_version_has_to_be_listed() {
        let tree = "agon v0.1.0 (/x)\nserde v1.0.2\nserde v1.0.2 (*)\nserde v2.0.0\nrand v0.9.0\n";
        assert_eq!(
            compare(tree, &[("rand", "")]),
            [
                "`serde` is built as v1.0.2 and v2.0.0: use one version, or list it with the reason",
                "`rand` has one version: take it off the list",
            ]
        );
        assert_eq!(compare(tree, &[("serde", "")]), Vec::<String>::new());
    }
}
