//! `agon resume`: goes on with a debate that was stopped, cut off or halted.

use std::path::{Path, PathBuf};

use agon_engine::host::{FolderHost, Host};
use agon_engine::onward::reopen_seating;
use agon_engine::run::RunError;
use agon_record::id::AskKey;
use agon_record::spec::{Caps, FormatName};
use agon_record::state::State;
use agon_rules::format;

use crate::args::{Global, ResumeArgs};
use crate::command::run::{absolute, within};
use crate::command::{debate, which};
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::Out;
use crate::person::{self, Person};
use crate::running::{self, Place};
use crate::tools::Tools;
use crate::{exit, handing, opening, settings};

/// A debate that is open for writing.
pub(crate) struct Opened {
    /// What keeps it.
    pub(crate) host: FolderHost,
    /// The folder in which its folder is.
    pub(crate) debates_dir: PathBuf,
}

/// Runs `agon resume`.
pub(crate) async fn run(
    edge: &Edge,
    global: &Global,
    args: &ResumeArgs,
    out: &mut Out,
) -> Result<Exit, Failure> {
    debate::refuse_depth(edge)?;
    let path = which::find(edge, global, args.debate.as_deref())?;
    if args.handed {
        handing::begin(&path);
    }
    let opened = open(&path, out)?;
    go_on((edge, global), args, opened, out).await
}

/// Opens a debate, ready to be written.
///
/// # Errors
///
/// If it is locked, damaged or edited by hand.
pub(crate) fn open(path: &Path, out: &mut Out) -> Result<Opened, Failure> {
    let mut host = opening::open(path, out)?;
    // What would be refused when a turn is over is refused before a call is paid for.
    host.publish()
        .map_err(|error| running::reopen_failure(RunError::Host(error)))?;
    // `.` has no folder above it by its name.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let debates_dir = real.parent().map(ToOwned::to_owned).unwrap_or_default();
    Ok(Opened { host, debates_dir })
}

/// Goes on with what is due in an open debate.
///
/// # Errors
///
/// If it cannot go on, or ends without a verdict.
pub(crate) async fn go_on(
    (edge, global): (&Edge, &Global),
    args: &ResumeArgs,
    opened: Opened,
    out: &mut Out,
) -> Result<Exit, Failure> {
    let flags = settings::limits(&args.limits);
    let settings = settings::resolve(edge, global, &flags)?.settings;
    settings::refuse_raised(edge, &args.limits, settings::MOST_CALLS)?;
    let mut host = opened.host;
    let folder = running::shown(edge, host.folder().path());
    if host.state().closed.is_some() || at_rest(host.state()) {
        if args.answer.is_some() || args.seat.is_some() {
            return Err(person::not_awaited(host.state()));
        }
        running::print(edge, global, host.state(), &folder, out)?;
        return exit::of(host.state());
    }
    let seated = running::seated(host.state());
    let names: Vec<_> = seated.map(|seating| seating.tool.clone()).collect();
    let tools = Tools::detect_named(edge, &settings, &names).await?;
    tools.agents(running::seated(host.state()))?;
    let seats = tools.respoken(&host.state().seats, args.transport, out)?;
    let onward = (caps(args, host.state()), seats);
    let discarded =
        reopen_seating(&mut host, onward, args.ask_again).map_err(running::reopen_failure)?;
    tell_discarded(&discarded, out);
    let place = Place {
        edge,
        global,
        debates_dir: &opened.debates_dir,
        within: within(&args.limits),
        detach: args.detach,
    };
    person::take(place, args, &mut host, out)?;
    let person = Person::of(args.seat);
    running::go_with(place, host, &tools, (person, out)).await
}

/// Whether a formal debate has come as far as it was told to.
fn at_rest(state: &State) -> bool {
    state.spec.format == FormatName::Formal
        && state
            .through
            .is_none_or(|through| format::exchange(state) > through)
}

/// Says which stored replies are asked for again.
pub(crate) fn tell_discarded(discarded: &[AskKey], out: &mut Out) {
    for key in discarded {
        out.note(&format!(
            "note: the stored reply to {key} is discarded and asked for again"
        ));
    }
}

/// The bounds from here on: as before, but for what the flags say.
///
/// In a formal debate they bound what is spent from here on.
fn caps(args: &ResumeArgs, state: &State) -> Caps {
    let limits = &args.limits;
    let given = debate::caps(&settings::limits(limits), 0);
    let given = match state.spec.format {
        FormatName::Duel => given,
        FormatName::Formal => absolute(state, given),
    };
    let kept = state.caps;
    Caps {
        calls: limits.max_calls.map_or(kept.calls, |_| given.calls),
        tokens: limits.max_tokens.map_or(kept.tokens, |_| given.tokens),
        time_ms: limits.max_time.map_or(kept.time_ms, |_| given.time_ms),
        cost_micros: given.cost_micros.or(kept.cost_micros),
        reasks: kept.reasks,
    }
}
