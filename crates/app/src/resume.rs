//! Goes on with a debate that was stopped, cut off or halted.

use std::path::{Path, PathBuf};

use agon_engine::extend::reopen_seating;
use agon_engine::host::{FolderHost, Host};
use agon_engine::run::RunError;
use agon_record::id::AskKey;
use agon_rules::format;

use crate::caller::Caller;
use crate::failure::{Failure, run_failure};
use crate::front::FrontEnd;
use crate::notes::Notes;
use crate::options::RunOptions;
use crate::outcome::Outcome;
use crate::person::{self, Person};
use crate::request::ResumeRequest;
use crate::run::{self, DebateRun};
use crate::tools::Tools;
use crate::{bounds, depth, detach, ending, find, open, settings};

/// Goes on with what is due in a debate; one that is over is shown.
///
/// # Errors
///
/// If it cannot go on, or ends without a verdict.
pub async fn resume(
    caller: &Caller,
    request: &ResumeRequest,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    depth::refuse_nested(caller)?;
    let path = find::find(caller, request.debate.as_deref())?;
    if request.is_handed {
        detach::begin(&path);
    }
    let opened = OpenDebate::open(&path, front)?;
    go_on(caller, request, opened, front).await
}

/// A debate that is open for writing.
pub struct OpenDebate {
    /// What keeps it.
    pub host: FolderHost,
    /// The folder in which its folder is.
    pub debates_dir: PathBuf,
}

impl OpenDebate {
    /// Opens a debate, ready to be written.
    ///
    /// # Errors
    ///
    /// If it is locked, damaged or edited by hand.
    pub fn open(path: &Path, notes: &mut dyn Notes) -> Result<Self, Failure> {
        let mut host = open::open(path, notes)?;
        // What would be refused when a turn is over is refused before a call is paid for.
        host.publish()
            .map_err(|error| run_failure(RunError::Host(error)))?;
        let debates_dir = run::parent_of(path);
        Ok(Self { host, debates_dir })
    }
}

/// Goes on with what is due in an open debate.
///
/// # Errors
///
/// If it cannot go on, or ends without a verdict.
pub async fn go_on(
    caller: &Caller,
    request: &ResumeRequest,
    opened: OpenDebate,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    let bounds = &request.bounds;
    let settings = settings::resolve(caller, &settings::layer(bounds))?.settings;
    settings::refuse_raised(caller, bounds, settings::MAX_CALLS)?;
    let OpenDebate {
        mut host,
        debates_dir,
    } = opened;
    let state = host.state();
    if state.closed.is_some() || format::is_at_rest(state) {
        if request.answer.is_some() || request.seat.is_some() {
            return Err(person::not_awaited(state));
        }
        let folder = caller.display_path(host.folder().path());
        return Ok(Outcome::ended(ending::ended_earlier(state.clone(), folder)));
    }
    let names: Vec<_> = run::seated(state).map(|seat| seat.tool.clone()).collect();
    let tools = Tools::detect_named(caller, &settings, &names).await?;
    tools.agents(run::seated(state))?;
    let seats = tools.respoken(&state.seats, request.transport, front)?;
    let caps = bounds::resumed(bounds, state);
    let discarded =
        reopen_seating(&mut host, caps, seats, request.ask_again).map_err(run_failure)?;
    note_discarded(&discarded, front);
    person::submit(caller, request, &mut host, front)?;
    let options = RunOptions {
        debates_dir,
        timeout: bounds.timeout(),
        detach: request.detach,
    };
    let run = DebateRun {
        caller,
        options: &options,
        tools: &tools,
    };
    run.go(host, Person::of(request.seat), front).await
}

/// Says which stored replies are asked for again.
pub fn note_discarded(discarded: &[AskKey], notes: &mut dyn Notes) {
    for key in discarded {
        notes.note(&format!(
            "note: the stored reply to {key} is discarded and asked for again"
        ));
    }
}
