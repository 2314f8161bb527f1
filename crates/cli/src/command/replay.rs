//! `agon replay`: replays a debate from its record and reports differences.

use agon_debates::read::replay;
use agon_debates::read::replay::ReplayDoc;
use agon_report::text::count_with_noun;

use crate::args::{Global, ReplayArgs};
use crate::error::{Code, Exit, Failure};
use crate::output::Out;
use crate::replaying::Played;
use crate::surroundings::Surroundings;
use crate::{outcome, replaying};

/// Replays a debate; exits with 8 if something differs.
pub(crate) async fn run(
    edge: &Surroundings,
    global: &Global,
    args: &ReplayArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let mut replayed = replay::open_replay(edge, args.debate.as_deref(), out)?;
    let played = replaying::play(edge, global, args.pace, &mut replayed.playback).await?;
    if played == Played::Quit {
        let message = "not compared, because the replay was stopped";
        return Err(Failure::new(Code::Cancelled, message));
    }
    let document = replayed.document();
    if global.json {
        out.write_json(&document)?;
    } else {
        outcome::print_ended(edge, global, &replayed.playback.ended(), out)?;
        out.write_line("")?;
        print_replay(&document, out)?;
    }
    Ok(match document.same {
        true => Exit::Done,
        false => Exit::Findings,
    })
}

fn print_replay(document: &ReplayDoc, out: &mut Out) -> Result<(), Failure> {
    let made = format!(
        "{}, {} and {} computed again",
        count_with_noun(document.prompts, "prompt"),
        count_with_noun(document.decisions, "decision"),
        count_with_noun(document.files, "document"),
    );
    match (document.same, document.not_compared.is_empty()) {
        (true, true) => out.write_line(&format!("{made}: identical, byte for byte"))?,
        (true, false) => {
            out.write_line(&format!("{made}: all that can be compared are identical"))?
        }
        (false, _) => out.write_line(&format!(
            "{made}; {}:",
            count_with_noun(document.differences.len() as u64, "difference")
        ))?,
    }
    let mut each = document.differences.iter();
    each.try_for_each(|difference| out.write_line(&format!("  {difference}")))?;
    let mut each = document.not_compared.iter();
    each.try_for_each(|what| out.write_line(&format!("not compared: {what}")))
}
