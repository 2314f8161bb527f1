//! Finds dependencies that no source of their crate names, including tests and benchmarks.

use cargo_metadata::{Metadata, Package};

use crate::files::SourceFile;

pub(super) fn violations(metadata: &Metadata, files: &[SourceFile]) -> Vec<String> {
    let mut found = Vec::new();
    for package in &metadata.packages {
        let folder = package.manifest_path.parent();
        let folder = folder.and_then(|it| it.strip_prefix(&metadata.workspace_root).ok());
        let sources: Vec<&str> = files
            .iter()
            .filter(|it| it.path.ends_with(".rs"))
            .filter(|it| folder.is_some_and(|folder| it.path.starts_with(folder.as_str())))
            .map(|it| it.text.as_str())
            .collect();
        found.extend(unused(package, &sources));
    }
    found
}

/// The dependencies of one package that its sources do not name.
fn unused(package: &Package, sources: &[&str]) -> Vec<String> {
    // `cargo machete` has the same list: dependencies used only for their version or features.
    let ignored = package.metadata["cargo-machete"]["ignored"].as_array();
    let is_ignored = |name: &str| ignored.is_some_and(|list| list.iter().any(|it| it == name));
    let names = package.dependencies.iter();
    let names = names.map(|it| it.rename.as_ref().unwrap_or(&it.name));
    let mut unused: Vec<String> = names
        .filter(|name| !is_ignored(name))
        .filter(|name| {
            !sources
                .iter()
                .any(|text| has_word(text, &name.replace('-', "_")))
        })
        .map(|name| {
            format!(
                "{}: nothing uses `{name}`: remove the dependency",
                package.name
            )
        })
        .collect();
    unused.dedup();
    unused
}

fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn a_dependency_without_a_line_that_names_it_is_a_violation() {
        let metadata = workspace::members().unwrap();
        let tasks = metadata.packages.iter().find(|it| it.name == "xtask");
        let mut tasks = tasks.unwrap().clone();
        tasks
            .dependencies
            .retain(|it| ["clap", "wait4"].contains(&&*it.name));
        let sources = ["use clap::Parser; // await4", "fn wait40() {}"];
        assert_eq!(
            unused(&tasks, &sources),
            ["xtask: nothing uses `wait4`: remove the dependency"]
        );
        tasks.metadata = serde_json::json!({ "cargo-machete": { "ignored": ["wait4"] } });
        assert_eq!(unused(&tasks, &sources), Vec::<String>::new());
    }
}
