//! Resumes a debate that was stopped, interrupted or halted.

use std::path::{Path, PathBuf};

use agon_caller::{Caller, Failure, Notes, depth, find, settings};
use agon_engine::extend::{Extension, extend_debate, resume_debate_with_seats};
use agon_engine::host::{FolderHost, Host};
use agon_engine::run::RunError;
use agon_folder::published_files;
use agon_record::event::Outcome as Closed;
use agon_record::format::Judging;
use agon_record::id::{AskKey, Seat};
use agon_record::spec::{Context, Seating, ToolName};
use agon_record::state::State;
use agon_rules::format;

use crate::failure::run_failure;
use crate::front::FrontEnd;
use crate::limits::grants::Grant;
use crate::limits::record_limits::RecordLimits;
use crate::limits::{bounds, grants, spending};
use crate::person::{self, Person};
use crate::request::ResumeRequest;
use crate::request::options::RunOptions;
use crate::run::detach;
use crate::run::{self, DebateRun};
use crate::seat::consent::{self, Material};
use crate::seat::substitute::Replacing;
use crate::seat::{replace, substitute};
use crate::status::choose::LikelyDebate;
use crate::status::outcome::Outcome;
use crate::status::{choose, ending, open};

/// Resumes the pending turns of a debate, or shows one that is over.
///
/// # Errors
///
/// If it cannot continue, or ends without a verdict.
pub async fn resume(
    caller: &Caller,
    request: &ResumeRequest,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    depth::refuse_nested(caller)?;
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::Resumable,
        front,
    )?;
    if request.is_handed {
        detach::leave_terminal_and_await_lock(&path);
    }
    find::refuse_damaged(caller, &path)?;
    // Reject before opening, because opening rewrites documents.
    bounds::refuse_spent_bounds(&request.bounds, &find::read(&path)?.state)?;
    let opened = OpenDebate::open(caller, &path, front)?;
    resume_open_debate(caller, request, opened, front).await
}

/// A debate that is open for writing.
pub struct OpenDebate {
    /// The host that stores it.
    pub host: FolderHost,
    /// The folder of debates.
    pub debates_dir: PathBuf,
}

impl OpenDebate {
    /// Opens a debate for writing.
    ///
    /// # Errors
    ///
    /// If it is locked, corrupted or edited by hand.
    pub fn open(caller: &Caller, path: &Path, notes: &mut dyn Notes) -> Result<Self, Failure> {
        find::refuse_damaged(caller, path)?;
        let mut host = open::open_for_writing(path, notes)?;
        save_changed_documents(&host, notes)?;
        // Write the documents now, so that failures surface before a call is paid for.
        host.publish_documents()
            .map_err(|error| run_failure(RunError::Host(error)))?;
        host.set_typed(find::typeable_debate_name(caller, path));
        let debates_dir = run::parent_of(path);
        Ok(Self { host, debates_dir })
    }
}

/// Saves a copy of each document of a duel that a person or another program changed, since the
/// documents are rewritten from the record. Skips this if other programs may write parts of the
/// record.
fn save_changed_documents(host: &FolderHost, notes: &mut dyn Notes) -> Result<(), Failure> {
    let folder = host.folder();
    if folder.state().format_rules().takes_outside_parts {
        return Ok(());
    }
    let files = published_files(folder.state());
    let kept = folder.rename_foreign_edits(&files);
    let kept = kept.map_err(|error| run_failure(RunError::Host(error.into())))?;
    if let Some((first, to)) = kept.first() {
        let (files, were) = match kept.len() {
            1 => (first.to_string(), "was"),
            2 => (format!("{first} and 1 more file"), "were"),
            all => (format!("{first} and {} more files", all - 1), "were"),
        };
        let to = to.file_name().unwrap_or_default().to_string_lossy();
        notes.note(&format!(
            "note: {files} {were} changed since Agon wrote the documents of this debate. Agon rewrites \
             each from the record and saves the changed text beside it, as in {to}"
        ));
    }
    Ok(())
}

