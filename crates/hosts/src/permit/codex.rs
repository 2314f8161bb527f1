//! Codex: a profile of permissions, by which the system's sandbox holds its programs and its patches. Of
//! the paths that a file is below, the longest counts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fault::GlobFault;
use super::form::{PermissionForm, PowerRules};
use super::glob::Glob;
use super::{PermissionEffect, PermissionScope};
use crate::content::agent::Power;

pub(super) const FORM: PermissionForm = PermissionForm {
    host: "codex",
    may_loosen: false,
    can_say: |glob: &Glob, _: &PermissionScope<'_>| glob.as_literal().map(drop),
    can_except: Some(can_except),
    write,
};

// Measured: below what may be written it guards `.git` and others, and does not start where that is a file.
fn can_except(glob: &Glob, scope: &PermissionScope<'_>) -> Result<(), GlobFault> {
    let path = glob.as_literal()?;
    match scope.root().is_some_and(|root| root.join(path).is_dir()) {
        true => Ok(()),
        false => Err(GlobFault("it lets through folders that are there alone")),
    }
}

/// The name of the profile.
pub(super) const PROFILE: &str = "team";

/// What may be done to a file. The later one is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    Write,
    Read,
    Deny,
}

impl Access {
    const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Read => "read",
            Self::Deny => "deny",
        }
    }
}

fn write(all: &[PowerRules], _: &PermissionScope<'_>) -> String {
    let of = |power| all.iter().find(move |held| held.power == power);
    let mut paths: BTreeMap<&str, Access> = BTreeMap::new();
    let mut restrict = |path, access: Access| {
        let known = paths.entry(path).or_insert(access);
        *known = access.max(*known);
    };
    let mut exceptions: Vec<&str> = Vec::new();
    for (effect, glob) in of(Power::Edit).into_iter().flat_map(|held| &held.steps) {
        match (effect, glob.as_literal()) {
            (PermissionEffect::Allow, Ok(path)) => exceptions.push(path),
            (_, Ok(path)) => restrict(path, Access::Read),
            (_, Err(_)) => {}
        }
    }
    for (_, glob) in of(Power::Read).into_iter().flat_map(|held| &held.steps) {
        if let Ok(path) = glob.as_literal() {
            restrict(path, Access::Deny);
        }
    }
    // What is below a path that is less would be given back.
    let strict = paths.clone();
    let least_above = |path: &str| {
        let above = strict.iter().filter(|(other, _)| is_below(path, other));
        above.map(|(_, access)| *access).max()
    };
    paths.retain(|path, access| least_above(path).is_none_or(|least| *access >= least));
    for path in exceptions {
        if least_above(path).is_none() && !paths.contains_key(path) {
            paths.insert(path, Access::Write);
        }
    }
    let base = of(Power::Edit).and_then(|held| held.base);
    let whole = match base {
        Some(_) => Access::Read,
        None => Access::Write,
    };
    let mut roots = serde_json::Map::new();
    roots.insert(".".to_owned(), whole.name().into());
    for (path, access) in paths {
        roots.insert(path.to_owned(), access.name().into());
    }
    arguments(&Value::Object(roots))
}

/// Whether `path` is below `other`, or is it.
pub(super) fn is_below(path: &str, other: &str) -> bool {
    path == other
        || path
            .strip_prefix(other)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The arguments that give it the profile, as a list in JSON.
fn arguments(roots: &Value) -> String {
    let inline = |value: &Value| -> String {
        let pairs = value.as_object().into_iter().flatten();
        let pairs = pairs.map(|(path, access)| format!("{}={access}", Value::from(path.as_str())));
        pairs.collect::<Vec<_>>().join(",")
    };
    let profile = format!(
        "permissions.{PROFILE}={{filesystem={{\":root\"=\"read\",\":workspace_roots\"={{{}}}}},network={{enabled=false}}}}",
        inline(roots)
    );
    json!([
        "-c",
        profile,
        "-c",
        format!("default_permissions={PROFILE}")
    ])
    .to_string()
}
