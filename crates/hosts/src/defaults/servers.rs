//! MCP servers, and the roles that may use them: `mcp.toml`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fault::Faults;
use crate::content::Role;
use crate::content::agent::Power;
use crate::content::server::Server;
use crate::host::SERVER;

/// MCP servers, and the roles that may use them: `mcp.toml`.
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
        // Rejects these keys, because `agon install` itself writes how to start Agon's server.
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
                    "delete it: `agon install` writes how to start the server",
                );
            }
        }
        return;
    }
    match (&server.url, server.command.is_empty()) {
        (None, true) => {
            let hint = "add `command`, such as `[\"agon\", \"mcp\"]`, or `url`";
            faults.add(
                &["servers", name],
                "it has neither `command` nor `url`",
                hint,
            );
        }
        (Some(_), false) => {
            let hint = "remove `command` or `url`";
            faults.add(&keys("url"), "it has both `command` and `url`", hint);
        }
        (Some(url), true) => {
            check_url(name, url, server.network, faults);
            if server.env.len() > 1 {
                let hint = "keep the one that contains its token";
                faults.add(
                    &keys("env"),
                    "a server with `url` takes at most one variable",
                    hint,
                );
            }
        }
        (None, false) => {
            if let Some(package) = unpinned_package(&server.command) {
                let what =
                    format!("`{package}` has no version, so its code can change at any time");
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
            // The entry may be a secret, so the message does not repeat it.
            let what = "an entry of `env` is not the name of a variable";
            faults.add(
                &keys("env"),
                what,
                "list only names, such as `TRACKER_TOKEN`, never values",
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
        faults.add(
            &keys("url"),
            format!("`{url}` is not a secure address"),
            hint,
        );
    } else if !is_local && !is_network {
        let hint = "add `network = true`";
        faults.add(
            &keys("network"),
            "remote server without `network = true`",
            hint,
        );
    }
}

/// Returns the package that a runner would fetch without a fixed version.
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

/// Returns a package name without its version.
fn name_of_package(package: &str) -> &str {
    let at = package.rfind('@').filter(|at| *at > 0);
    at.and_then(|at| package.get(..at)).unwrap_or(package)
}

fn check_roles(name: &str, server: &Server, roles: &[Role], faults: &mut Faults) {
    let keys = ["servers", name, "roles"];
    if server.roles.is_empty() {
        faults.add(
            &keys,
            "no role may use it",
            "list the roles that need it in `roles`",
        );
    }
    for wanted in &server.roles {
        let Some(role) = roles.iter().find(|role| role.name == *wanted) else {
            let known = roles.iter().map(|role| role.name.as_str());
            faults.require_known(&keys, "role", wanted, known);
            continue;
        };
        if server.network && !role.may.contains(&Power::Network) {
            let what = format!("it uses the network, but the role `{wanted}` may not");
            faults.add(
                &keys,
                what,
                "give it to a role that may, such as `librarian`",
            );
        }
    }
}
