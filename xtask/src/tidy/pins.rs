//! How a manifest may name a dependency.

use std::path::{Component, Path};

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::SourceFile;

const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn violations(files: &[SourceFile]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in files.iter().filter(|it| it.path.ends_with("Cargo.toml")) {
        let manifest: Table = file
            .text
            .parse()
            .with_context(|| format!("cannot parse {}", file.path))?;
        for (name, dependency) in dependencies(&manifest) {
            if let Some(fault) = fault(&file.path, dependency) {
                found.push(format!("{}: `{name}` {fault}", file.path));
            }
        }
    }
    Ok(found)
}

/// Every entry of every dependency table: the workspace's, the package's, those of one target.
fn dependencies(manifest: &Table) -> Vec<(&str, &Value)> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let workspace = manifest.get("workspace").and_then(Value::as_table);
    let holders = [Some(manifest), workspace].into_iter().flatten().chain(
        targets
            .into_iter()
            .flat_map(|it| it.values().filter_map(Value::as_table)),
    );
    holders
        .flat_map(|holder| {
            TABLES
                .iter()
                .filter_map(|name| holder.get(*name)?.as_table())
        })
        .flat_map(|table| table.iter().map(|(name, value)| (name.as_str(), value)))
        .collect()
}

fn fault(manifest: &str, dependency: &Value) -> Option<&'static str> {
    let table = match dependency {
        Value::String(version) => return version_fault(version),
        Value::Table(table) => table,
        Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Array(_) => return Some("is neither a version nor a table"),
    };
    if table.contains_key("git") {
        return Some("comes from git: use a released version");
    }
    if let Some(path) = table.get("path").and_then(Value::as_str) {
        return leaves_workspace(manifest, path).then_some("has a path outside the workspace");
    }
    match table.get("version").and_then(Value::as_str) {
        Some(version) => version_fault(version),
        None if table.get("workspace").and_then(Value::as_bool) == Some(true) => None,
        None => Some("has no version"),
    }
}

fn version_fault(version: &str) -> Option<&'static str> {
    let whole = version
        .trim_start_matches(['=', '^', '~', ' '])
        .split('.')
        .count()
        == 3;
    (version.contains(['*', '<', '>', ',']) || !whole)
        .then_some("is not pinned: give the whole version, as in 1.2.3")
}

fn leaves_workspace(manifest: &str, path: &str) -> bool {
    let mut depth = 0_i32;
    let folder = Path::new(manifest).parent().unwrap_or(Path::new(""));
    for component in folder.join(path).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::ParentDir => depth -= 1,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return true,
        }
        if depth < 0 {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{super::file, *};

    fn found(path: &str, text: &str) -> Vec<String> {
        violations(&[file(path, text)]).unwrap()
    }

    #[test]
    fn whole_versions_workspace_entries_and_inner_paths_are_good() {
        let text = r#"
            [workspace.dependencies]
            anyhow = "1.0.104"
            clap = { version = "=4.6.7", features = ["derive"] }
            agon-record = { path = "crates/record" }
            [dependencies]
            serde.workspace = true
            [target.'cfg(unix)'.dependencies]
            rustix = "1.1.6"
        "#;
        assert_eq!(found("Cargo.toml", text), Vec::<String>::new());
        let inner = "[dependencies]\nagon-record = { path = \"../record\" }";
        assert_eq!(
            found("crates/store/Cargo.toml", inner),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_dependency_that_may_move_is_a_violation() {
        for version in ["*", "1", "1.2", ">=1.2.3", "1.2.3, <2.0.0", "1.2.*"] {
            for table in TABLES {
                assert_eq!(
                    found("Cargo.toml", &format!("[{table}]\na = \"{version}\"")),
                    ["Cargo.toml: `a` is not pinned: give the whole version, as in 1.2.3"]
                );
            }
        }
    }

    #[test]
    fn a_dependency_from_elsewhere_is_a_violation() {
        let text = r#"
            [workspace.dependencies]
            a = { git = "https://example.com/a" }
            b = { path = "../b" }
            [target.'cfg(unix)'.dev-dependencies]
            c = { path = "/opt/c" }
            d = { features = ["x"] }
        "#;
        assert_eq!(
            found("Cargo.toml", text),
            [
                "Cargo.toml: `a` comes from git: use a released version",
                "Cargo.toml: `b` has a path outside the workspace",
                "Cargo.toml: `c` has a path outside the workspace",
                "Cargo.toml: `d` has no version",
            ]
        );
    }
}
