//! `agon replay`: a debate again from its record, and what differs.

use std::path::Path;

use agon_debate::state::State;
use agon_engine::host::files;
use agon_engine::replay::Replay;
use agon_report::text::counted;
use agon_store::Recorded;
use schemars::JsonSchema;
use serde::Serialize;

use crate::args::{Global, ReplayArgs};
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::replaying::{self, Record};
use crate::{running, screen};

/// The name and version of the document.
pub(crate) const REPLAY_SCHEMA: &str = "agon.replay/1";

/// What came of playing a debate again.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ReplayDoc {
    /// `agon.replay/1`.
    schema: &'static str,
    /// The debate.
    debate: String,
    /// Prompts that were made again.
    prompts: u64,
    /// Decisions that were made again.
    decisions: u64,
    /// What came from outside, taken from the record: replies, stamps, wishes.
    outcomes: u64,
    /// Documents that were made again.
    files: u64,
    /// Whether all of it is as it was.
    same: bool,
    /// What is not.
    differences: Vec<String>,
}

/// Plays a debate again; exit 8 when something differs.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ReplayArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    which::note_problems(&view, &view.state.spec.slug, out);
    let record = lines(view.events);
    let folder = running::shown(edge, &path);
    let mut screen = screen::replaying(edge, global.json);
    let replay = replaying::play(edge, (&record, &folder), args.pace, &mut screen).await?;
    let (count, changed) = documents(&path, replay.state());
    let document = document(&replay, (count, changed));
    if global.json {
        out.json(&document)?;
    } else {
        running::print(edge, global, replay.state(), &folder, out)?;
        out.line("")?;
        told(&document, out)?;
    }
    Ok(match document.same {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

/// The events of each line of a journal.
fn lines(events: Vec<Recorded>) -> Record {
    let mut record = Record::new();
    let mut last = None;
    for recorded in events {
        match record.last_mut() {
            Some(line) if last == Some(recorded.seq) => line.push(recorded.event),
            Some(_) | None => record.push(vec![recorded.event]),
        }
        last = Some(recorded.seq);
    }
    record
}

/// How many documents the debate has, and those that are not as they would be made now.
fn documents(path: &Path, state: &State) -> (u64, Vec<String>) {
    let files = files(state);
    let changed = files.iter().filter(|(name, bytes)| {
        let there = std::fs::read(path.join(name.as_str()));
        there.ok().as_ref() != Some(bytes)
    });
    let changed =
        changed.map(|(name, _)| format!("{}: another text would stand there", name.as_str()));
    (files.len() as u64, changed.collect())
}

fn document(replay: &Replay, (files, changed): (u64, Vec<String>)) -> ReplayDoc {
    let differences = replay.differences().iter().map(ToString::to_string);
    let differences: Vec<_> = differences.chain(changed).collect();
    let played = replay.played();
    ReplayDoc {
        schema: REPLAY_SCHEMA,
        debate: replay.state().spec.slug.clone(),
        prompts: played.prompts,
        decisions: played.decisions,
        outcomes: played.outcomes,
        files,
        same: differences.is_empty(),
        differences,
    }
}

fn told(document: &ReplayDoc, out: &mut Out) -> Result<(), Failure> {
    let made = format!(
        "{}, {} and {} made again",
        counted(document.prompts, "prompt"),
        counted(document.decisions, "decision"),
        counted(document.files, "document"),
    );
    if document.same {
        return out.line(&format!("{made}: byte for byte as they were"));
    }
    out.line(&format!(
        "{made}; {}:",
        counted(document.differences.len() as u64, "difference")
    ))?;
    let mut each = document.differences.iter();
    each.try_for_each(|difference| out.line(&format!("  {difference}")))
}
