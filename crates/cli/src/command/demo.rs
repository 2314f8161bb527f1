//! `agon demo`: a recorded debate, without any tool and without a network.

use std::sync::Arc;

use agon_app::{last_debate, settings, system};
use agon_engine::host::{FolderHost, Host};
use agon_record::event::Event;
use agon_store::RealDisk;
use serde::Deserialize;

use crate::args::{DemoArgs, Global};
use crate::edge::Edge;
use crate::error::{Exit, Failure, FailureKind};
use crate::output::Out;
use crate::replaying::Record;
use crate::{outcome, replaying, screen};

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
        true => Some(keep(edge, &record)?),
        false => None,
    };
    let folder = kept.as_deref().unwrap_or("(recorded)");
    let mut screen = screen::replaying(edge, global.json);
    let replay = replaying::play(edge, (&record, folder), args.pace, &mut screen).await?;
    outcome::print_state(edge, global, replay.state(), folder, out)?;
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
    lines.map_err(|error| Failure::from_error(FailureKind::Bug, "demo", &error))
}

/// Puts the debate into the folder of debates; where it stands then.
fn keep(edge: &Edge, record: &Record) -> Result<String, Failure> {
    let settings = settings::of(edge)?;
    let debates_dir = settings.debates_dir;
    let Some((Event::Opened(spec), rest)) = record.first().and_then(|line| line.split_first())
    else {
        return Err(Failure::new(
            FailureKind::Bug,
            "demo",
            "the record opens no debate",
        ));
    };
    let spec = agon_record::spec::Spec {
        ulid: system::new_ulid(),
        ..(**spec).clone()
    };
    let parent = edge.cwd.join(&debates_dir);
    let mut host = FolderHost::create(Arc::new(RealDisk), &parent, spec, system::now_ms)
        .map_err(|error| agon_app::store_failure(&error))?;
    // A line for each line: they are what it is played again by.
    let mut lines = std::iter::once(rest).chain(record.iter().skip(1).map(Vec::as_slice));
    lines
        .try_for_each(|line| match line {
            [] => Ok(()),
            line => host.record(line),
        })
        .and_then(|()| host.publish())
        .map_err(|error| agon_app::store_failure(&error))?;
    last_debate::write(edge, &debates_dir, host.state())
        .map_err(|error| agon_app::store_failure(&error))?;
    Ok(edge.shown(host.folder().path()))
}
