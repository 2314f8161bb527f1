//! How a tool is run for a member of a team, which writes in its work tree and nowhere else.
//!
//! It stands apart from how a debater is spoken to: no [`Cli`](super::Cli), no [`Ask`](crate::Ask) and
//! no [`Agent`](crate::Agent) knows of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use agon_record::spec::Effort;
use serde::Deserialize;

use super::child::{fill_name, push_no_mcp_args};
use super::work_policy::{KeptSettings, PolicyPlace};
use super::{Cli, explicit_model};
use crate::environment::Environment;

/// How a tool works: one start for one task, the prompt on its stdin.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Work {
    /// The arguments. A whole argument may be `{access}`, which stands for `writes` or `reads`, or
    /// `{no_mcp}`, `{model}` or `{effort}`, which stand for what `cli` has there. In any, in `set`, in
    /// `merge` and in `files`, `{agon}` is the program of Agon's own server, escaped for JSON and TOML,
    /// and `{private}` the folder with the files.
    pub args: Vec<String>,
    /// What lets it write in the folder it runs in, and nowhere else.
    pub writes: Vec<String>,
    /// What lets it read there, and write nothing.
    pub reads: Vec<String>,
    /// Variables that are set.
    pub set: BTreeMap<String, String>,
    /// JSON objects laid over the one that is in a variable.
    pub merge: BTreeMap<String, String>,
    /// Files that are written into the private folder before it.
    pub files: BTreeMap<String, String>,
    /// The tools of its own that its model is offered where it writes.
    pub offer: BTreeSet<String>,
    /// Whether it writes through links that lead out of its folder, and cannot make any.
    pub follows_links: bool,
    /// Whether its model may run programs, held by the tool's own sandbox.
    pub runs_programs: bool,
    /// Whether it prints nothing before its end.
    pub prints_at_end: bool,
    /// What holds it to its folder, in words.
    pub held_by: String,
    /// What is kept of the user's own settings, where it reads none of them.
    pub keep: Option<KeptSettings>,
    /// Where it takes a policy.
    pub policy: Option<PolicyPlace>,
}

/// What a member may do with the files of its work tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It reads them.
    Reads,
    /// It writes them.
    Writes,
}

/// What one run is started with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkValues<'a> {
    pub(crate) access: Access,
    pub(crate) model: Option<&'a str>,
    pub(crate) effort: Effort,
    pub(crate) agon: &'a Path,
    pub(crate) private: &'a Path,
    /// What stands in the place of its access, where a policy says so.
    pub(crate) narrowed: Option<&'a [String]>,
    /// What a policy adds.
    pub(crate) added: &'a [String],
}

impl WorkValues<'_> {
    /// A text with what stands for the run in it.
    pub(crate) fn fill(&self, text: &str) -> String {
        let values = [
            ("{agon}", escaped(self.agon)),
            ("{private}", escaped(self.private)),
        ];
        let mut filled = String::new();
        let mut rest = text;
        // In one pass: what a path has in it is not filled again.
        loop {
            let found = values.iter().filter_map(|(name, value)| {
                let at = rest.find(name)?;
                Some((at, name.len(), value))
            });
            let Some((at, length, value)) = found.min_by_key(|(at, ..)| *at) else {
                return filled + rest;
            };
            filled.push_str(rest.get(..at).unwrap_or_default());
            filled.push_str(value);
            rest = rest.get(at + length..).unwrap_or_default();
        }
    }
}

/// A path as it stands between the quotes of JSON and of TOML.
fn escaped(path: &Path) -> String {
    let quoted = serde_json::Value::from(path.to_string_lossy()).to_string();
    let inside = quoted
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inside.unwrap_or_default().to_owned()
}

impl Work {
    /// The arguments of a run.
    pub(crate) fn command_args(
        &self,
        cli: &Cli,
        here: &Environment,
        values: &WorkValues<'_>,
    ) -> Vec<OsString> {
        let mut args: Vec<OsString> = Vec::new();
        for arg in &self.args {
            let list: Vec<String> = match arg.as_str() {
                "{access}" => {
                    let own = match values.access {
                        Access::Reads => &self.reads,
                        Access::Writes => &self.writes,
                    };
                    let access = values.narrowed.unwrap_or(own);
                    access.iter().chain(values.added).cloned().collect()
                }
                "{model}" => explicit_model(values.model)
                    .map(|name| fill_name(&cli.model, name))
                    .unwrap_or_default(),
                "{effort}" => cli.effort.get(&values.effort).cloned().unwrap_or_default(),
                "{no_mcp}" => {
                    push_no_mcp_args(&mut args, &cli.no_mcp, cli.no_mcp_each.as_ref(), here);
                    continue;
                }
                _ => vec![arg.clone()],
            };
            args.extend(list.iter().map(|arg| values.fill(arg).into()));
        }
        args
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_path_has_in_it_is_not_filled_again() {
        let values = WorkValues {
            access: Access::Reads,
            model: None,
            effort: Effort::Low,
            agon: Path::new("/a/{private}/\"agon\""),
            private: Path::new("/p/{agon}"),
            narrowed: None,
            added: &[],
        };
        assert_eq!(
            values.fill("{private}/x {agon} {other}"),
            "/p/{agon}/x /a/{private}/\\\"agon\\\" {other}"
        );
    }
}
