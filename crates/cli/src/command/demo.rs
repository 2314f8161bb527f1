//! `agon demo`: a recorded debate, without any tool and without a network.

use std::sync::Arc;

use agon_engine::host::{FolderHost, Host};
use agon_record::event::Event;
use agon_store::RealDisk;
use serde::Deserialize;

use crate::args::{DemoArgs, Global};
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::replaying::{self, Record};
use crate::{hosts, running, screen, settings};

/// The journal of the debate, as it was written.
const JOURNAL: &str = include_str!("../../demo/journal.jsonl");

/// A line of it, as far as it is played.
#[derive(Deserialize)]
struct Line {
    events: Vec<Event>,
}

/// Plays the recorded debate.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &DemoArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let record = record()?;
    out.note(
        "A recorded debate about this program: three sessions of an AI model argued it, and none is \
         called now.\nWhat they said is theirs; prompts, rules, stamps and the verdict's figures \
         are the program's.\n",
    );
    let kept = match args.keep {
        true => Some(keep(edge, global, &record)?),
        false => None,
    };
    let folder = kept.as_deref().unwrap_or("(recorded)");
    let mut screen = screen::replaying(edge, global.json);
    let replay = replaying::play(edge, (&record, folder), args.pace, &mut screen).await?;
    running::print(edge, global, replay.state(), folder, out)?;
    let slug = &replay.state().spec.slug;
    out.note(&match kept {
        Some(folder) => format!(
            "\nIt stands in {folder}: agon show {slug} --section turns · agon evidence {slug} · \
             agon report {slug} --html"
        ),
        None => "\nagon demo --keep puts it into a folder to look around in; agon tools says what \
                 a debate of your own needs"
            .to_owned(),
    });
    Ok(Exit::Done)
}

fn record() -> Result<Record, Failure> {
    let lines = JOURNAL.lines().map(serde_json::from_str::<Line>);
    let lines = lines.map(|line| line.map(|line| line.events));
    let lines: Result<Record, _> = lines.collect();
    lines.map_err(|error| Failure::from_error(Exit::Bug, "demo", &error))
}

/// Puts the debate into the folder of debates; where it stands then.
fn keep(edge: &Edge, global: &Global, record: &Record) -> Result<String, Failure> {
    let settings = settings::resolve(edge, global, &agon_config::Settings::default())?.settings;
    let debates_dir = settings.debates_dir.unwrap_or_else(|| "debates".into());
    let Some((Event::Opened(spec), rest)) = record.first().and_then(|line| line.split_first())
    else {
        return Err(Failure::new(
            Exit::Bug,
            "demo",
            "the record opens no debate",
        ));
    };
    let spec = agon_record::spec::Spec {
        ulid: edge::new_ulid(),
        ..(**spec).clone()
    };
    let parent = edge.cwd.join(&debates_dir);
    let mut host = FolderHost::create(Arc::new(RealDisk), &parent, spec, edge::now_ms)
        .map_err(|error| running::store_failure(&error))?;
    // A line for each line: they are what it is played again by.
    let mut lines = std::iter::once(rest).chain(record.iter().skip(1).map(Vec::as_slice));
    lines
        .try_for_each(|line| match line {
            [] => Ok(()),
            line => host.record(line),
        })
        .and_then(|()| host.publish())
        .map_err(|error| running::store_failure(&error))?;
    hosts::last_debate(edge, &debates_dir, host.state())
        .map_err(|error| running::store_failure(&error))?;
    Ok(running::shown(edge, host.folder().path()))
}
