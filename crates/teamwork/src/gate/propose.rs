//! Gates that a project's own files propose. They are read as data: nothing of them runs before the
//! lead or a person adds them.

mod command_line;
mod sources;

use std::collections::BTreeSet;
use std::path::Path;

use agon_caller::{Caller, Failure};
use agon_team::gate::{CommandGate, GateDefinition};
use agon_team::id::GateName;
use schemars::JsonSchema;
use serde::Serialize;

use self::sources::{CI_FILES, SOURCES, WORKFLOWS, read_ci};
use super::definitions::{add, read};
use crate::door::open;

/// The name and version of the document of proposed gates.
pub const TEAM_GATES_PROPOSED_SCHEMA: &str = "agon.team_gates_proposed/1";

/// Gates that the files of a project propose: `agon.team_gates_proposed/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamGatesProposedDoc {
    #[schemars(extend("const" = TEAM_GATES_PROPOSED_SCHEMA))]
    schema: &'static str,
    /// Each gate that could be added. None of them is defined.
    pub proposed: Vec<ProposedGate>,
}

/// A gate that could be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProposedGate {
    /// Its name.
    pub name: GateName,
    /// The program and its arguments; no shell reads them.
    pub argv: Vec<String>,
    /// The file of the project that it comes from.
    pub source: String,
}

/// The most gates that are proposed.
const MAX_PROPOSED: usize = 8;
/// The most bytes of a project's file that are read.
const MAX_BYTES: u64 = 1 << 20;
/// The most workflows of a project that are read.
const MAX_WORKFLOWS: usize = 20;
/// How long a proposed gate may take, in seconds.
const TIMEOUT_S: u64 = 1_800;

/// What a file proposes: the program with its arguments.
type Proposal = Vec<String>;

/// The gates that the files of the caller's work tree propose, without those that the team has.
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
    let mut proposed = proposed_by(&|path| read_file(&root, path), &workflows(&root));
    proposed.retain(|gate| !commands.contains(&gate.argv) && !defined.contains_key(&gate.name));
    Ok(TeamGatesProposedDoc {
        schema: TEAM_GATES_PROPOSED_SCHEMA,
        proposed,
    })
}

/// Adds proposed gates, as `agon team gate add` does.
///
/// # Errors
///
/// If the caller is a member who does not lead.
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

/// The gates that files propose, of which `read` has the text. The first file that names a check wins
/// over later ones that name it with other flags.
fn proposed_by(read: &dyn Fn(&str) -> Option<String>, workflows: &[String]) -> Vec<ProposedGate> {
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
            take(&path, read_ci(&text));
        }
    }
    all
}

/// A name made of a command, such as `cargo-test`: its program and the first word that says what it
/// does.
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

/// The workflows of a project, by name.
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
