//! `agon replay`: a debate again from its record, and what differs.

use agon_app::replay::{self, ReplayDoc};
use agon_report::text::counted;

use crate::args::{Global, ReplayArgs};
use crate::edge::Surroundings;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::{outcome, replaying};

/// Plays a debate again; exit 8 when something differs.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ReplayArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut replayed = replay::replay(edge, args.debate.as_deref(), args.pace.speed, out)?;
    replaying::play(edge, global, &mut replayed.playback).await?;
    let document = replayed.document();
    if global.json {
        out.json(&document)?;
    } else {
        outcome::print_ended(edge, global, &replayed.playback.ended(), out)?;
        out.line("")?;
        print(&document, out)?;
    }
    Ok(match document.same {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

fn print(document: &ReplayDoc, out: &mut Out) -> Result<(), Failure> {
    let made = format!(
        "{}, {} and {} made again",
        counted(document.prompts, "prompt"),
        counted(document.decisions, "decision"),
        counted(document.files, "document"),
    );
    match (document.same, document.not_compared.is_empty()) {
        (true, true) => out.line(&format!("{made}: byte for byte as they were"))?,
        (true, false) => out.line(&format!("{made}: what can be compared is as it was"))?,
        (false, _) => out.line(&format!(
            "{made}; {}:",
            counted(document.differences.len() as u64, "difference")
        ))?,
    }
    let mut each = document.differences.iter();
    each.try_for_each(|difference| out.line(&format!("  {difference}")))?;
    let mut each = document.not_compared.iter();
    each.try_for_each(|what| out.line(&format!("not compared: {what}")))
}
