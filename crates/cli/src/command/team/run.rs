//! `agon team run` and `agon team land`.

use agon_report::text::plain_line;
use agon_teamwork::{RunRequest, RunStage, RunTaskReport, TeamLandedDoc, TeamRunDoc};

use super::print;
use super::proposed_gates::{GatesOfRun, offer_gates};
use crate::args::{Global, LandArgs, TeamRunArgs};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::surroundings::Surroundings;

/// Works towards a goal with members that Agon starts.
pub(super) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &TeamRunArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let request = RunRequest {
        goal: args.goal.clone(),
        resume: args.resume,
        hosts: args.host.clone(),
        gates: (!args.gate.is_empty() || args.no_gates)
            .then(|| args.gate.iter().cloned().collect()),
        agreed: args.agreed,
        max_tokens: args.max_tokens,
        profile: args.team_profile.clone(),
    };
    if request.resume.is_none() {
        let gates = GatesOfRun {
            named: request.gates.as_ref(),
            yes: args.yes,
        };
        offer_gates(edge, global, &gates, out).await?;
        super::worktree::warn_of_missing_files(edge, out).await?;
    }
    let document = Box::pin(agon_teamwork::run(edge, &request, out)).await?;
    print(global, &document, &describe_run_result(&document), out)?;
    Ok(match document.run.stage {
        RunStage::Done => Exit::Done,
        _ => Exit::Lesser,
    })
}

fn describe_run_result(document: &TeamRunDoc) -> String {
    let run = &document.run;
    let mut lines = vec![format!("{}: {}", run.run, run.stage.as_str())];
    if let Some(note) = &run.note {
        lines.push(note.clone());
    }
    if document.report.is_empty() {
        let plan = run.plan.iter().flatten();
        lines.extend(
            (1..)
                .zip(plan)
                .map(|(place, task)| format!("  {place}. {}", task.title)),
        );
    }
    for row in &document.report {
        let task = &row.task;
        let by: Vec<String> = task.workers.iter().map(ToString::to_string).collect();
        let merged = row
            .merged
            .as_deref()
            .map(|commit| format!(", merged as {commit}"));
        lines.push(format!(
            "  {} {}: {}{}, {} by {}{}",
            task.id,
            task.title,
            task.state,
            if row.unchecked { " (unchecked)" } else { "" },
            row.role,
            by.join(" "),
            merged.unwrap_or_default()
        ));
    }
    lines.extend(document.nothing_executed.clone());
    lines.push(format!("branch {}, {} tokens", document.branch, run.tokens));
    if run.stage == RunStage::Done {
        lines.push(format!("next: agon team land {}", run.run));
    } else if document.report.iter().any(|it| it.merged.is_none()) {
        let is_open = |it: &RunTaskReport| it.merged.is_none() && !it.task.state.is_final();
        lines.push(match document.report.iter().any(is_open) {
            true => format!("next: agon team run --resume {}", run.run),
            false => format!(
                "next: agon team land {} (only the merged tasks; start a new run for the rest)",
                run.run
            ),
        });
    }
    let lines: Vec<String> = lines.iter().map(|line| indented(line)).collect();
    lines.join("\n")
}

/// Returns a line without control characters, with its indentation.
fn indented(line: &str) -> String {
    let words = line.trim_start();
    let depth = line.len() - words.len();
    format!("{}{}", " ".repeat(depth), plain_line(words))
}

/// Moves the current branch to the result of a run.
pub(super) async fn land(
    edge: &Surroundings,
    global: &Global,
    args: &LandArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let document = agon_teamwork::land(edge, args.run).await?;
    let how = match document.fast_forward {
        true => "moved forward to",
        false => "was merged and is at",
    };
    let mut said = format!("{} {how} {}", plain_line(&document.branch), document.commit);
    if !document.left_out.is_empty() {
        said.push_str(&describe_missing_tasks(&document));
    }
    for file in &document.configures {
        said.push_str(&format!(
            "\nread this before you start an AI tool here, because it configures one: {}",
            plain_line(file)
        ));
    }
    said.push_str("\nnext: agon team clean (removes work trees and branches of finished members)");
    print(global, &document, &said, out)?;
    Ok(Exit::Done)
}

/// Describes the tasks that are missing from a run's branch, and how to add them.
fn describe_missing_tasks(document: &TeamLandedDoc) -> String {
    let (run, all) = (document.run, document.tasks);
    let taken = all.saturating_sub(document.left_out.len());
    let mut said = format!("\n{taken} of {all} tasks of {run} are included; missing:");
    for task in &document.left_out {
        said.push_str(&format!(
            "\n  {}: {}",
            plain_line(&task.title),
            plain_line(&task.why)
        ));
    }
    if let Some(note) = &document.note {
        said.push_str(&format!("\nthe run stopped: {}", plain_line(note)));
    }
    let is_open = document.left_out.iter().any(|it| !it.state.is_final());
    said.push_str(&match is_open {
        true => format!("\nto finish them: agon team run --resume {run}, then land it again"),
        false => "\nto do the rest, start a new run: agon team run GOAL".to_owned(),
    });
    said
}
