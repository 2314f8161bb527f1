//! Continues a debate that has ended, or extends a running one.

use std::path::Path;

use agon_caller::{Caller, Failure, depth, find, settings, system};
use agon_config::default;
use agon_engine::extend::{Extension, extend_debate_with_requests};
use agon_engine::host::Host;
use agon_record::event::{Event, Outcome as Closed};
use agon_record::format::Judging;
use agon_record::state::State;
use agon_record::user::{Item, Order, UserRequest};
use agon_rules::format::remaining_calls;
use agon_rules::steer::{accept_request, extended_round_count};
use agon_seats::tools::Tools;

use crate::failure::{request_refusal, run_failure};
use crate::front::FrontEnd;
use crate::limits::bounds::{caps_from_settings, caps_plus_spent, refuse_spent_bounds, with_event};
use crate::limits::grants::Grant;
use crate::limits::{grants, spending};
use crate::person::Person;
use crate::read::demo;
use crate::request::options::RunOptions;
use crate::request::{ExtendRequest, PlayRequest, SeatsRequest};
use crate::run::resume::OpenDebate;
use crate::run::{self, DebateRun, formal_run, resume};
use crate::seat::consent::{self, Material};
use crate::status::choose;
use crate::status::choose::LikelyDebate;
use crate::status::outcome::Outcome;
use crate::steer::{self, OrderDoc};

/// The result of extending a debate.
#[derive(Clone, Debug)]
pub enum ExtendOutcome {
    /// It was continued.
    Ran(Outcome),
    /// More rounds were planned.
    Longer(OrderDoc),
}

/// Continues a debate that has ended, or adds rounds to one that has not.
///
/// # Errors
///
/// If it cannot continue, or ends without a verdict.
pub async fn extend(
    caller: &Caller,
    request: &ExtendRequest,
    front: &mut dyn FrontEnd,
) -> Result<ExtendOutcome, Failure> {
    depth::refuse_nested(caller)?;
    let request = &with_lone_number_as_rounds(caller, request);
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::LatestOwn,
        front,
    )?;
    find::refuse_damaged(caller, &path)?;
    let state = find::read_for(caller, &path)?.state;
    demo::refuse_to_continue(&state)?;
    if request.how.answer.is_some() || request.how.seat.is_some() {
        return resume_debate(caller, request, &path, front).await;
    }
    if state.format_rules().judging == Judging::EachRound {
        return formal_run::play(caller, &to_play_request(request), front)
            .await
            .map(ExtendOutcome::Ran);
    }
    refuse_spent_bounds(&request.how.bounds, &state)?;
    let more = request.rounds.unwrap_or(default::MORE_ROUNDS);
    let note = request.note.as_deref().map(steer::note);
    if request.how.substitute && state.closed == Some(Closed::Uncontested) {
        return resume_debate(caller, request, &path, front).await;
    }
    if state.closed.is_none() {
        if steer::is_being_written(&path)? {
            return order_more_rounds(&path, more, note, front)
                .await
                .map(ExtendOutcome::Longer);
        }
        match (request.rounds, note) {
            (Some(more), note) => {
                let ordered = order_more_rounds(&path, more, note, front).await?;
                front.note(&ordered.says);
            }
            (None, Some(note)) => drop(steer::submit(&path, note, front).await?),
            (None, None) => {}
        }
        return resume_debate(caller, request, &path, front).await;
    }
    extended_round_count(&state, more).map_err(request_refusal)?;
    extend_closed(caller, request, &path, &state, front)
        .await
        .map(ExtendOutcome::Ran)
}

/// Resumes the pending turns.
async fn resume_debate(
    caller: &Caller,
    request: &ExtendRequest,
    path: &Path,
    front: &mut dyn FrontEnd,
) -> Result<ExtendOutcome, Failure> {
    let opened = OpenDebate::open(caller, path, front)?;
    resume::resume_open_debate(caller, &request.how, opened, front)
        .await
        .map(ExtendOutcome::Ran)
}

