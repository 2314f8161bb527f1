//! Settings files and manifests that a host reads, with their allowed content.

use serde_json::Value;

use crate::json::Dialect;
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

/// A settings file or package manifest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettingsFile {
    /// Possible file names.
    pub(crate) names: &'static [&'static str],
    /// The folder it must be in, if the name alone is ambiguous.
    pub(crate) folder: Option<&'static str>,
    /// Whether the name identifies it outside the host's folders too.
    pub(crate) is_known_anywhere: bool,
    /// Its syntax.
    pub(crate) syntax: Syntax,
    /// Checks of its content.
    pub(crate) checks: &'static [SettingsCheck],
}

/// Syntax of a settings file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Syntax {
    /// JSON.
    Json(Dialect),
    /// TOML.
    Toml,
}

/// A check of a settings file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SettingsCheck {
    /// All keys.
    Keys(&'static [FileKey]),
    /// The servers below this key, each a program or a URL.
    Servers(&'static str, &'static [FileKey]),
    /// The servers below this key, whose `type` says which they are.
    TypedServers {
        /// The key.
        key: &'static str,
        /// The keys of a program.
        local: &'static [FileKey],
        /// The keys of a server with a URL, of the type `remote`.
        remote: &'static [FileKey],
    },
    /// The events below `hooks` must be among these.
    Hooks(Words),
    /// This key must not be there, because the host does not read it; with the message.
    NotRead(&'static str, &'static str),
    /// The files named by this key must exist next to the settings file.
    FilesBeside(&'static str),
}

/// Files that several hosts read.
pub(crate) const SHARED: &[SettingsFile] = &[
    SettingsFile {
        names: &["plugin.json"],
        folder: None,
        is_known_anywhere: true,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[SettingsCheck::Keys(PLUGIN_KEYS)],
    },
    SettingsFile {
        names: &["marketplace.json"],
        folder: None,
        is_known_anywhere: true,
        syntax: Syntax::Json(Dialect::Plain),
        checks: &[SettingsCheck::Keys(MARKETPLACE_KEYS)],
    },
];

const PLUGIN_KEYS: &[FileKey] = &[
    required("name", ValueShape::Slug),
    required("description", ValueShape::Text(1024)),
    required("version", ValueShape::Version),
    optional("$schema", TEXT),
    optional("author", ValueShape::Any),
    optional("homepage", TEXT),
    optional("repository", TEXT),
    optional("license", TEXT),
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
    optional("$schema", TEXT),
    optional("description", ValueShape::Text(1024)),
    optional("version", ValueShape::Version),
    optional("metadata", ValueShape::Map),
];

// All keys are optional here; another check requires a program or a URL.
/// Keys of a server in `mcpServers`, which several hosts read.
pub(super) const SERVER_KEYS: &[FileKey] = &[
    optional(
        "type",
        ValueShape::OneOf(&["stdio", "local", "http", "sse", "ws"]),
    ),
    optional("command", TEXT),
    optional("args", ValueShape::Texts),
    optional("env", ValueShape::TextMap),
    optional("cwd", TEXT),
    optional("url", TEXT),
    optional("headers", ValueShape::TextMap),
    optional("headersHelper", TEXT),
    optional("oauth", ValueShape::Any),
    optional("tools", ValueShape::Texts),
    optional("timeout", ValueShape::Count),
    optional("alwaysLoad", ValueShape::Bool),
];

/// Reports a value that is not a Markdown file or a list of them. The host's validator rejects a folder
/// as a plain string.
fn files_fault(value: &Value) -> Option<String> {
    let is_file = |value: &Value| value.as_str().is_some_and(|path| path.ends_with(".md"));
    let fits = is_file(value) || value.as_array().is_some_and(|all| all.iter().all(is_file));
    (!fits).then(|| "is neither a Markdown file nor a list of them".to_owned())
}

fn plugins_fault(value: &Value) -> Option<String> {
    let Some(plugins) = value.as_array() else {
        return Some("is not a list".to_owned());
    };
    for plugin in plugins {
        if ValueShape::Slug.fault(&plugin["name"]).is_some() {
            return Some("has a plugin without a lower-case name".to_owned());
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
