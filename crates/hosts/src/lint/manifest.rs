//! What describes a package: plugins, marketplaces, extensions.

use std::collections::BTreeSet;

use serde_json::Value;

use super::config::{CLAUDE_EVENTS, check_hooks, read_json};
use super::finding::Findings;
use super::keys::{self, Source};
use super::sort::PackageFile;
use crate::json::Dialect;
use crate::shape::{ANY_LENGTH, FileKey, ValueShape, optional, required};

const PLUGIN_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(1024)),
    required("version", ValueShape::Version),
    optional("$schema", ValueShape::Text(ANY_LENGTH)),
    optional("author", ValueShape::Any),
    optional("homepage", ValueShape::Text(ANY_LENGTH)),
    optional("repository", ValueShape::Text(ANY_LENGTH)),
    optional("license", ValueShape::Text(ANY_LENGTH)),
    optional("keywords", ValueShape::Texts),
    optional("commands", ValueShape::Custom(files_fault)),
    optional("agents", ValueShape::Custom(files_fault)),
    optional("skills", ValueShape::TextOrTexts),
    optional("hooks", ValueShape::Any),
    optional("mcpServers", ValueShape::Any),
    optional("interface", ValueShape::Map),
];

const MARKETPLACE_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("owner", ValueShape::Map),
    required("plugins", ValueShape::Custom(plugins_fault)),
    optional("$schema", ValueShape::Text(ANY_LENGTH)),
    optional("description", ValueShape::Text(1024)),
    optional("version", ValueShape::Version),
    optional("metadata", ValueShape::Map),
];

const EXTENSION_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("version", ValueShape::Version),
    optional("description", ValueShape::Text(1024)),
    optional("mcpServers", ValueShape::Map),
    optional("contextFileName", ValueShape::TextOrTexts),
    optional("excludeTools", ValueShape::Texts),
    optional("settings", ValueShape::Any),
    optional("themes", ValueShape::Any),
    optional("plan", ValueShape::Map),
    optional("migratedTo", ValueShape::Text(ANY_LENGTH)),
];

/// `paths` are those of all files that are looked at.
pub(super) fn lint(
    text: &str,
    manifest: PackageFile<'_>,
    paths: &BTreeSet<&str>,
    findings: &mut Findings,
) {
    let Some(root) = read_json(text, Dialect::Plain, findings) else {
        return;
    };
    let source = Source { text, before: 0 };
    match manifest {
        PackageFile::Plugin => keys::check(&root, PLUGIN_KEYS, source, findings),
        PackageFile::Marketplace => keys::check(&root, MARKETPLACE_KEYS, source, findings),
        PackageFile::Hooks => check_hooks(root.get("hooks"), CLAUDE_EVENTS, source, findings),
        PackageFile::Extension(folder) => {
            keys::check(&root, EXTENSION_KEYS, source, findings);
            let files = root.get("contextFileName");
            let many = files.and_then(Value::as_array).into_iter().flatten();
            for file in many.chain(files).filter_map(Value::as_str) {
                if !paths.contains(format!("{folder}{file}").as_str()) {
                    let line = source.line_of("contextFileName");
                    findings.add("missing-file", line, format!("there is no file {file}"));
                }
            }
        }
    }
}

/// A folder as a bare text is refused by the validator of the host, which finds it by itself.
fn files_fault(value: &Value) -> Option<String> {
    let is_file = |value: &Value| value.as_str().is_some_and(|path| path.ends_with(".md"));
    let fits = is_file(value) || value.as_array().is_some_and(|all| all.iter().all(is_file));
    (!fits).then(|| "is neither a Markdown file nor a list of them".to_owned())
}

fn plugins_fault(value: &Value) -> Option<String> {
    let Some(plugins) = value.as_array() else {
        return Some("is no list".to_owned());
    };
    for plugin in plugins {
        if ValueShape::Slug.fault(&plugin["name"]).is_some() {
            return Some("has a plugin without a name of lower-case letters".to_owned());
        }
        let Some(source) = plugin.get("source") else {
            return Some("has a plugin without a source".to_owned());
        };
        if source
            .as_str()
            .is_some_and(|path| path.split('/').any(|part| part == ".."))
        {
            return Some("has a source that leads out of the marketplace".to_owned());
        }
    }
    None
}
