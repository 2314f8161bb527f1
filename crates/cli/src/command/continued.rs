//! `agon continue`: goes on with a debate that has ended.

use std::path::Path;

use agon_engine::host::Host;
use agon_engine::onward::{Onward, extend_saying};
use agon_record::event::Event;
use agon_record::spec::FormatName;
use agon_record::state::State;
use agon_record::user::{Item, Order, Wish};
use agon_rules::format::duel_calls_to_come;
use agon_rules::steer::{accept, rounds_onward};

use crate::args::{ContinueArgs, FormalSeatArgs, Global, RunArgs};
use crate::command::debate::{SPARE_CALLS, caps, refuse_depth};
use crate::command::run::{absolute, within};
use crate::command::{judge, resume, run, steer, which};
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::running::{self, Place};
use crate::settings;
use crate::tools::Tools;

/// Runs `agon continue`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ContinueArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    refuse_depth(edge)?;
    let args = &counted(edge, global, args);
    let path = which::find(edge, global, args.debate.as_deref())?;
    let view = which::read(&path)?;
    let note = args.note.as_deref().map(steer::note);
    if view.state.spec.format == FormatName::Formal {
        return run::run_saying((edge, global), (&of_run(args), note), out).await;
    }
    let more = args.rounds.unwrap_or(1);
    if view.state.closed.is_none() {
        return longer(global, &path, (more, note), out).await;
    }
    rounds_onward(&view.state, more).map_err(steer::refused)?;
    onward((edge, global), args, (&path, &view.state, note), out).await
}

/// The arguments with a lone number read as the number of rounds, unless a debate has that name.
fn counted(edge: &Edge, global: &Global, args: &ContinueArgs) -> ContinueArgs {
    let mut args = args.clone();
    let number = |text: &String| text.parse().ok().filter(|&number: &u16| number <= 1_000);
    if args.rounds.is_none()
        && let Some(number) = args.debate.as_ref().and_then(number)
        && which::find(edge, global, args.debate.as_deref()).is_err()
    {
        args.debate = None;
        args.rounds = Some(number);
    }
    args
}

fn of_run(args: &ContinueArgs) -> RunArgs {
    RunArgs {
        debate: args.debate.clone(),
        exchanges: args.rounds,
        ask_again: args.ask_again,
        detach: args.detach,
        seats: FormalSeatArgs {
            transport: args.transport,
            ..FormalSeatArgs::default()
        },
        limits: args.limits.clone(),
        ..RunArgs::default()
    }
}

/// Plans a duel that has not ended so much longer.
async fn longer(
    global: &Global,
    path: &Path,
    (more, note): (u16, Option<Wish>),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let order = Order::Rounds { more };
    // Nothing is said for what would be refused.
    let state = which::read(path)?.state;
    accept(&state, edge::new_ulid(), &Wish::Order(order)).map_err(steer::refused)?;
    if let Some(note) = note {
        steer::hand_in(path, note, out).await?;
    }
    let handed = steer::hand_in(path, Wish::Order(order), out).await?;
    judge::tell(global, &handed, order, out)?;
    Ok(Exit::Done)
}

/// Goes on with a closed duel.
async fn onward(
    (edge, global): (&Edge, &Global),
    args: &ContinueArgs,
    (path, state, note): (&Path, &State, Option<Wish>),
    out: &mut Out,
) -> Result<Exit, Failure> {
    let more = args.rounds.unwrap_or(1);
    let settings = settings::resolve(edge, global, &settings::limits(&args.limits))?.settings;
    let to_come = |state: &State| -> Result<(Onward, u32), Failure> {
        let mut onward = Onward {
            through: rounds_onward(state, more).map_err(steer::refused)?,
            seats: state.seats.clone(),
            caps: state.caps,
        };
        let mut told = state.clone();
        // Only an opening can be refused.
        told.apply(&Event::from(onward.clone())).unwrap_or_default();
        let calls = duel_calls_to_come(&told) + SPARE_CALLS;
        onward.caps = absolute(state, caps(&settings, calls));
        Ok((onward, calls))
    };
    settings::refuse_raised(edge, &args.limits, to_come(state)?.1)?;
    let seated = running::seated(state);
    let names: Vec<_> = seated.map(|seating| seating.tool.clone()).collect();
    let tools = Tools::detect_named(edge, &settings, &names).await?;
    tools.agents(running::seated(state))?;
    let mut opened = resume::open(path, out)?;
    let (mut onward, _) = to_come(opened.host.state())?;
    let respoken = tools.respoken(&onward.seats, args.transport, out)?;
    onward.seats.extend(respoken);
    let said: Vec<Item> = note.into_iter().map(steer::named).collect();
    let discarded = extend_saying(&mut opened.host, onward, &said, args.ask_again)
        .map_err(running::reopen_failure)?;
    resume::tell_discarded(&discarded, out);
    let place = Place {
        edge,
        global,
        debates_dir: &opened.debates_dir,
        within: within(&args.limits),
        detach: args.detach,
    };
    running::go(place, opened.host, &tools, out).await
}
