//! Runs a debate in its folder, from opening it to the verdict on the screen.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_engine::host::{FolderHost, Host};
use agon_engine::run::{Ended, RunError, run, stopped_by_others};
use agon_engine::table::Table;
use agon_record::event::{Event, Halt};
use agon_record::precedent::Precedent;
use agon_record::spec::{Caps, Context, FormatName, Seating, Spec};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_report::screen::calls_to_come;
use agon_rules::expected::Expected;
use agon_rules::format::duel_calls_to_come;
use agon_store::{Disk, ProjectError, RealDisk};
use agon_verdict::result;
use agon_verdict::verdict::verdict;
use tokio_util::sync::CancellationToken;

use crate::args::Global;
use crate::command::debate::{REASKS, SPARE_CALLS};
use crate::edge::{self, Edge};
use crate::error::{Exit, Failure};
use crate::guard::guarded;
use crate::output::{Out, ansi};
use crate::person::{self, Person};
use crate::sources::{self, Pin};
use crate::tools::Tools;
use crate::{exit, handing, hosts, past, reuse, screen, stop, telemetry};

/// Where a debate runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    /// What the program was started in.
    pub(crate) edge: &'a Edge,
    /// What holds for every command.
    pub(crate) global: &'a Global,
    /// The folder of debates.
    pub(crate) debates_dir: &'a Path,
    /// Time for one ask, where it is not the debate's own.
    pub(crate) within: Option<Duration>,
    /// Whether it goes on by itself, in a process of its own.
    pub(crate) detach: bool,
}

/// Opens a new debate and runs it, or gives the same one that was started before.
///
/// `again` opens it in any case.
///
/// # Errors
///
/// If it cannot be opened, cannot go on, or ends without a verdict.
pub(crate) async fn start(
    place: Place<'_>,
    (spec, pin, again): (Spec, Option<Pin>, bool),
    tools: &Tools,
    out: &mut Out,
) -> Result<Exit, Failure> {
    // The tools are seated before anything is written.
    let seated = spec.seats.values().chain(&spec.substitutes);
    tools.agents(seated.clone())?;
    if place.detach {
        tools.refuse_unlisted(seated.clone())?;
    }
    if matches!(spec.context, Context::Repo(_)) {
        tools.refuse_blind(seated)?;
    }
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let parent = place.edge.cwd.join(place.debates_dir);
    // Held until the new debate is there to be found.
    let starting = reuse::one_at_a_time(&parent)?;
    if !again && let Some(earlier) = reuse::earlier(&parent, &spec)? {
        if place.detach || place.global.json {
            drop(starting);
            return reuse::give(place, earlier, out);
        }
        out.note(&format!(
            "note: the same debate was started {} min ago: agon show {}",
            earlier.minutes,
            earlier.slug()
        ));
    }
    let kept = pin.map_or_else(Vec::new, |pin| pin.kept);
    let kept: Vec<&[u8]> = kept.iter().map(|bytes| &**bytes).collect();
    let host = FolderHost::create_keeping(disk, &parent, (spec, &kept), edge::now_ms)
        .map_err(|error| store_failure(&error))?;
    drop(starting);
    go(place, host, tools, out).await
}

/// Runs the debate that `host` keeps until it ends or is stopped, or lets it go on by itself.
///
/// # Errors
///
/// If it cannot go on, or ends without a verdict.
pub(crate) async fn go(
    place: Place<'_>,
    host: FolderHost,
    tools: &Tools,
    out: &mut Out,
) -> Result<Exit, Failure> {
    go_with(place, host, tools, (Person::default(), out)).await
}

/// As [`go`], with this person at the terminal.
///
/// # Errors
///
/// As [`go`].
pub(crate) async fn go_with(
    place: Place<'_>,
    mut host: FolderHost,
    tools: &Tools,
    (mut person, out): (Person, &mut Out),
) -> Result<Exit, Failure> {
    if place.detach {
        return handing::hand_over(place, host, out);
    }
    let mut first = true;
    loop {
        let shown = shown(place.edge, host.folder().path());
        let state = match once(place, &mut host, tools, (first, out)).await? {
            Ran::Over(exit) => return Ok(exit),
            Ran::Awaits(state) => state,
        };
        first = false;
        match person::answer(place, host, &mut person, out).await? {
            Some(answered) => host = answered,
            None => {
                print(place.edge, place.global, &state, &shown, out)?;
                if !place.global.json {
                    let lines = person::waits(&state, &shown);
                    let said = lines.iter().map(|line| format!("waits for {line}"));
                    said.into_iter().try_for_each(|line| out.line(&line))?;
                }
                return Ok(Exit::Done);
            }
        }
    }
}

/// What came of running a debate.
enum Ran {
    /// It is over as far as it goes.
    Over(Exit),
    /// A person is to answer first.
    Awaits(Box<State>),
}

