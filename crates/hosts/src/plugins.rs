//! The same content as packages: a marketplace with a plugin for Claude Code, one for Codex, an
//! extension of Gemini CLI, a folder of settings for OpenCode, a plugin for Copilot CLI.
//!
//! `plugins/` at the top of the repository is what this gives; a test holds the two together.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::compile::{Kind, Target, compile};
use crate::content::{self, ContentError};
use crate::host::{Host, SERVER, find_host};

/// A package of one host.
struct Package {
    host: &'static str,
    /// How its model sees the server of the package.
    server: &'static str,
    /// What describes the package, and the servers in it.
    manifests: fn(&Description) -> Vec<(&'static str, Value)>,
}

/// What every manifest says.
struct Description {
    version: String,
    /// The server in the host's form.
    entry: Value,
}

const ABOUT: &str = "Let AI tools argue a decision: two sides, citations that are looked up, a judge who is asked twice, a verdict that says how far it can be trusted. Needs the program agon.";

const PACKAGES: &[Package] = &[
    Package {
        host: "claude",
        // A plugin's servers are set apart by its name.
        server: "plugin_agon_agon",
        manifests: |about| {
            vec![
                (".claude-plugin/plugin.json", about.plugin()),
                (".mcp.json", about.servers()),
            ]
        },
    },
    Package {
        host: "codex",
        server: SERVER,
        manifests: |about| {
            vec![
                (".codex-plugin/plugin.json", about.plugin_with_servers()),
                (".mcp.json", about.servers()),
            ]
        },
    },
    Package {
        host: "gemini",
        server: SERVER,
        manifests: |about| {
            let mut extension = about.plugin();
            if let Some(fields) = extension.as_object_mut() {
                fields.shift_remove("author");
                fields.shift_remove("license");
            }
            extension["mcpServers"] = json!({SERVER: about.entry});
            vec![("gemini-extension.json", extension)]
        },
    },
    Package {
        host: "opencode",
        server: SERVER,
        manifests: |about| vec![("opencode.json", json!({"mcp": {SERVER: about.entry}}))],
    },
    Package {
        host: "copilot",
        server: SERVER,
        manifests: |about| {
            vec![
                ("plugin.json", about.plugin()),
                (".mcp.json", about.servers()),
            ]
        },
    },
];

impl Description {
    fn plugin(&self) -> Value {
        json!({
            "name": "agon",
            "version": self.version,
            "description": ABOUT,
            "author": {"name": "Agon"},
            "license": "MIT OR Apache-2.0",
        })
    }

    fn plugin_with_servers(&self) -> Value {
        let mut plugin = self.plugin();
        plugin["skills"] = "./skills/".into();
        plugin["mcpServers"] = "./.mcp.json".into();
        plugin
    }

    fn servers(&self) -> Value {
        json!({"mcpServers": {SERVER: self.entry}})
    }
}

/// Every file below `plugins/`, by its path there.
///
/// # Errors
///
/// If the content is not valid; a test holds that it is.
pub fn files(version: &str) -> Result<BTreeMap<String, String>, ContentError> {
    let mut files = BTreeMap::new();
    let readme = include_str!("plugins/README.md");
    files.insert("README.md".to_owned(), readme.to_owned());
    // Claude Code looks for the first, Codex for the second before the first, Copilot for the third.
    for (path, plugin) in [
        (".claude-plugin/marketplace.json", "claude"),
        (".agents/plugins/marketplace.json", "codex"),
        (".github/plugin/marketplace.json", "copilot"),
    ] {
        files.insert(path.to_owned(), text(&marketplace(plugin, version)));
    }
    for package in PACKAGES {
        if let Some(host) = find_host(package.host) {
            add_package(package, host, version, &mut files)?;
        }
    }
    Ok(files)
}

fn marketplace(plugin: &str, version: &str) -> Value {
    json!({
        "name": "agon",
        "owner": {"name": "Agon"},
        "description": "Debates between AI tools",
        "plugins": [{
            "name": "agon",
            "source": format!("./{plugin}"),
            "description": ABOUT,
            "version": version,
        }],
    })
}

fn add_package(
    package: &Package,
    host: &'static Host,
    version: &str,
    files: &mut BTreeMap<String, String>,
) -> Result<(), ContentError> {
    let command = [SERVER.to_owned(), "mcp".to_owned()];
    let about = Description {
        version: version.to_owned(),
        entry: (host.server_entry)(&command),
    };
    for (path, manifest) in (package.manifests)(&about) {
        files.insert(format!("{}/{path}", host.name), text(&manifest));
    }
    let target = Target {
        host,
        server: package.server,
        waived: &[],
    };
    for file in compile(&content::embedded()?, &target).files {
        let folder = match file.kind {
            Kind::Skill => "skills",
            Kind::Command => "commands",
            Kind::Agent => "agents",
        };
        files.insert(format!("{}/{folder}/{}", host.name, file.path), file.text);
    }
    Ok(())
}

fn text(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