/// Reads a single number as the number of rounds, unless a debate has that name.
fn with_lone_number_as_rounds(caller: &Caller, request: &ExtendRequest) -> ExtendRequest {
    let mut request = request.clone();
    find::take_lone_number(caller, &mut request.debate, &mut request.rounds);
    request
}

/// Converts the request into one for a formal debate.
fn to_play_request(request: &ExtendRequest) -> PlayRequest {
    PlayRequest {
        debate: request.debate.clone(),
        exchanges: request.rounds,
        note: request.note.clone(),
        ask_again: request.how.ask_again,
        detach: request.how.detach,
        seats: SeatsRequest {
            transport: request.how.transport,
            substitute: request.how.substitute,
            ..SeatsRequest::default()
        },
        bounds: request.how.bounds.clone(),
        ..PlayRequest::default()
    }
}

/// Adds rounds to a duel that has not ended.
async fn order_more_rounds(
    path: &Path,
    more: u16,
    note: Option<UserRequest>,
    front: &mut dyn FrontEnd,
) -> Result<OrderDoc, Failure> {
    let order = Order::Rounds { more };
    // Reject the order before the note is recorded.
    let state = find::read(path)?.state;
    accept_request(&state, system::new_ulid(), &UserRequest::Order(order))
        .map_err(request_refusal)?;
    if let Some(note) = note {
        steer::submit(path, note, front).await?;
    }
    let submitted = steer::submit(path, UserRequest::Order(order), front).await?;
    Ok(OrderDoc::from_submitted(submitted, order))
}

/// Continues a closed duel.
async fn extend_closed(
    caller: &Caller,
    request: &ExtendRequest,
    path: &Path,
    state: &State,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    let bounds = &request.how.bounds;
    let more = request.rounds.unwrap_or(default::MORE_ROUNDS);
    let settings = bounds.apply_to(settings::read_settings(caller)?);
    let to_come = |state: &State| -> Result<(Extension, u32), Failure> {
        let mut extension = Extension {
            through: extended_round_count(state, more).map_err(request_refusal)?,
            seats: state.seats.clone(),
            caps: state.caps,
            standby: state.standby(),
        };
        let calls = remaining_calls(&with_event(state, &Event::from(extension.clone())))
            + default::SPARE_CALLS;
        extension.caps = caps_plus_spent(state, caps_from_settings(&settings, calls));
        Ok((extension, calls))
    };
    settings::refuse_raised_limits(caller, bounds, to_come(state)?.1)?;
    let names: Vec<_> = run::all_seatings(state)
        .map(|seat| seat.tool.clone())
        .collect();
    let grant = grants::find_grant(caller, path, state.spec.ulid);
    let granted = Grant::granted_tools(grant.as_ref());
    let tools = Tools::detect_recorded(caller, &settings, &names, granted).await?;
    let material = Material::of_debate(state);
    let tools = consent::ask(caller, tools, &material, run::all_seatings(state), front).await?;
    tools.agents(run::all_seatings(state))?;
    let mut debate = OpenDebate::open(caller, path, front)?;
    let (mut extension, _) = to_come(debate.host.state())?;
    let respoken =
        tools.seats_changing_transport(&extension.seats, request.how.transport, front)?;
    extension.seats.extend(respoken);
    let allowed = with_event(debate.host.state(), &Event::from(extension.clone()));
    spending::reserve_for_debate(caller, &allowed, front)?;
    let note = request.note.as_deref().map(steer::note);
    let words: Vec<Item> = note.into_iter().map(steer::new_item).collect();
    let discarded =
        extend_debate_with_requests(&mut debate.host, extension, &words, request.how.ask_again)
            .map_err(|error| {
                spending::settle_debate(caller, debate.host.state());
                run_failure(error)
            })?;
    resume::note_discarded(&discarded, front);
    let options = RunOptions {
        debates_dir: debate.debates_dir,
        timeout: bounds.timeout(),
        detach: request.how.detach,
    };
    let run = DebateRun {
        caller,
        options: &options,
        tools: &tools,
    };
    run.run_or_detach(debate.host, Person::default(), front)
        .await
}
