//! Checks settings and manifests: servers, hooks and keys, by the rules of each host.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::finding::Findings;
use super::keys::{self, Source};
use crate::host::{SettingsCheck, SettingsFile, Syntax};
use crate::json::Dialect;
use crate::shape::{FileKey, Words};

/// Checks the file at `path`; `paths` are the paths of all checked files.
pub(super) fn lint(
    text: &str,
    file: &SettingsFile,
    path: &str,
    paths: &BTreeSet<&str>,
    findings: &mut Findings,
) {
    let root = match file.syntax {
        Syntax::Json(dialect) => read_json(text, dialect, findings),
        Syntax::Toml => read_toml(text, findings),
    };
    let Some(root) = root else { return };
    let source = Source { text, before: 0 };
    for check in file.checks {
        match *check {
            SettingsCheck::Keys(keys) => keys::check(&root, keys, source, findings),
            SettingsCheck::Servers(key, keys) => {
                check_servers(root.get(key), keys, source, findings);
            }
            SettingsCheck::TypedServers { key, local, remote } => {
                check_typed_servers(root.get(key), local, remote, source, findings);
            }
            SettingsCheck::Hooks(events) => {
                check_hooks(root.get("hooks"), events, source, findings);
            }
            SettingsCheck::NotRead(key, why) => {
                if root.contains_key(key) {
                    findings.add("not-read", source.line_of(key), why);
                }
            }
            SettingsCheck::FilesBeside(key) => {
                check_files(root.get(key), key, path, paths, source, findings);
            }
        }
    }
}

/// Parses `text` as a JSON map and reports errors.
pub(super) fn read_json(
    text: &str,
    dialect: Dialect,
    findings: &mut Findings,
) -> Option<Map<String, Value>> {
    match dialect.parse(text) {
        Ok(Some(Value::Object(root))) => Some(root),
        Ok(Some(_)) => {
            findings.add("json", 1, "it is not a map");
            None
        }
        Ok(None) => {
            findings.add("json", 1, "it is empty");
            None
        }
        Err(error) => {
            findings.add("json", 1, format!("the host cannot read it: {error}"));
            None
        }
    }
}

/// Parses `text` as TOML and reports errors.
pub(super) fn read_toml(text: &str, findings: &mut Findings) -> Option<Map<String, Value>> {
    match toml::from_str::<Map<String, Value>>(text) {
        Ok(root) => Some(root),
        Err(error) => {
            let upto = error.span().and_then(|span| text.get(..span.start));
            let line = upto.map_or(1, |upto| upto.matches('\n').count() + 1);
            findings.add("toml", line, format!("it is not TOML: {}", error.message()));
            None
        }
    }
}

fn check_servers(
    servers: Option<&Value>,
    keys: &[FileKey],
    source: Source<'_>,
    findings: &mut Findings,
) {
    let Some(servers) = servers else { return };
    let Some(servers) = servers.as_object() else {
        findings.add("bad-value", 1, "the servers are not a map");
        return;
    };
    for (name, server) in servers {
        let line = source.line_of(name);
        let Some(server) = server.as_object() else {
            findings.add(
                "bad-value",
                line,
                format!("the server `{name}` is not a map"),
            );
            continue;
        };
        keys::check(server, keys, source, findings);
        let ways = ["command", "url", "httpUrl", "tcp"];
        let count = ways.iter().filter(|way| server.contains_key(**way)).count();
        if count != 1 {
            let message = format!(
                "the server `{name}` needs exactly one of `command` and `url`, but has {count}"
            );
            findings.add("server", line, message);
        }
    }
}

fn check_typed_servers(
    servers: Option<&Value>,
    local: &[FileKey],
    remote: &[FileKey],
    source: Source<'_>,
    findings: &mut Findings,
) {
    for (name, server) in servers.and_then(Value::as_object).into_iter().flatten() {
        let line = source.line_of(name);
        let Some(server) = server.as_object() else {
            findings.add(
                "bad-value",
                line,
                format!("the server `{name}` is not a map"),
            );
            continue;
        };
        let is_remote = server.get("type").is_some_and(|kind| kind == "remote");
        let is_switch = server.len() == 1 && server.contains_key("enabled");
        match (is_switch, is_remote) {
            (true, _) => {}
            (false, true) => keys::check(server, remote, source, findings),
            (false, false) => keys::check(server, local, source, findings),
        }
    }
}

/// Reports events that the host does not have.
fn check_hooks(hooks: Option<&Value>, events: Words, source: Source<'_>, findings: &mut Findings) {
    let Some(hooks) = hooks else { return };
    let Some(hooks) = hooks.as_object() else {
        findings.add("bad-value", source.line_of("hooks"), "`hooks` is not a map");
        return;
    };
    for event in hooks.keys() {
        if !events.contains(event) {
            let message = format!("unknown event `{event}`");
            findings.add("event", source.line_of(event), message);
        }
    }
}

fn check_files(
    files: Option<&Value>,
    key: &str,
    path: &str,
    paths: &BTreeSet<&str>,
    source: Source<'_>,
    findings: &mut Findings,
) {
    let folder = path.rfind('/').map_or("", |end| &path[..=end]);
    let many = files.and_then(Value::as_array).into_iter().flatten();
    for file in many.chain(files).filter_map(Value::as_str) {
        if !paths.contains(format!("{folder}{file}").as_str()) {
            let line = source.line_of(key);
            findings.add("missing-file", line, format!("file {file} does not exist"));
        }
    }
}
