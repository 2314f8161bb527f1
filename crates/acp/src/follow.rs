//! Sends the turns of a debate when they end, and then its outcome.

use std::path::Path;
use std::time::{Duration, Instant};

use agon_caller::{Caller, Failure, IgnoreNotes};
use agon_debates::read::show;
use agon_debates::request::Judging;
use agon_debates::status::RunState;
use agon_debates::status::new_turns::{HeardDoc, HeardTurn, turns_since, wait_for_turns};
use agon_debates::status::stages::{DebateStage, stages};
use agon_report::screen::{UNLIMITED, conclusion_lines};
use agon_report::verdict_md;
use tokio_util::sync::CancellationToken;

use crate::thoughts::Thoughts;
use crate::updates::Updates;

// Any value works, because the wait starts again when it expires.
const WAIT: Duration = Duration::from_secs(60);

/// The reason why following a debate ended.
#[derive(Clone, Debug)]
pub(crate) enum FollowEnd {
    /// The debate is not running any more.
    Idle(Box<HeardDoc>),
    /// The client cancelled or disconnected.
    Cancelled,
}

/// Sends the plan, the turns and the live words of the debate in `path`, starting at `cursor`,
/// until it stops running or `cancel` is cancelled.
///
/// # Errors
///
/// Returns an error if no part of the debate can be read.
pub(crate) fn follow(
    path: &Path,
    cursor: &mut u64,
    updates: &Updates,
    thoughts: &mut Thoughts<'_>,
    cancel: &CancellationToken,
) -> Result<FollowEnd, Failure> {
    let mut shown = Vec::new();
    loop {
        show_new_plan(path, updates, &mut shown)?;
        let until = Instant::now() + WAIT;
        let heard = wait_for_turns(path, *cursor, until, |_| {
            thoughts.send_new(updates);
            !cancel.is_cancelled()
        })?;
        // Send the last streamed words before the finished turn that contains them.
        thoughts.send_new(updates);
        for turn in &heard.turns {
            updates.send_paragraph(&turn_text(turn));
        }
        *cursor = heard.cursor;
        if cancel.is_cancelled() {
            return Ok(FollowEnd::Cancelled);
        }
        if heard.turns.is_empty() && heard.state != RunState::Running {
            show_new_plan(path, updates, &mut shown)?;
            return Ok(FollowEnd::Idle(Box::new(heard)));
        }
    }
}

/// Sends the ended turns, starting at `cursor`, without waiting for more.
///
/// # Errors
///
/// Returns an error if no part of the debate can be read.
pub(crate) fn send_ended_turns(
    path: &Path,
    cursor: &mut u64,
    updates: &Updates,
) -> Result<HeardDoc, Failure> {
    loop {
        let heard = turns_since(path, *cursor)?;
        for turn in &heard.turns {
            updates.send_paragraph(&turn_text(turn));
        }
        *cursor = heard.cursor;
        if heard.waiting == 0 {
            updates.show_plan(&stages(path)?);
            return Ok(heard);
        }
    }
}

fn show_new_plan(
    path: &Path,
    updates: &Updates,
    shown: &mut Vec<DebateStage>,
) -> Result<(), Failure> {
    let now = stages(path)?;
    if now != *shown {
        updates.show_plan(&now);
        *shown = now;
    }
    Ok(())
}

/// Formats a turn under a heading with its seat.
fn turn_text(turn: &HeardTurn) -> String {
    let mut head = turn.seat.to_string();
    if let Some(tool) = &turn.tool {
        head.push_str(&format!(" ({tool}"));
        if let Some(model) = &turn.model {
            head.push_str(&format!(", {model}"));
        }
        head.push(')');
    }
    if let Some(round) = turn.round {
        head.push_str(&format!(" · round {round}"));
    }
    let rest = match turn.cut {
        true => "\n\n… the rest is in transcript.md",
        false => "",
    };
    format!("### {head}\n\n{}{rest}", turn.text)
}

/// Sends the verdict of the debate in `path`, or why it is not running and what to do.
///
/// # Errors
///
/// Returns an error if no part of the debate can be read.
pub(crate) fn send_outcome(
    caller: &Caller,
    path: &Path,
    heard: &HeardDoc,
    updates: &Updates,
) -> Result<(), Failure> {
    let name = path.display().to_string();
    let shown = show::show(caller, Some(&name), &mut IgnoreNotes)?;
    let ended = &shown.ended;
    let resume = "Nothing is lost; type `continue` to resume it.";
    match heard.state {
        RunState::Running => {
            updates.send_paragraph("The debate is running; type `continue` to follow it.")
        }
        RunState::Stopped => updates.send_paragraph(&format!("The debate is stopped. {resume}")),
        RunState::Failed => {
            let why = match (&heard.error, &ended.failure) {
                (_, Some(failure)) if shown.ended.state.halted.is_some() => {
                    crate::refusal::sentence(failure)
                }
                (Some(reason), _) => reason.message.clone(),
                (None, _) => "it ended without a verdict".to_owned(),
            };
            updates.send_paragraph(&format!("The debate has no verdict: {why}. {resume}"));
        }
        RunState::WaitingForPerson => {
            let awaited = ended.document().awaits;
            let forms = awaited.iter().map(|one| format!("`{}`", one.file));
            let forms: Vec<_> = forms.collect();
            updates.send_paragraph(&format!(
                "The debate waits for a person: fill in {}, then type `continue`.",
                forms.join(" and ")
            ));
        }
        RunState::Done => updates.send_paragraph(&verdict_text(ended)),
    }
    Ok(())
}

fn verdict_text(ended: &agon_debates::status::outcome::Ended) -> String {
    let document = ended.document();
    let folder = &document.paths.folder;
    if ended.state.format_rules().judging == Judging::EachRound {
        let lines = conclusion_lines(&ended.state, || ended.verdict(), folder, UNLIMITED);
        let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
        return format!(
            "```text\n{}\n```\n\nThe whole debate: `{folder}`",
            lines.join("\n")
        );
    }
    let verdict = ended
        .verdict()
        .map(|verdict| verdict_md(&ended.state, verdict))
        .unwrap_or_default();
    let authority = document
        .authority
        .map_or("none", |authority| authority.name());
    let wrong: Vec<_> = document
        .citations_wrong
        .iter()
        .map(ToString::to_string)
        .collect();
    let wrong = match wrong.as_slice() {
        [] => "none".to_owned(),
        wrong => wrong.join(", "),
    };
    format!(
        "{}\n\n---\n\nAuthority: **{authority}** · wrong citations: {wrong} · the whole debate: \
         `{folder}`",
        verdict.trim_end()
    )
}
