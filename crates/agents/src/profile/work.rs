//! How a tool is run for a team member, which may write only in its work tree.
//!
//! This is separate from how a tool is called in a debate: [`Cli`](super::Cli), [`Ask`](crate::Ask) and
//! [`Agent`](crate::Agent) do not use it.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;

use agon_record::spec::Effort;
use serde::Deserialize;

use super::child::{append_no_mcp_args, fill_name};
use super::work_policy::{KeptSettings, PolicyPlace};
use super::{Cli, explicit_model};
use crate::environment::Environment;

/// How a tool works on a task: one process per task, with the prompt on standard input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Work {
    /// The arguments. A whole argument may be `{access}`, which is replaced by `writes` or `reads`, or
    /// `{no_mcp}`, `{model}` or `{effort}`, which are replaced by the lists in `cli`. In all arguments,
    /// in `set`, `merge` and `files`, `{agon}` is the program of Agon's own server, escaped for JSON and
    /// TOML, and `{private}` is the folder with the files.
    pub args: Vec<String>,
    /// Arguments that let the tool write only in its working folder.
    pub writes: Vec<String>,
    /// Arguments that let the tool read its working folder and write nothing.
    pub reads: Vec<String>,
    /// Variables to set.
    pub set: BTreeMap<String, String>,
    /// JSON objects to merge into the value of a variable.
    pub merge: BTreeMap<String, String>,
    /// Files to write into the private folder before the run.
    pub files: BTreeMap<String, String>,
    /// The built-in tools that the model is offered when it may write.
    pub offer: BTreeSet<String>,
    /// Whether the tool writes through links that lead out of its folder (it cannot create links
    /// itself).
    pub follows_links: bool,
    /// Whether the model may run programs, restricted by the tool's own sandbox.
    pub runs_programs: bool,
    /// Whether the tool prints nothing until it ends.
    pub prints_at_end: bool,
    /// A description of what restricts the tool to its folder.
    pub held_by: String,
    /// The user's settings that the tool keeps although Agon tells it not to read them.
    pub keep: Option<KeptSettings>,
    /// How the tool gets a policy.
    pub policy: Option<PolicyPlace>,
}

/// What a member may do with the files of its work tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read them.
    Reads,
    /// Write them.
    Writes,
}

/// The values that fill in a profile's arguments and files for one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkValues<'a> {
    pub(crate) access: Access,
    pub(crate) model: Option<&'a str>,
    pub(crate) effort: Effort,
    pub(crate) agon: &'a Path,
    pub(crate) private: &'a Path,
    /// Arguments of a policy that replace the access arguments.
    pub(crate) narrowed: Option<&'a [String]>,
    /// Arguments that a policy adds.
    pub(crate) added: &'a [String],
}

impl WorkValues<'_> {
    /// Replaces the placeholders in a text.
    pub(crate) fn fill(&self, text: &str) -> String {
        let values = [
            ("{agon}", escape_path(self.agon)),
            ("{private}", escape_path(self.private)),
        ];
        let mut filled = String::new();
        let mut rest = text;
        // Replace all placeholders in one pass, so that a placeholder inside an inserted path stays
        // as it is.
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

/// Escapes a path for use between the quotes of JSON and TOML.
fn escape_path(path: &Path) -> String {
    let quoted = serde_json::Value::from(path.to_string_lossy()).to_string();
    let inside = quoted
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    inside.unwrap_or_default().to_owned()
}

impl Work {
    /// Returns the arguments of a run.
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
                    append_no_mcp_args(&mut args, &cli.no_mcp, cli.no_mcp_each.as_ref(), here);
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
