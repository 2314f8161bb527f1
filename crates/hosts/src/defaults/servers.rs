//! Servers of the Model Context Protocol, and which roles get them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use crate::content::Role;
use crate::content::agent::Power;
use crate::content::server::Server;
use crate::host::SERVER;

/// Servers of the Model Context Protocol, and which roles get them: `mcp.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Servers {
    /// `agon.mcp/1`.
    pub schema: String,
    /// The servers, by name.
    pub servers: BTreeMap<String, Server>,
}

impl Servers {
    pub(super) fn check(&self, roles: &[Role], faults: &mut Faults) {
        for (name, server) in &self.servers {
            faults.require_name(&["servers", name], name);
            faults.require_about(&["servers", name, "about"], &server.about);
            check_start(name, server, faults);
            check_roles(name, server, roles, faults);
        }
    }
}

fn check_start(name: &str, server: &Server, faults: &mut Faults) {
    let keys = |key: &'static str| ["servers", name, key];
    if name == SERVER {
        // `agon install` writes how it is started, by the place of the program.
        for (key, is_set) in [
            ("command", !server.command.is_empty()),
            ("url", server.url.is_some()),
            ("env", !server.env.is_empty()),
            ("network", server.network),
        ] {
            if is_set {
                let what = format!("Agon's own server has no `{key}`");
                faults.add(
                    &keys(key),
                    what,
                    "delete it: `agon install` knows how to start it",
                );
            }
        }
        return;
    }
    match (&server.url, server.command.is_empty()) {
        (None, true) => {
            let hint = "give `command`, as `[\"agon\", \"mcp\"]`, or `url`";
            faults.add(
                &["servers", name],
                "it is neither a program nor an address",
                hint,
            );
        }
        (Some(_), false) => {
            let hint = "leave `command` or `url` out";
            faults.add(&keys("url"), "it is a program and an address", hint);
        }
        (Some(url), true) => {
            check_url(name, url, server.network, faults);
            if server.env.len() > 1 {
                let hint = "name the one whose value is its token";
                faults.add(
                    &keys("env"),
                    "an address is given one variable at most",
                    hint,
                );
            }
        }
        (None, false) => {
            if let Some(package) = unpinned_package(&server.command) {
                let what =
                    format!("`{package}` has no version: another program could run tomorrow");
                faults.add(
                    &keys("command"),
                    what,
                    format!("write `{}@1.2.3`", name_of_package(package)),
                );
            }
        }
    }
    for variable in &server.env {
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if variable.is_empty() || !variable.chars().all(is_name) {
            // What stands there instead may be a secret: it is not repeated.
            let what = "an entry of `env` is not the name of a variable";
            faults.add(
                &keys("env"),
                what,
                "give names alone, as `TRACKER_TOKEN`; no values",
            );
        }
    }
}

fn check_url(name: &str, url: &str, is_network: bool, faults: &mut Faults) {
    let keys = |key: &'static str| ["servers", name, key];
    let after = url.strip_prefix("http://").unwrap_or_default();
    let host = after.split(['/', ':']).next().unwrap_or_default();
    let is_local = ["127.0.0.1", "localhost"].contains(&host);
    if !is_local && !url.starts_with("https://") {
        let hint = "use https, or http on 127.0.0.1";
        faults.add(&keys("url"), format!("`{url}` is not a safe address"), hint);
    } else if !is_local && !is_network {
        let hint = "add `network = true`";
        faults.add(
            &keys("network"),
            "it is elsewhere and says that it is here",
            hint,
        );
    }
}

/// The package that a runner would fetch in whichever version there is.
fn unpinned_package(command: &[String]) -> Option<&str> {
    let (runner, rest) = command.split_first()?;
    if !["npx", "bunx", "uvx", "pipx"].contains(&runner.as_str()) {
        return None;
    }
    let is_package = |word: &&String| !word.starts_with('-') && *word != "run";
    let package = rest.iter().find(is_package)?;
    let version = package
        .get(1..)?
        .rsplit_once('@')
        .map(|(_, version)| version);
    let is_pinned = version.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
    (!is_pinned).then_some(package)
}

/// A package without what stands behind its name.
fn name_of_package(package: &str) -> &str {
    let at = package.rfind('@').filter(|at| *at > 0);
    at.and_then(|at| package.get(..at)).unwrap_or(package)
}

fn check_roles(name: &str, server: &Server, roles: &[Role], faults: &mut Faults) {
    let keys = ["servers", name, "roles"];
    if server.roles.is_empty() {
        faults.add(
            &keys,
            "no role gets it",
            "name the roles that need it, in `roles`",
        );
    }
    for wanted in &server.roles {
        let Some(role) = roles.iter().find(|role| role.name == *wanted) else {
            let known = roles.iter().map(|role| role.name.as_str());
            faults.require_known(&keys, "role", wanted, known);
            continue;
        };
        if server.network && !role.may.contains(&Power::Network) {
            let what = format!("it reaches the network, and the role `{wanted}` may not");
            faults.add(
                &keys,
                what,
                "give it to a role that may, such as `librarian`",
            );
        }
    }
}
