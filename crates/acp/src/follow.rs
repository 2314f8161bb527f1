//! Tells the turns of a debate as they end, and what it came to.

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

// Any time would do: a wait that expires begins again.
const WAIT: Duration = Duration::from_secs(60);

/// How the telling of a debate ended.
#[derive(Clone, Debug)]
pub(crate) enum FollowEnd {
    /// The debate runs no further now.
    Idle(Box<HeardDoc>),
    /// It was to be told no longer.
    Cancelled,
}

/// Tells the turns of the debate in `path` from `cursor` on, its plan, and meanwhile the words of who
/// speaks, until it runs no further
/// or `cancel` says so.
///
/// # Errors
///
/// If nothing of it can be read.
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
            thoughts.tell_new(updates);
            !cancel.is_cancelled()
        })?;
        // The last words of a turn come before the turn itself.
        thoughts.tell_new(updates);
        for turn in &heard.turns {
            updates.say(&turn_text(turn));
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

/// Tells the turns from `cursor` on that have ended, without waiting for more.
///
/// # Errors
///
/// As [`follow`].
pub(crate) fn tell_ended_turns(
    path: &Path,
    cursor: &mut u64,
    updates: &Updates,
) -> Result<HeardDoc, Failure> {
    loop {
        let heard = turns_since(path, *cursor)?;
        for turn in &heard.turns {
            updates.say(&turn_text(turn));
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

/// A turn under a line that says whose it is.
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

/// Tells what the debate in `path` came to, or why it does not go on now and what to do about it.
///
/// # Errors
///
/// If nothing of it can be read.
pub(crate) fn tell_end(
    caller: &Caller,
    path: &Path,
    heard: &HeardDoc,
    updates: &Updates,
) -> Result<(), Failure> {
    let name = path.display().to_string();
    let shown = show::show(caller, Some(&name), &mut IgnoreNotes)?;
    let ended = &shown.ended;
    let resume = "`continue` goes on with it; nothing of what was said is lost.";
    match heard.state {
        RunState::Running => updates.say("The debate runs: `continue` shows it from here on."),
        RunState::Stopped => updates.say(&format!("The debate is stopped. {resume}")),
        RunState::Failed => {
            let why = match (&heard.error, &ended.failure) {
                (_, Some(failure)) if shown.ended.state.halted.is_some() => {
                    crate::refusal::sentence(failure)
                }
                (Some(reason), _) => reason.message.clone(),
                (None, _) => "it ended without a verdict".to_owned(),
            };
            updates.say(&format!("The debate has no verdict: {why}. {resume}"));
        }
        RunState::WaitingForPerson => {
            let awaited = ended.document().awaits;
            let forms = awaited.iter().map(|one| format!("`{}`", one.file));
            let forms: Vec<_> = forms.collect();
            updates.say(&format!(
                "The debate waits for a person: fill in {}, then `continue`.",
                forms.join(" and ")
            ));
        }
        RunState::Done => updates.say(&verdict_text(ended)),
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
