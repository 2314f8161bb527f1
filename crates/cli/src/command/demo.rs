//! `agon demo`: plays a recorded debate, offline and without AI tools.

use agon_debates::read::demo;

use crate::args::{DemoArgs, Global};
use crate::error::{Exit, Failure};
use crate::outcome;
use crate::output::Out;
use crate::replaying::{self, Played};
use crate::surroundings::Surroundings;

/// The introduction for the viewer.
const ABOUT: &str = "\
A recording of language models that debate a small sample project, a job queue in Python.
Their names are invented, their words unedited. Heron was told to value simplicity, Wren guarantees.
";

/// Plays the recorded debate.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DemoArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    out.eprint_line(ABOUT);
    let mut demo = demo::demo(edge, args.keep)?;
    let played = replaying::play(edge, global, args.pace, &mut demo.playback).await?;
    if played == Played::Whole {
        outcome::print_ended(edge, global, &demo.playback.ended(), out)?;
    }
    out.eprint_line(&match &demo.kept_in {
        Some(folder) => {
            // Take the name from the folder, because a second copy is named `job-queue-2`.
            let name = folder.rsplit('/').next().unwrap_or(folder);
            format!(
                "\nSaved in {folder}: agon show {name} · agon report {name} · agon evidence {name} · \
                 agon graph {name} · agon check {name} --evidence · agon replay {name}"
            )
        }
        None => "\nSave it to explore: agon demo --keep · Start your own: agon debate \"YOUR QUESTION\"".to_owned(),
    });
    Ok(Exit::Done)
}
