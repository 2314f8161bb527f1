//! Proposes gates from a project's own files. The files are only read; nothing runs before the lead
//! or a person adds it.

mod command_line;
mod sources;

use std::collections::BTreeSet;
use std::path::Path;

use agon_caller::{Caller, Failure};
use agon_team::gate::{CommandGate, GateDefinition};
use agon_team::id::GateName;
use schemars::JsonSchema;
use serde::Serialize;

use self::sources::{CI_FILES, SOURCES, WORKFLOWS, propose_from_ci};
use super::definitions::{add, read};
use crate::open_team::open;

/// The name and version of the document about proposed gates.
pub const TEAM_GATES_PROPOSED_SCHEMA: &str = "agon.team_gates_proposed/1";

/// Gates proposed from the files of a project: `agon.team_gates_proposed/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGatesProposedDoc {
    #[schemars(extend("const" = TEAM_GATES_PROPOSED_SCHEMA))]
    schema: &'static str,
    /// The gates that could be added; none of them is defined yet.
    pub proposed: Vec<ProposedGate>,
}

/// A gate that could be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProposedGate {
    /// Its name.
    pub name: GateName,
    /// The program and its arguments, run without a shell.
    pub argv: Vec<String>,
    /// The project file that it was found in.
    pub source: String,
}

/// The most gates that are proposed.
const MAX_PROPOSED: usize = 8;
/// Maximum size of a project file, in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// The most workflow files that are read.
const MAX_WORKFLOWS: usize = 20;
/// The time limit of a proposed gate, in seconds.
const TIMEOUT_S: u64 = 1_800;

/// A proposed command: the program and its arguments.
type Proposal = Vec<String>;

/// Returns the gates proposed from the files of the caller's work tree, except gates that the team
/// already has.
///
/// # Errors
///
/// If there is no team, or its gates cannot be read.
pub fn propose(caller: &Caller) -> Result<TeamGatesProposedDoc, Failure> {
    let (_, location) = open(caller)?;
    let root = location.work_tree.clone().unwrap_or(caller.cwd.clone());
    let defined = read(&location)?.gates;
    let commands = defined.values().filter_map(|gate| match gate {
        GateDefinition::Command(gate) => Some(gate.argv.clone()),
        _ => None,
    });
    let commands: BTreeSet<Vec<String>> = commands.collect();
    let mut proposed = collect_proposals(&|path| read_file(&root, path), &workflows(&root));
    proposed.retain(|gate| !commands.contains(&gate.argv) && !defined.contains_key(&gate.name));
    Ok(TeamGatesProposedDoc {
        schema: TEAM_GATES_PROPOSED_SCHEMA,
        proposed,
    })
}

/// Adds proposed gates, like `agon team gate add`.
///
/// # Errors
///
/// Fails if the caller is a member other than the lead.
pub fn add_proposed(caller: &Caller, proposed: &[ProposedGate]) -> Result<(), Failure> {
    for gate in proposed {
        let definition = GateDefinition::Command(CommandGate {
            argv: gate.argv.clone(),
            timeout_s: TIMEOUT_S,
            exit: 0,
            env: Vec::new(),
        });
        add(caller, gate.name.clone(), definition)?;
    }
    Ok(())
}

/// Collects the gates that files propose; `read` returns the text of a file. If several files name
/// the same check with different flags, the first file wins.
fn collect_proposals(
    read: &dyn Fn(&str) -> Option<String>,
    workflows: &[String],
) -> Vec<ProposedGate> {
    let mut all: Vec<ProposedGate> = Vec::new();
    let mut take = |source: &str, found: Vec<Proposal>| {
        for argv in found {
            let Some(name) = name_of(&argv) else { continue };
            if all.len() < MAX_PROPOSED && all.iter().all(|gate| gate.name != name) {
                all.push(ProposedGate {
                    name,
                    argv,
                    source: source.to_owned(),
                });
            }
        }
    };
    for (path, propose) in SOURCES {
        if let Some(text) = read(path) {
            take(path, propose(&text, read));
        }
    }
    let ci = CI_FILES.iter().map(|path| (*path).to_owned());
    for path in workflows.iter().cloned().chain(ci) {
        if let Some(text) = read(&path) {
            take(&path, propose_from_ci(&text));
        }
    }
    all
}

/// Makes a gate name from a command, such as `cargo-test`: the program and the first word that
/// names a check.
fn name_of(argv: &[String]) -> Option<GateName> {
    let (program, rest) = argv.split_first()?;
    let program = program.rsplit('/').next().unwrap_or(program);
    let word = rest
        .iter()
        .map(String::as_str)
        .find(|word| !word.starts_with('-') && !matches!(*word, "run" | "exec"));
    let does = word.filter(|word| command_line::names_check(word));
    let name = match does {
        Some(does) => format!("{program}-{does}"),
        None => program.to_owned(),
    };
    let name: String = name
        .to_lowercase()
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '-' })
        .collect();
    name.trim_matches('-').parse().ok()
}

/// Lists the workflow files of a project, sorted by name.
fn workflows(root: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root.join(WORKFLOWS)) else {
        return Vec::new();
    };
    let names = entries.flatten().map(|it| it.file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let mut names: Vec<String> = names
        .filter(|name| name.ends_with(".yml") || name.ends_with(".yaml"))
        .map(|name| format!("{WORKFLOWS}/{name}"))
        .collect();
    names.sort();
    names.truncate(MAX_WORKFLOWS);
    names
}

fn read_file(root: &Path, path: &str) -> Option<String> {
    agon_files::read_to_string(&root.join(path), MAX_BYTES).ok()
}

#[cfg(test)]
mod tests;
