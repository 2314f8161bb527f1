//! A recorded debate that needs no tools and no network.

use std::sync::Arc;

use agon_caller::{Caller, Code, Failure, settings, system};
use agon_engine::host::{FolderHost, Host};
use agon_record::event::Event;
use agon_record::spec::Spec;
use agon_record::state::State;
use agon_store::RealDisk;
use serde::Deserialize;

use crate::failure::store_failure;
use crate::read::playback::{Playback, Record};

mod blobs;

/// The journal of a debate between language models about the project in `demo/project`.
///
/// Every word is what the models said. Heron was instructed to prefer the simplest thing that
/// works, and Wren a guarantee from a proven library. Both were to be brief, to read the project
/// once and to cite from memory. This is the last of four debates: two began with equal answers,
/// and in one every citation was right. The time for sessions to start, in the first calls and the
/// judge's, is left out.
const JOURNAL: &str = include_str!("../../demo/journal.jsonl");

/// A line of the journal, with the parts that are played.
#[derive(Deserialize)]
struct DemoLine {
    events: Vec<Event>,
}

/// The recorded debate.
#[derive(Debug)]
pub struct Demo {
    /// The debate.
    pub playback: Playback,
    /// Its folder, as printed; `None` if it is only played.
    pub kept_in: Option<String>,
}

/// Returns the recorded debate; with `keep`, also stores it in the folder of debates.
///
/// # Errors
///
/// If it cannot be stored.
pub fn demo(caller: &Caller, keep: bool) -> Result<Demo, Failure> {
    let record = demo_record()?;
    let kept_in = match keep {
        true => Some(store_record(caller, &record)?),
        false => None,
    };
    let folder = kept_in.clone().unwrap_or_else(|| "(recorded)".to_owned());
    let playback = Playback::open(record, folder)?;
    Ok(Demo { playback, kept_in })
}

/// Rejects continuing the recorded debate.
///
/// # Errors
///
/// If `state` is that debate.
pub(crate) fn refuse_to_continue(state: &State) -> Result<(), Failure> {
    if !state.spec.is_demo() {
        return Ok(());
    }
    let name = state.command_name();
    let message = format!(
        "{name} is the recorded debate of `agon demo`: its tools do not exist, so it cannot continue"
    );
    let failure = Failure::new(Code::Recorded, message).parameter("debate");
    Err(failure.hint("run `agon debate \"TOPIC\"` to start your own"))
}

fn demo_record() -> Result<Record, Failure> {
    let lines = JOURNAL.lines().map(serde_json::from_str::<DemoLine>);
    let lines = lines.map(|line| line.map(|line| line.events));
    let lines: Result<Record, _> = lines.collect();
    lines.map_err(|error| Failure::from_error(Code::Demo, &error))
}

/// Stores the debate in the folder of debates and returns its folder.
fn store_record(caller: &Caller, record: &Record) -> Result<String, Failure> {
    let settings = settings::read_settings(caller)?;
    let debates_dir = settings.debates_dir;
    let Some((Event::Opened(spec), rest)) = record.first().and_then(|line| line.split_first())
    else {
        return Err(Failure::new(
            Code::Demo,
            "the record does not open a debate",
        ));
    };
    let spec = Spec {
        ulid: system::new_ulid(),
        ..(**spec).clone()
    };
    let parent = caller.cwd.join(&debates_dir);
    let mut host = FolderHost::create(Arc::new(RealDisk), &parent, spec, system::now_ms)
        .map_err(|error| store_failure(&error))?;
    // Store the cited files, so that `agon check` can look up the citations again.
    blobs::BLOBS
        .iter()
        .try_for_each(|bytes| host.store_blob(bytes))
        .map_err(|error| store_failure(&error))?;
    // Write one journal line for each recorded line, because the demo is played line by line.
    let mut lines = std::iter::once(rest).chain(record.iter().skip(1).map(Vec::as_slice));
    lines
        .try_for_each(|line| match line {
            [] => Ok(()),
            line => host.record(line),
        })
        .and_then(|()| host.publish_documents())
        .map_err(|error| store_failure(&error))?;
    Ok(caller.display_path(host.folder().path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_debate_is_known_by_its_salt_and_no_other_is() {
        let record = demo_record().unwrap();
        let Event::Opened(spec) = &record[0][0] else {
            panic!("it opens a debate");
        };
        assert!(spec.is_demo());
        assert!(!agon_samples::batches::spec().is_demo());
    }
}