/// Runs the debate until it ends, is stopped, or waits for a person; says at its beginning what
/// it is only the `first` time.
async fn once(
    place: Place<'_>,
    host: &mut FolderHost,
    tools: &Tools,
    (first, out): (bool, &mut Out),
) -> Result<Ran, Failure> {
    let Place {
        edge,
        global,
        debates_dir,
        within,
        ..
    } = place;
    let agents = tools.agents(seated(host.state()))?;
    let mut table = Table::new(agents, Arc::new(Redactor::new()), guarded(host.watch()));
    table = table.within(within);
    if let Some(source) = sources::reopen(edge, host.folder().path(), host.state())? {
        table = source.lay(table, edge, host.state(), tools);
    }
    let tracing = telemetry::start(edge, global, out)?;
    table = table.telling_content(telemetry::tells_content(edge));
    let mut front = screen::open(edge, global.json);
    let folder = shown(edge, host.folder().path());
    let expected = past::expected(&edge.cwd.join(debates_dir), host.state());
    let expected = expected.as_ref().map(agon_report::screen::expected);
    match first {
        true => front.header(host.state(), &folder, expected.as_deref()),
        false => front.goes_on(host.state()),
    }
    let cancel = CancellationToken::new();
    let stopping = stop::on_signal(cancel.clone());
    let mut ended = run(host, &table, front.as_mut(), &cancel).await;
    while let Ok(Ended::Settled) = ended
        && let Some(caps) = retry(host.state())
    {
        // A person may wait as long as he likes, and stop instead of answering.
        let again = tokio::select! {
            again = front.retry() => again,
            () = cancel.cancelled() => false,
            stopped = stopped_by_others(host) => {
                ended = stopped.map(|()| Ended::Stopped);
                break;
            }
        };
        if !again {
            break;
        }
        let resumed = host.record(&[Event::resumed(caps)]);
        resumed.map_err(|error| run_failure(RunError::Host(error)))?;
        ended = run(host, &table, front.as_mut(), &cancel).await;
    }
    stopping.abort();
    front.end();
    if let Some(tracing) = tracing {
        tracing.end(out);
    }
    let state = host.state();
    let ended = ended.map_err(run_failure)?;
    hosts::last_debate(edge, debates_dir, state).map_err(|error| store_failure(&error))?;
    let slug = &state.spec.slug;
    match ended {
        Ended::Stopped => {
            Err(
                Failure::new(Exit::Cancelled, "cancelled", "stopped; nothing is lost")
                    .hint(format!("agon resume {slug} goes on")),
            )
        }
        Ended::Awaits => Ok(Ran::Awaits(Box::new(state.clone()))),
        Ended::Settled => {
            let exit = exit::of(state)?;
            print(edge, global, state, &folder, out)?;
            Ok(Ran::Over(exit))
        }
    }
}

/// The bounds with which a lost turn of a formal debate may be tried again;
/// none when no turn is lost.
fn retry(state: &State) -> Option<Caps> {
    let Some(Halt::TurnLost { .. }) = &state.halted else {
        return None;
    };
    let calls = calls_to_come(state).saturating_add(SPARE_CALLS);
    Some(Caps {
        calls: state
            .caps
            .calls
            .max(state.spent.calls.saturating_add(calls)),
        reasks: state
            .caps
            .reasks
            .max(state.sent_back.saturating_add(REASKS.into())),
        ..state.caps
    })
}

/// Everybody who may be asked for something.
pub(crate) fn seated(state: &State) -> impl Iterator<Item = &Seating> {
    state.seats.values().chain(&state.spec.substitutes)
}

/// The result as it is printed at the end, or by `show`.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn print(
    edge: &Edge,
    global: &Global,
    state: &State,
    folder: &str,
    out: &mut Out,
) -> Result<(), Failure> {
    if global.json {
        return out.json(&result::result(state, folder));
    }
    if state.spec.format == FormatName::Formal {
        let lines = agon_report::screen::ending(state, folder, edge.width);
        return lines.iter().try_for_each(|line| out.line(&ansi(line)));
    }
    match verdict(state) {
        Some(verdict) => screen::verdict(edge, state, &verdict, folder, out),
        None => Ok(()),
    }
}

/// `path` as it is shown: below the current folder without that folder.
pub(crate) fn shown(edge: &Edge, path: &Path) -> String {
    let relative = path
        .strip_prefix(&edge.cwd)
        .ok()
        .filter(|rest| !rest.as_os_str().is_empty());
    relative.unwrap_or(path).display().to_string()
}

fn run_failure(error: RunError<agon_engine::host::FolderError>) -> Failure {
    match &error {
        RunError::Host(_) => store_failure(&error),
        RunError::EmptySeat(_) => {
            Failure::from_error(Exit::Tool, "tool", &error).hint("agon tools shows what is here")
        }
        RunError::Refused(why) => crate::command::steer::refused(why.clone()),
        RunError::Stale { .. } => Failure::from_error(Exit::Usage, "stale_reply", &error)
            .hint("--ask-again discards the stored reply and asks again"),
        RunError::NoSeat { .. } | RunError::LookUp { .. } => {
            Failure::from_error(Exit::Bug, "bug", &error)
        }
    }
}

