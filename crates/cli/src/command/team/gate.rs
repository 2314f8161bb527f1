//! `agon team gate`: defines and runs checks that a task must pass.

use agon_report::text::{format_duration, plain_line};
use agon_teamwork::gate::{GateSubmitted, TeamGateRunDoc, TeamGateState, TeamGatesDoc};
use agon_teamwork::{
    CommandGate, ContextGate, ContextLevel, DebateGate, EvidenceGate, GateDefinition, GateStanding,
    SwapWanted, TaskId, WantedAuthority, describe_standing, gate,
};

use super::print;
use crate::args::{GateAddArgs, GateCommand, Global};
use crate::error::{Exit, Failure};
use crate::output::{Out, align_columns};
use crate::surroundings::Surroundings;

/// The default time limits of a command and of a debate, in seconds.
const DEFAULT_LIMITS: (u64, u64) = (600, 3_600);

/// Runs `agon team gate`.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    command: &GateCommand,
    out: &mut Out,
) -> Result<Exit, Failure> {
    match command {
        GateCommand::Add(args) => {
            let document = gate::add(edge, args.name.clone(), gate_definition(args))?;
            let said = format!("gate {} added", args.name);
            print(global, &document, &said, out)
        }
        GateCommand::Rm(args) => {
            let document = gate::remove(edge, &args.name)?;
            print(
                global,
                &document,
                &format!("gate {} removed", args.name),
                out,
            )
        }
        GateCommand::Run(args) => {
            if args.apart {
                gate::detach_from_caller();
            }
            let task = match args.task {
                Some(task) => Some(task),
                // Without a task of their own, a person or the lead checks this folder only.
                None => agon_teamwork::own_task(edge, None).ok(),
            };
            let document = gate::run(edge, &args.name, task, out).await?;
            print(global, &document, &describe_run(&document), out)?;
            Ok(match document.run.passed {
                true => Exit::Done,
                false => Exit::Findings,
            })
        }
        GateCommand::Propose => super::proposed_gates::show(edge, global, out),
        GateCommand::Show(args) => {
            let document = gate::show(edge, args.name.as_ref(), args.task).await?;
            print(
                global,
                &document,
                &describe_gates(&document, edge.table_width),
                out,
            )
        }
    }
}

fn gate_definition(args: &GateAddArgs) -> GateDefinition {
    let (command_limit, debate_limit) = DEFAULT_LIMITS;
    if let Some(topic) = &args.debate {
        return GateDefinition::Debate(DebateGate {
            topic: topic.clone(),
            authority: match args.partial {
                true => WantedAuthority::Partial,
                false => WantedAuthority::Full,
            },
            swap: match args.any_swap {
                true => SwapWanted::Any,
                false => SwapWanted::Same,
            },
            timeout_s: args.seconds.unwrap_or(debate_limit),
        });
    }
    if let Some(file) = &args.evidence {
        return GateDefinition::Evidence(EvidenceGate { file: file.clone() });
    }
    match (args.context, args.review) {
        (true, _) => GateDefinition::Context(ContextGate {
            fails_at: match args.amber {
                true => ContextLevel::Amber,
                false => ContextLevel::Red,
            },
        }),
        (false, true) => GateDefinition::Review {},
        (false, false) => GateDefinition::Command(CommandGate {
            argv: args.command.clone(),
            timeout_s: args.seconds.unwrap_or(command_limit),
            exit: args.exit,
            env: args.env.clone(),
        }),
    }
}

fn describe_run(document: &TeamGateRunDoc) -> String {
    let run = &document.run;
    let passed = match run.passed {
        true => "passed",
        false => "failed",
    };
    let took = format_duration(run.took_ms);
    let outcome = plain_line(&run.outcome);
    // Check the folder first, because a pass in another folder does not count for the task.
    let elsewhere = wrong_tree_warning(document.task, document.submitted.as_ref());
    let whose = match (document.task, elsewhere.is_empty()) {
        (Some(task), true) => format!("{passed} for {task}"),
        (None, _) => format!("{passed} in this folder (not recorded: no task named)"),
        (Some(_), false) => format!("{passed} in this folder"),
    };
    let head = format!("{} {whose}: {outcome}, {took}", run.gate);
    let shown = !run.passed && !document.output_tail.is_empty();
    let tail = document.output_tail.lines().filter(|_| shown);
    let mut lines = elsewhere;
    lines.push(head);
    lines.extend(tail.map(|line| format!("  {}", plain_line(line))));
    lines.join("\n")
}

/// Warns that this folder does not contain the submitted tree, and says what to do.
fn wrong_tree_warning(task: Option<TaskId>, submitted: Option<&GateSubmitted>) -> Vec<String> {
    let (Some(task), Some(submitted)) = (task, submitted) else {
        return Vec::new();
    };
    if submitted.is_here {
        return Vec::new();
    }
    let author = &submitted.author;
    let commit = submitted
        .commit
        .as_deref()
        .unwrap_or(submitted.tree.as_str());
    let commit: String = commit.chars().take(10).collect();
    if submitted.is_own {
        return vec![format!(
            "This folder has changed since {task} was submitted (commit {commit}). Commit the changes, then run agon team task submit {task}"
        )];
    }
    let place = submitted.work_tree.as_ref();
    let place = place.map(|it| plain_line(&it.display().to_string()));
    let place = place.unwrap_or_else(|| format!("a checkout of {commit}"));
    vec![format!(
        "This folder does not contain the submission of {task} (commit {commit} by {author}). To check {task}, run the gate in {place}"
    )]
}

fn describe_gates(document: &TeamGatesDoc, width: usize) -> String {
    if document.gates.is_empty() {
        return "no gates".to_owned();
    }
    let elsewhere = wrong_tree_warning(document.task, document.submitted.as_ref());
    let rows: Vec<[String; 3]> = document
        .gates
        .iter()
        .map(|gate| {
            let does = gate.definition.as_ref().map(describe_definition);
            let does = does.unwrap_or_else(|| "required, but not defined".to_owned());
            [
                gate.name.to_string(),
                describe_gate_standing(gate),
                plain_line(&does),
            ]
        })
        .collect();
    let rows = align_columns(&rows, width);
    let mut lines = elsewhere;
    lines.push(rows.trim_end().to_owned());
    lines.join("\n")
}

fn describe_definition(definition: &GateDefinition) -> String {
    match definition {
        GateDefinition::Command(gate) => {
            format!(
                "runs {} (must exit {} within {} s)",
                gate.argv.join(" "),
                gate.exit,
                gate.timeout_s
            )
        }
        GateDefinition::Debate(gate) => format!("debates {}", gate.topic),
        GateDefinition::Evidence(gate) => format!("checks the citations in {}", gate.file),
        GateDefinition::Context(gate) => match gate.fails_at {
            ContextLevel::Red => "requires that the member's context is not red".to_owned(),
            ContextLevel::Amber => "requires that the member's context is green".to_owned(),
        },
        GateDefinition::Review {} => "requires an approval".to_owned(),
    }
}

/// Describes the result of a gate on the submitted tree or else on the tree of this folder.
fn describe_gate_standing(gate: &TeamGateState) -> String {
    match (&gate.of_submitted, &gate.standing) {
        (Some(submitted), Some(here)) if submitted != here => format!(
            "{}; in this folder {}",
            describe_result(Some(submitted)),
            describe_result(Some(here))
        ),
        (submitted, here) => describe_result(submitted.as_ref().or(here.as_ref())),
    }
}

fn describe_result(standing: Option<&GateStanding>) -> String {
    let described = standing.map(|it| plain_line(&describe_standing(Some(it))));
    described.unwrap_or_default()
}
