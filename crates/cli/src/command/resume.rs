//! `agon resume`: goes on with a debate that was stopped, cut off or halted.

use agon_debate::spec::Caps;
use agon_debate::state::State;
use agon_engine::host::Host;
use agon_engine::run::{RunError, reopen};

use crate::args::{Global, ResumeArgs};
use crate::command::which;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::running::{self, Place};
use crate::tools::Tools;
use crate::{exit, opening, settings};

/// Runs `agon resume`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ResumeArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let flags = settings::limits(&args.limits);
    let settings = settings::resolve(edge, global, &flags)?.settings;
    settings::refuse_raised(edge, &args.limits)?;
    let path = which::find(edge, global, args.debate.as_deref())?;
    let mut host = opening::open(&path, out)?;
    let folder = running::shown(edge, host.folder().path());
    // What would be refused when a turn is over is refused before a call is paid for.
    host.publish()
        .map_err(|error| running::reopen_failure(RunError::Host(error)))?;
    if host.state().closed.is_some() {
        running::print(edge, global, host.state(), &folder, out)?;
        return exit::of(host.state());
    }
    let seated = running::seated(host.state());
    let names: Vec<_> = seated.map(|seating| seating.tool.clone()).collect();
    let tools = Tools::detect_named(edge, &settings, &names).await?;
    tools.agents(running::seated(host.state()))?;
    let caps = caps(args, host.state());
    let discarded = reopen(&mut host, caps, args.ask_again).map_err(running::reopen_failure)?;
    for key in discarded {
        out.note(&format!(
            "note: the stored reply to {key} is discarded and asked for again"
        ));
    }
    let parent = path.parent().map(ToOwned::to_owned).unwrap_or_default();
    let place = Place {
        edge,
        global,
        debates_dir: &parent,
    };
    running::go(place, host, &tools, out).await
}

/// The bounds from here on: as before, but for what the flags say.
fn caps(args: &ResumeArgs, state: &State) -> Caps {
    let limits = &args.limits;
    let cost = limits
        .max_cost
        .map(|dollars| (dollars.max(0.0) * 1e6) as u64);
    Caps {
        calls: limits.max_calls.unwrap_or(state.caps.calls),
        tokens: limits.max_tokens.unwrap_or(state.caps.tokens),
        time_ms: limits
            .max_time
            .map_or(state.caps.time_ms, |seconds| seconds.saturating_mul(1_000)),
        cost_micros: cost.or(state.caps.cost_micros),
        reasks: state.caps.reasks,
    }
}
