//! The content as a package for each host: a plugin, an extension or a settings folder.
//!
//! `plugins/` at the top of the repository is generated from this; a test compares the two.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::compile::{Kind, Target, compile};
use crate::content::{self, ContentError};
use crate::host::{ABOUT, HOSTS, Host, PackageText, SERVER};

/// Returns every file below `plugins/`, by its path there.
///
/// # Errors
///
/// If the content is not valid; a test makes sure that it is.
pub fn files(version: &str) -> Result<BTreeMap<String, String>, ContentError> {
    let mut files = BTreeMap::new();
    let readme = include_str!("plugins/README.md");
    files.insert("README.md".to_owned(), readme.to_owned());
    for host in HOSTS {
        if let Some(path) = host.package.marketplace {
            files.insert(path.to_owned(), json_text(&marketplace(host.name, version)));
        }
        add_package(host, version, &mut files)?;
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
    host: &'static Host,
    version: &str,
    files: &mut BTreeMap<String, String>,
) -> Result<(), ContentError> {
    let command = [SERVER.to_owned(), "mcp".to_owned()];
    let package_text = PackageText {
        version: version.to_owned(),
        entry: host.server.agon_entry(&command),
    };
    for (path, manifest) in (host.package.manifests)(&package_text) {
        files.insert(format!("{}/{path}", host.name), json_text(&manifest));
    }
    let target = Target {
        host,
        server: host.package.server,
        waived: &[],
        is_for_project: false,
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

fn json_text(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}
