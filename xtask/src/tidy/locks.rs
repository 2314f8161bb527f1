//! Finds registry URLs of a single machine in npm's lock files.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::files::SourceFile;

pub(super) fn violations(files: &[SourceFile]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for file in files
        .iter()
        .filter(|it| it.path.ends_with("package-lock.json"))
    {
        let lock: Value = serde_json::from_str(&file.text)
            .with_context(|| format!("cannot parse {}", file.path))?;
        let mut addresses = Vec::new();
        collect_addresses(&lock, &mut addresses);
        found.extend(addresses.iter().map(|address| {
            format!(
                "{} contains the address {address}: write the lock file with omit-lockfile-registry-resolved",
                file.path
            )
        }));
    }
    for file in files.iter().filter(|it| it.path.ends_with(".npmrc")) {
        if file
            .text
            .lines()
            .any(|line| line.trim_start().starts_with("registry"))
        {
            found.push(format!(
                "{} names a registry: leave that choice to the user",
                file.path
            ));
        }
    }
    Ok(found)
}

/// Collects every URL except the URLs of funding pages.
fn collect_addresses<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if text.starts_with("http") => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_addresses(item, into)),
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, _)| *key != "funding")
            .for_each(|(_, item)| collect_addresses(item, into)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::file;

    #[test]
    fn locks_without_addresses_are_good() {
        let files = [
            file(
                "a/package-lock.json",
                r#"{"packages":{"x":{"version":"1.0.0"}}}"#,
            ),
            file("a/.npmrc", "fund=false\n"),
        ];
        assert_eq!(violations(&files).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn an_address_in_a_lock_of_npm_is_a_violation() {
        let lock = r#"{"packages":{
            "x":{"resolved":"https://example.com/x.tgz","funding":{"url":"https://example.com/"}}
        }}"#;
        let files = [
            file("a/package-lock.json", lock),
            file("a/.npmrc", "registry=https://example.com/\n"),
        ];
        assert_eq!(
            violations(&files).unwrap(),
            [
                "a/package-lock.json contains the address https://example.com/x.tgz: \
                 write the lock file with omit-lockfile-registry-resolved",
                "a/.npmrc names a registry: leave that choice to the user",
            ]
        );
    }
}
