//! A host's package, which a user installs without `agon install`.

use serde_json::{Value, json};

use super::SERVER;

/// Format of a package with Agon's skills, commands, agents and server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package {
    /// Name of the package's server as the model sees it.
    pub(crate) server: &'static str,
    /// Path of the list of packages in a repository, if the host reads one.
    pub(crate) marketplace: Option<&'static str>,
    /// Returns the manifests of the package and its servers.
    pub(crate) manifests: fn(&PackageText) -> Vec<(&'static str, Value)>,
}

/// Values for every manifest.
pub(crate) struct PackageText {
    /// Its version.
    pub(crate) version: String,
    /// The server in the host's format.
    pub(crate) entry: Value,
}

pub(crate) const ABOUT: &str = "Let AI tools argue a decision: two sides, citations that are looked up, a judge who is asked twice, a verdict that says how far it can be trusted. Needs the program agon.";

impl PackageText {
    /// Returns the plugin manifest that several hosts use.
    pub(super) fn plugin(&self) -> Value {
        json!({
            "name": "agon",
            "version": self.version,
            "description": ABOUT,
            "author": {"name": "Agon"},
            "license": "MIT OR Apache-2.0",
        })
    }

    /// Returns the server file that several hosts use.
    pub(super) fn servers(&self) -> Value {
        json!({"mcpServers": {SERVER: self.entry}})
    }
}