/// The failure for a debate that cannot be prepared to go on.
pub(crate) fn reopen_failure(error: RunError<agon_engine::host::FolderError>) -> Failure {
    run_failure(error)
}

/// The failure for a folder that cannot be written, and what to do about it.
pub(crate) fn store_failure(error: &(dyn std::error::Error + 'static)) -> Failure {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        if let Some(ProjectError::ForeignEdit { .. }) = inner.downcast_ref() {
            return Failure::from_error(Exit::Store, "foreign_edit", error)
                .hint("undo the edit or move the file away, then `agon resume`");
        }
        if let Some(io) = inner.downcast_ref::<std::io::Error>()
            && matches!(
                io.kind(),
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded
            )
        {
            return Failure::from_error(Exit::Store, "disk_full", error)
                .hint("free some space, then `agon resume`; what was said is kept");
        }
        cause = inner.source();
    }
    Failure::from_error(Exit::Store, "store", error)
        .hint("`agon check` says what is wrong with the folder; `agon resume` goes on")
}

/// Shows what would be run, and calls nothing.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn dry_run(place: Place<'_>, spec: &Spec, out: &mut Out) -> Result<Exit, Failure> {
    let state = State::open(spec.clone());
    let expected = past::expected(&place.edge.cwd.join(place.debates_dir), &state);
    if place.global.json {
        out.json(&DryRun {
            expected: expected.as_ref().map(ExpectedDoc::of),
            ..DryRun::of(spec)
        })?;
        return Ok(Exit::Done);
    }
    let folder = shown(place.edge, &place.debates_dir.join("…"));
    let expected = expected.as_ref().map(agon_report::screen::expected);
    let expected = expected.as_deref();
    for line in agon_report::screen::header(&state, &folder, expected, place.edge.width) {
        out.line(&ansi(&line))?;
    }
    Ok(Exit::Done)
}

/// Shows how the debate in `path` would go on from `state`.
///
/// # Errors
///
/// If stdout cannot take it.
pub(crate) fn dry_run_of(
    edge: &Edge,
    global: &Global,
    (state, path): (&State, &Path),
    out: &mut Out,
) -> Result<(), Failure> {
    let expected = path.parent().and_then(|dir| past::expected(dir, state));
    if global.json {
        return out.json(&DryRun {
            seats: &state.seats,
            rounds: state.through.unwrap_or(state.rounds()),
            calls: match state.spec.format {
                FormatName::Duel => duel_calls_to_come(state),
                FormatName::Formal => calls_to_come(state),
            },
            caps: state.caps,
            expected: expected.as_ref().map(ExpectedDoc::of),
            ..DryRun::of(&state.spec)
        });
    }
    let folder = shown(edge, path);
    let expected = expected.as_ref().map(agon_report::screen::expected);
    let lines = agon_report::screen::header(state, &folder, expected.as_deref(), edge.width);
    lines.iter().try_for_each(|line| out.line(&ansi(line)))
}

/// What a debate would be, for a program.
#[derive(serde::Serialize)]
struct DryRun<'a> {
    schema: &'static str,
    topic: &'a str,
    seats: &'a std::collections::BTreeMap<agon_record::id::Seat, Seating>,
    substitutes: &'a [Seating],
    rounds: u16,
    blind: bool,
    swap: bool,
    calls: u32,
    caps: agon_record::spec::Caps,
    /// Earlier verdicts that every seat is told of.
    precedents: &'a [Precedent],
    /// What it will take, by what earlier calls here took; null where too little is known.
    expected: Option<ExpectedDoc>,
}

/// What a debate will take, for a program.
#[derive(serde::Serialize)]
struct ExpectedDoc {
    eta_s: u64,
    seconds: [u64; 2],
    tokens: [u64; 2],
}

impl ExpectedDoc {
    fn of(expected: &Expected) -> Self {
        let (low, high) = (expected.low, expected.high);
        Self {
            eta_s: expected.eta_s(),
            seconds: [low.ms, high.ms].map(|ms| ms.div_ceil(1_000)),
            tokens: [low.tokens, high.tokens],
        }
    }
}

impl<'a> DryRun<'a> {
    fn of(spec: &'a Spec) -> Self {
        Self {
            schema: "agon.plan/1",
            topic: &spec.topic,
            seats: &spec.seats,
            substitutes: &spec.substitutes,
            rounds: spec.rounds,
            blind: spec.blind,
            swap: spec.swap,
            calls: spec.planned_calls(),
            caps: spec.caps,
            precedents: &spec.precedents,
            expected: None,
        }
    }
}
