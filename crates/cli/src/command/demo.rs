//! `agon demo`: a recorded debate, without any tool and without a network.

use agon_app::demo;

use crate::args::{DemoArgs, Global};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::{outcome, replaying};

/// Plays the recorded debate.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &DemoArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    out.eprint_line(
        "A recorded debate about this program, played back: no tool is called.\nOne AI model sat in \
         all three seats, in three sessions. Both sides began with the same answer, to keep the \
         file, so it shows how an answer is tested and not how two are weighed.\nWhat they said is \
         theirs; prompts, rules, stamps and the verdict's figures are the program's.\n",
    );
    let mut demo = demo::demo(edge, args.keep, args.pace.speed)?;
    replaying::play(edge, global, &mut demo.playback).await?;
    outcome::print_ended(edge, global, &demo.playback.ended(), out)?;
    let slug = &demo.playback.state().spec.slug;
    out.eprint_line(&match &demo.kept_in {
        Some(folder) => format!(
            "\nIt stands in {folder}: agon show {slug} --section transcript · agon evidence {slug} · \
             agon check {slug} --evidence · agon recall journal · agon report {slug}"
        ),
        None => "\nagon demo --keep puts it into a folder to look around in; agon tools says what \
                 a debate of your own needs"
            .to_owned(),
    });
    Ok(Exit::Done)
}
