//! A host's package, which its user installs without `agon install`.

use serde_json::{Value, json};

use super::SERVER;

/// How a host packs Agon's skills, commands, agents and server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Package {
    /// How its model sees the server of the package.
    pub(crate) server: &'static str,
    /// Where it looks for a list of packages, at the top of a repository.
    pub(crate) marketplace: Option<&'static str>,
    /// What describes the package, and the servers in it.
    pub(crate) manifests: fn(&PackageText) -> Vec<(&'static str, Value)>,
}

/// What every manifest says.
pub(crate) struct PackageText {
    /// Its version.
    pub(crate) version: String,
    /// The server in the host's form.
    pub(crate) entry: Value,
}

pub(crate) const ABOUT: &str = "Let AI tools argue a decision: two sides, citations that are looked up, a judge who is asked twice, a verdict that says how far it can be trusted. Needs the program agon.";

impl PackageText {
    /// A plugin as several hosts describe one.
    pub(super) fn plugin(&self) -> Value {
        json!({
            "name": "agon",
            "version": self.version,
            "description": ABOUT,
            "author": {"name": "Agon"},
            "license": "MIT OR Apache-2.0",
        })
    }

    /// The servers as several hosts read them beside it.
    pub(super) fn servers(&self) -> Value {
        json!({"mcpServers": {SERVER: self.entry}})
    }
}
