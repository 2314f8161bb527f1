//! The settings and manifests that a host reads, and what may be in them.

use serde_json::Value;

use crate::json::Dialect;
use crate::shape::{FileKey, TEXT, ValueShape, Words, optional, required};

/// A file of settings, or what describes a package.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettingsFile {
    /// What it may be called.
    pub(crate) names: &'static [&'static str],
    /// The folder that it has to be in, where that says more than the name.
    pub(crate) folder: Option<&'static str>,
    /// Whether it is that also where no folder says that it is the host's.
    pub(crate) is_known_anywhere: bool,
    /// How it is written.
    pub(crate) syntax: Syntax,
    /// What is looked at in it.
    pub(crate) checks: &'static [SettingsCheck],
}

/// How settings are written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Syntax {
    /// As JSON.
    Json(Dialect),
    /// As TOML.
    Toml,
}

/// What is looked at in settings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SettingsCheck {
    /// All keys.
    Keys(&'static [FileKey]),
    /// The servers below this key, which are programs or addresses.
    Servers(&'static str, &'static [FileKey]),
    /// The servers below this key, which say in `type` what they are.
    TypedServers {
        /// The key.
        key: &'static str,
        /// The keys of a program.
        local: &'static [FileKey],
        /// The keys of an address, of the type `remote`.
        remote: &'static [FileKey],
    },
    /// That the events below `hooks` are among these.
    Hooks(Words),
    /// That this key is not there, since the host does not read it: why.
    NotRead(&'static str, &'static str),
    /// That the files that this key names are beside it.
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

// A server is a program or an address; which of the two is looked at apart.
/// The keys of a server in `mcpServers` as several hosts read it.
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
