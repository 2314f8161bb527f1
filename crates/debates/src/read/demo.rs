//! A recorded debate, without any tool and without a network.

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

/// The journal of a debate about the project in `demo/project`, between sessions of language models.
///
/// Every word is as the models said it. Heron's standing instructions were to prefer the simplest
/// thing that works, Wren's to prefer a guarantee that a proven library gives. Both were to be brief,
/// and to read the project once and cite from memory. Of four debates that were begun this is the last:
/// two began with equal answers, and in one every citation was right. The first calls and the judges'
/// waited for their sessions to start: that time is left out.
const JOURNAL: &str = include_str!("../../demo/journal.jsonl");

/// A line of it, as far as it is played.
#[derive(Deserialize)]
struct DemoLine {
    events: Vec<Event>,
}

/// The recorded debate.
#[derive(Debug)]
pub struct Demo {
    /// The debate.
    pub playback: Playback,
    /// Where it was put, as it is shown; none where it is only played.
    pub kept_in: Option<String>,
}

/// The recorded debate, which is put into the folder of debates where it is to be kept.
///
/// # Errors
///
/// If it cannot be kept.
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

/// Refuses to go on with the recorded debate.
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
        "{name} is the recorded debate of `agon demo`: its tools do not exist, so it cannot go on"
    );
    let failure = Failure::new(Code::Recorded, message).parameter("debate");
    Err(failure.hint("agon debate \"TOPIC\" starts one of your own"))
}

fn demo_record() -> Result<Record, Failure> {
    let lines = JOURNAL.lines().map(serde_json::from_str::<DemoLine>);
    let lines = lines.map(|line| line.map(|line| line.events));
    let lines: Result<Record, _> = lines.collect();
    lines.map_err(|error| Failure::from_error(Code::Demo, &error))
}

/// Puts the debate into the folder of debates; where it stands then.
fn store_record(caller: &Caller, record: &Record) -> Result<String, Failure> {
    let settings = settings::read_settings(caller)?;
    let debates_dir = settings.debates_dir;
    let Some((Event::Opened(spec), rest)) = record.first().and_then(|line| line.split_first())
    else {
        return Err(Failure::new(Code::Demo, "the record opens no debate"));
    };
    let spec = Spec {
        ulid: system::new_ulid(),
        ..(**spec).clone()
    };
    let parent = caller.cwd.join(&debates_dir);
    let mut host = FolderHost::create(Arc::new(RealDisk), &parent, spec, system::now_ms)
        .map_err(|error| store_failure(&error))?;
    // With them the debate's citations can be checked again.
    blobs::BLOBS
        .iter()
        .try_for_each(|bytes| host.store_blob(bytes))
        .map_err(|error| store_failure(&error))?;
    // A line for each line: they are what it is played again by.
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
