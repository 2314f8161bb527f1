//! `agon team`: several agents on one repository.

mod board;
mod clean;
mod gate;
mod lock;
mod mail;
mod next_steps;
mod policy;
mod proposed_gates;
mod record;
mod run;
mod start;
mod task;
mod task_view;
mod usage;
mod worktree;

use agon_caller::find::quote_for_shell;
use agon_report::text::plain_line;
use agon_teamwork::JoinRequest;

use crate::args::{DepCommand, Global, PrecommitCommand, TeamCommand};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;
use crate::telemetry;

/// Runs `agon team`, and sends traces of commands that change the team.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &TeamCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let traces = match is_traced(command) {
        true => telemetry::start(edge, out)?,
        false => None,
    };
    let exit = dispatch(edge, global, command, out).await;
    if let Some(traces) = traces {
        traces.end(out);
    }
    exit
}

/// Whether a command emits spans; other commands do not need a collector.
const fn is_traced(command: &TeamCommand) -> bool {
    matches!(
        command,
        TeamCommand::Task { .. }
            | TeamCommand::Dep { .. }
            | TeamCommand::Lock { .. }
            | TeamCommand::Mail { .. }
            | TeamCommand::Gate { .. }
            | TeamCommand::Review(_)
            | TeamCommand::Start(_)
            | TeamCommand::Turn(_)
            | TeamCommand::Run(_)
    )
}

async fn dispatch(
    edge: &Surroundings,
    global: &Global,
    command: &TeamCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        TeamCommand::Init => {
            let document = agon_teamwork::init(edge)?;
            let state = match document.begun {
                true => "Created the team",
                false => "The team exists already",
            };
            let path = plain_line(&document.path.display().to_string());
            let next = "next: agon team join NAME --role lead --host HOST\nthen in each member's work tree: agon team join NAME --role ROLE --host HOST";
            print(global, &document, &format!("{state}: {path}\n{next}"), out)
        }
        TeamCommand::Join(args) => {
            let request = JoinRequest {
                name: args.name.clone(),
                role: args.role.clone(),
                host: args.host.clone(),
            };
            let document = agon_teamwork::join(edge, &request)?;
            let next = match document.role.as_str() {
                "lead" => "agon team task add TITLE",
                _ => "agon team task claim",
            };
            let (member, role) = (&document.member, &document.role);
            let warning = document.warning.as_ref();
            let warning = warning
                .map(|it| format!("\nwarning: {it}"))
                .unwrap_or_default();
            let said = format!("{member} joined as {role}{warning}\nnext: {next}");
            print(global, &document, &said, out)
        }
        TeamCommand::Leave(args) => {
            let document = agon_teamwork::leave(edge, args.name.as_ref())?;
            let gone = &document.member;
            let next = document.work_tree.as_ref().map(|tree| {
                let tree = quote_for_shell(&tree.to_string_lossy());
                format!(
                    "\nnext: once its work is merged, remove its work tree: \
                     git worktree remove {tree}"
                )
            });
            let said = format!("{gone} left{}", next.unwrap_or_default());
            print(global, &document, &said, out)
        }
        TeamCommand::Status(args) => board::run(edge, global, args, out).await,
        TeamCommand::Start(args) => start::start(edge, global, args, out).await,
        TeamCommand::Run(args) => run::run(edge, global, args, out).await,
        TeamCommand::Land(args) => run::land(edge, global, args, out).await,
        TeamCommand::Clean(args) => clean::run(edge, global, args, out).await,
        TeamCommand::Worktree { command } => worktree::run(edge, global, command, out),
        TeamCommand::Turn(args) => start::turn(edge, args, out).await,
        TeamCommand::Watch(args) => start::watch(edge, global, args, out).await,
        TeamCommand::Task { command } => task::run(edge, global, command, out).await,
        TeamCommand::Gate { command } => gate::run(edge, global, command, out).await,
        TeamCommand::Precommit { command } => {
            let document = match command {
                PrecommitCommand::Add => agon_teamwork::precommit::add(edge).await,
                PrecommitCommand::Rm => agon_teamwork::precommit::remove(edge).await,
            }?;
            let state = match document.is_there {
                true => "installed",
                false => "not installed",
            };
            let path = plain_line(&document.path.display().to_string());
            let elsewhere = document.not_held_in.iter().map(|tree| {
                let tree = plain_line(&tree.display().to_string());
                format!(
                    "\nIt has no effect in {tree}, because git uses another hooks folder there."
                )
            });
            let elsewhere: String = elsewhere.collect();
            print(
                global,
                &document,
                &format!("pre-commit hook of the team {state}: {path}{elsewhere}"),
                out,
            )
        }
        TeamCommand::Policy { command } => policy::run(edge, global, command, out),
        TeamCommand::Lock { command } => lock::run(edge, global, command, out).await,
        TeamCommand::Mail { command } => mail::run(edge, global, command, out),
        TeamCommand::Review(args) => record::review(edge, global, args, out),
        TeamCommand::Log(args) => record::log(edge, global, args, out).await,
        TeamCommand::Usage(args) => usage::run(edge, global, args, out),
        TeamCommand::Export(args) => record::export(edge, global, args, out),
        TeamCommand::Import(args) => record::import(edge, global, args, out).await,
        TeamCommand::Doctor(args) => record::doctor(edge, global, args, out).await,
        TeamCommand::Dep { command } => {
            let document = match command {
                DepCommand::Add(args) => agon_teamwork::add_need(edge, args.task, args.needed),
                DepCommand::Rm(args) => agon_teamwork::remove_need(edge, args.task, args.needed),
            }?;
            let (DepCommand::Add(args) | DepCommand::Rm(args)) = command;
            let needs = match command {
                DepCommand::Add(_) => "depends on",
                DepCommand::Rm(_) => "no longer depends on",
            };
            let said = format!("{} {needs} {}", args.task, args.needed);
            print(global, &document, &said, out)
        }
    }
}

/// Prints a document or, without `--json`, a text for a person.
fn print(
    global: &Global,
    document: &impl serde::Serialize,
    text: &str,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match global.json {
        true => out.write_json(document)?,
        false => out.write_prose(text)?,
    }
    Ok(Exit::Done)
}