/// Resumes the pending turns of an open debate.
///
/// # Errors
///
/// If it cannot continue, or ends without a verdict.
pub async fn resume_open_debate(
    caller: &Caller,
    request: &ResumeRequest,
    opened: OpenDebate,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    let bounds = &request.bounds;
    let settings = bounds.apply_to(settings::read_settings(caller)?);
    settings::refuse_raised_limits(caller, bounds, settings::MAX_CALLS)?;
    let OpenDebate {
        mut host,
        debates_dir,
    } = opened;
    let state = host.state();
    let is_reopened = request.substitute && state.closed == Some(Closed::Uncontested);
    if state.closed.is_some() && !is_reopened || format::has_reached_target(state) {
        if request.answer.is_some() || request.seat.is_some() {
            return Err(person::not_awaited_failure(state));
        }
        let (slug, name) = (&state.spec.slug, state.command_name());
        let more = match state.format_rules().judging {
            Judging::EachRound => format!("run `agon run {name} 1` to play another exchange"),
            Judging::AtTheEnd if state.spec.is_demo() => {
                format!("run `agon show {name}` to read it")
            }
            Judging::AtTheEnd => format!("run `agon continue {name}` to add rounds"),
        };
        front.note(&format!("{slug} has already ended; {more}"));
        let folder = caller.display_path(host.folder().path());
        return Ok(Outcome::ended(ending::ended_earlier(state.clone(), folder)));
    }
    bounds::refuse_spent_bounds(bounds, state)?;
    let grant = grants::find_grant(caller, host.folder().path(), state.spec.ulid);
    let is_handed = request.is_handed && detach::is_handed_to_this_process(host.folder().path());
    let granted = match is_handed {
        true => grants::tools_of(state),
        false => Grant::granted_tools(grant.as_ref()).to_vec(),
    };
    let wanted = &request.replace;
    let may_replace = request.substitute;
    let tools =
        replace::tools_for_seats(caller, &settings, state, wanted, &granted, may_replace).await?;
    let replaced = replace::replaced_seats(state, &request.replace, &tools)?;
    let mut after = state.clone();
    after.seats.extend(replaced.clone());
    // A seat gets no substitute if the user just named its tool.
    after
        .substitutes
        .retain(|seat, _| !replaced.contains_key(seat));
    let named: Vec<_> = replaced.keys().copied().collect();
    let is_read = matches!(state.spec.context, Context::Repo(_));
    let replacing = Replacing {
        candidates: &tools.seat_candidates(false),
        can_read: &|one| !is_read || tools.first_without_folder_access([one]).is_none(),
        named: &named,
        all: may_replace,
    };
    let reseated = replacing.events(&after)?;
    if may_replace && reseated.is_empty() {
        let is_open = |seat: &Seat| !seat.is_judge() && !state.has_spoken(*seat);
        if !named.iter().any(is_open) {
            substitute::refuse_reopening(state)?;
        }
        front.note("note: no seat needs a substitute");
    }
    let after = after.with_events(&reseated);
    let material = Material::of_debate(&after);
    let tools = consent::ask(caller, tools, &material, after.seats.values(), front).await?;
    tools.agents_of_debate(&after).map_err(|failure| {
        let is_lost = |one: &Seating| tools.agents([one]).is_err();
        match may_replace {
            true => failure,
            false => substitute::with_resume_hint(failure, &after, is_lost),
        }
    })?;
    grants::allow_tools(
        caller,
        host.folder().path(),
        state.spec.ulid,
        after.seats.values(),
    );
    let seats = after.seats.clone();
    let mut seats = tools.seats_changing_transport(&seats, request.transport, front)?;
    for (seat, seating) in replaced {
        let before = state.seats.get(&seat).map(|before| before.tool.clone());
        let (tool, before) = (&seating.tool, before.as_ref().map_or("", ToolName::as_str));
        front.note(&format!("{tool} replaces {before} as the {seat}"));
        seats.entry(seat).or_insert(seating);
    }
    for replaced in &after.replaced[state.replaced.len()..] {
        front.note(&replaced.describe());
    }
    let limits = match is_handed {
        true => RecordLimits::as_recorded(state),
        false => RecordLimits::for_user(caller, state, grant.as_ref())?,
    };
    let caps = bounds::caps_on_resume(bounds, state, limits.caps);
    let are_fixed = bounds.max_calls.is_some() || grant.is_none();
    let caps = match reseated.is_empty() || are_fixed {
        true => caps,
        // Calls lost by the old tool do not count against its substitute.
        false => bounds::caps_to_continue(&State {
            caps,
            closed: None,
            ..after.clone()
        }),
    };
    let through = limits.rounds;
    let through = through.or_else(|| is_reopened.then(|| state.planned_rounds()));
    // This event replaces all seats, so it must name the judges too.
    let extension = through.map(|through| Extension {
        through,
        seats: after
            .seats
            .clone()
            .into_iter()
            .chain(seats.clone())
            .collect(),
        caps,
        standby: after.standby(),
    });
    if let Some(extension) = extension.clone().filter(|_| is_reopened) {
        let reopened = bounds::with_event(&after, &extension.into());
        bounds::refuse_spent_caps(bounds, caps, &reopened)?;
    }
    limits.note(state, caps, front);
    if !is_handed {
        let allowed = State {
            caps,
            ..state.clone()
        };
        spending::reserve_for_debate(caller, &allowed, front)?;
    }
    let discarded = match extension {
        Some(extension) => extend_debate(&mut host, reseated, extension, request.ask_again),
        None => resume_debate_with_seats(&mut host, reseated, caps, seats, request.ask_again),
    };
    let answered = discarded.map_err(run_failure).and_then(|discarded| {
        note_discarded(&discarded, front);
        person::submit_answers(caller, request, &mut host, front)
    });
    if let Err(failure) = answered {
        spending::settle_debate(caller, host.state());
        return Err(failure);
    }
    let options = RunOptions {
        debates_dir,
        timeout: bounds.timeout().or(limits.timeout),
        detach: request.detach,
    };
    let run = DebateRun {
        caller,
        options: &options,
        tools: &tools,
    };
    run.run_or_detach(host, Person::for_seat(request.seat), front)
        .await
}

/// Notes which stored replies are asked for again.
pub fn note_discarded(discarded: &[AskKey], notes: &mut dyn Notes) {
    for key in discarded {
        notes.note(&format!(
            "note: discarding the stored reply to {key} and asking again"
        ));
    }
}
