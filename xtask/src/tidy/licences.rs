//! Which licences and which crates the dependencies may have, as `deny.toml` says.

use std::fs;

use anyhow::{Context, Result};
use cargo_metadata::Metadata;
use serde::Deserialize;
use spdx::{Expression, ParseMode};

/// The part of `deny.toml` that is checked here, so that nobody has to install `cargo deny`.
#[derive(Debug, Deserialize)]
pub(super) struct Policy {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Debug, Deserialize)]
struct Licenses {
    allow: Vec<String>,
    #[serde(default)]
    exceptions: Vec<Exception>,
}

#[derive(Debug, Deserialize)]
struct Exception {
    #[serde(rename = "crate")]
    name: String,
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    deny: Vec<Banned>,
}

#[derive(Debug, Deserialize)]
struct Banned {
    #[serde(rename = "crate")]
    name: String,
}

/// A package that something of ours is built with.
#[derive(Debug)]
pub(super) struct Package {
    name: String,
    licence: Option<String>,
}

/// Lists every package of the resolved graph that is not ours.
pub(super) fn packages(metadata: &Metadata) -> Vec<Package> {
    metadata
        .packages
        .iter()
        .filter(|it| !metadata.workspace_members.contains(&it.id))
        .map(|it| Package {
            name: it.name.to_string(),
            licence: it.license.clone(),
        })
        .collect()
}

impl Policy {
    /// Reads `deny.toml` of the workspace.
    pub(super) fn read(metadata: &Metadata) -> Result<Self> {
        let text = fs::read_to_string(metadata.workspace_root.join("deny.toml"))
            .context("cannot read deny.toml")?;
        toml::from_str(&text).context("cannot parse deny.toml")
    }

    pub(super) fn violations(&self, packages: &[Package]) -> Vec<String> {
        let mut found: Vec<String> = packages
            .iter()
            .filter_map(|package| self.violation(package))
            .collect();
        for exception in &self.licenses.exceptions {
            if !packages.iter().any(|it| it.name == exception.name) {
                found.push(format!("`{}` is excepted but not used", exception.name));
            }
        }
        found
    }

    fn violation(&self, package: &Package) -> Option<String> {
        let name = &package.name;
        if self.bans.deny.iter().any(|it| it.name == *name) {
            return Some(format!(
                "`{name}` is banned: find what brought it with `cargo tree -i`"
            ));
        }
        let Some(licence) = &package.licence else {
            return Some(format!("`{name}` names no licence"));
        };
        let Ok(expression) = Expression::parse_mode(licence, ParseMode::LAX) else {
            return Some(format!(
                "`{name}` has the licence {licence:?}, which cannot be read"
            ));
        };
        let fits = expression.evaluate(|requirement| {
            let wanted = requirement.to_string();
            let excepted = self
                .licenses
                .exceptions
                .iter()
                .filter(|it| it.name == *name);
            self.licenses.allow.contains(&wanted)
                || excepted.flat_map(|it| &it.allow).any(|it| *it == wanted)
        });
        (!fits)
            .then(|| format!("`{name}` has the licence {licence}, which deny.toml does not allow"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> Policy {
        toml::from_str(
            r#"
            [licenses]
            allow = ["MIT", "Apache-2.0", "Unicode-3.0"]
            exceptions = [{ crate = "odd", allow = ["MPL-2.0"] }]
            [bans]
            deny = [{ crate = "openssl-sys" }]
            "#,
        )
        .unwrap()
    }

    fn package(name: &str, licence: &str) -> Package {
        Package {
            name: name.to_owned(),
            licence: Some(licence.to_owned()),
        }
    }

    #[test]
    fn licences_on_the_list_are_good_in_any_spelling() {
        let packages = [
            package("a", "MIT"),
            package("b", "MIT/Apache-2.0"),
            package("c", "(MIT OR Apache-2.0) AND Unicode-3.0"),
            package("d", "LGPL-2.1-or-later OR MIT"),
            package("odd", "MPL-2.0"),
        ];
        assert_eq!(policy().violations(&packages), Vec::<String>::new());
    }

    #[test]
    fn a_licence_off_the_list_is_a_violation() {
        let packages = [
            package("a", "GPL-3.0-only"),
            package("b", "MIT AND MPL-2.0"),
            package("c", "mine"),
            Package {
                name: "d".to_owned(),
                licence: None,
            },
            package("odd", "MPL-2.0"),
        ];
        assert_eq!(
            policy().violations(&packages),
            [
                "`a` has the licence GPL-3.0-only, which deny.toml does not allow",
                "`b` has the licence MIT AND MPL-2.0, which deny.toml does not allow",
                "`c` has the licence \"mine\", which cannot be read",
                "`d` names no licence",
            ]
        );
    }

    #[test]
    fn a_banned_crate_is_a_violation_whatever_its_licence() {
        assert_eq!(
            policy().violations(&[package("openssl-sys", "MIT"), package("odd", "MIT")]),
            ["`openssl-sys` is banned: find what brought it with `cargo tree -i`"]
        );
    }

    #[test]
    fn an_exception_for_a_crate_that_is_gone_is_a_violation() {
        assert_eq!(policy().violations(&[]), ["`odd` is excepted but not used"]);
    }
}
