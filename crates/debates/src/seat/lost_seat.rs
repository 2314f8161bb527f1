//! Decides how a debate continues after a seat was lost.

use agon_caller::{Caller, Code, Failure, Hint, settings};
use agon_engine::host::{FolderHost, Host};
use agon_engine::run::{RunError, wait_for_stop_request};
use agon_record::event::{Cause, Event, Halt, Outcome};
use agon_record::id::{Seat, TurnId};
use agon_record::spec::{Context, ToolName};
use agon_record::state::State;
use agon_seats::tools::Tools;

use crate::failure::run_failure;
use crate::failure::stopped_failure;
use crate::front::{AfterLoss, FrontEnd, LostSeat};
use crate::limits::bounds::caps_to_continue;
use crate::limits::grants;
use crate::limits::grants::Grant;
use crate::seat::substitute::Replacing;
use crate::seat::{replace, substitute};

/// A debate that continues.
pub(crate) struct Continuation {
    /// The new tools, if they changed.
    pub tools: Option<Tools>,
}

/// Continues a debate after a seat failed for a reason that only its user can fix, or gave no
/// usable turn of a formal debate. A person at a terminal decides how. Without a person, if both
/// sides spoke in the first round of a duel, the judge rules on the turns so far. Returns `None` if
/// the debate does not continue.
///
/// # Errors
///
/// If the record cannot be written.
pub(crate) async fn continue_after_loss(
    caller: &Caller,
    host: &mut FolderHost,
    front: &mut dyn FrontEnd,
) -> Result<Option<Continuation>, Failure> {
    let (turn, cause, is_formal_turn) = match host.state().halted.clone() {
        Some(Halt::User { turn, cause }) => (turn, cause, false),
        Some(Halt::TurnLost { turn, cause }) if front.has_person() => (turn, cause, true),
        Some(_) | None => return offer_substitute(caller, host, front).await,
    };
    loop {
        let Some(seating) = host.state().seats.get(&turn.seat) else {
            return Ok(None);
        };
        let (slug, tool) = (host.state().command_name().to_owned(), seating.tool.clone());
        let seat = LostSeat {
            slug: &slug,
            tool: &tool,
            seat: turn.seat,
            cause: &cause,
            is_formal_turn,
        };
        // Also wait for a stop request, because the person may take any time to answer.
        let choice = tokio::select! {
            biased;
            choice = front.choose_after_loss(&seat) => choice,
            stopped = wait_for_stop_request(host) => {
                stopped.map_err(run_failure)?;
                return Err(stopped_failure(host.state()));
            }
        };
        let state = host.state();
        let (events, tools) = match choice {
            AfterLoss::Retry => (vec![Event::resumed(caps_to_continue(state))], None),
            AfterLoss::Replace(tool) => {
                match replacement_events(caller, host, turn.seat, &tool).await {
                    Ok((events, tools)) => (events, Some(tools)),
                    Err(failure) => {
                        let warning = Hint::new(failure.message);
                        let warning = warning.then(failure.hint.unwrap_or_default());
                        if let Some(warning) = warning.worded(&*caller.words) {
                            front.warn(&warning);
                        }
                        continue;
                    }
                }
            }
            AfterLoss::Stop => return Ok(None),
            AfterLoss::Unattended if can_judge_without_turn(state, turn) => {
                let note = describe_skipped_turn(state, turn, &cause);
                record(
                    host,
                    &[Event::resumed(host.state().caps), lost_event(turn, cause)],
                )?;
                front.note(&note);
                return Ok(Some(Continuation { tools: None }));
            }
            AfterLoss::Unattended => return Ok(None),
        };
        record(host, &events)?;
        return Ok(Some(Continuation { tools }));
    }
}

/// Lets a substitute take the seat of a named side without a usable reply if the person allows it.
/// Without a person, notes the command that does.
async fn offer_substitute(
    caller: &Caller,
    host: &mut FolderHost,
    front: &mut dyn FrontEnd,
) -> Result<Option<Continuation>, Failure> {
    let state = host.state();
    let Some(seat) = state.seat_awaiting_permission() else {
        return Ok(None);
    };
    let is_one_sided = state.closed == Some(Outcome::Uncontested);
    if !front.has_person() {
        // A halted debate ends with a failure that contains this hint already.
        if is_one_sided {
            let name = state.command_name();
            let note = Hint::new(format!(
                "note: the {seat} gave no usable reply. To let another tool take the seat: "
            ));
            let note = note.command(format!("resume {name} --substitute"));
            caller.advise(&note, front);
        }
        return Ok(None);
    }
    let tools = tools_for(caller, host, &[], true).await?;
    let is_read = matches!(state.spec.context, Context::Repo(_));
    let replacing = Replacing {
        candidates: &tools.seat_candidates(false),
        can_read: &|one| !is_read || tools.first_without_folder_access([one]).is_none(),
        named: &[],
        all: true,
    };
    let Ok(mut events) = replacing.events(state) else {
        return Ok(None);
    };
    let after = state.clone().with_events(&events);
    let replaced = &after.replaced[state.replaced.len()..];
    if replaced.is_empty() || !substitute::confirm(replaced, front).await {
        return Ok(None);
    }
    if is_read {
        tools.require_folder_access(after.seats.values())?;
    }
    let caps = caps_to_continue(&State {
        closed: None,
        ..after.clone()
    });
    events.push(match is_one_sided {
        true => Event::Continued {
            through: state.planned_rounds(),
            seats: after.seats,
            caps,
            standby: state.standby(),
        },
        false => Event::resumed(caps),
    });
    record(host, &events)?;
    Ok(Some(Continuation { tools: Some(tools) }))
}

/// Returns the tools of the debate with the `wanted` tools in their seats; with `all`, every other
/// tool too.
async fn tools_for(
    caller: &Caller,
    host: &FolderHost,
    wanted: &[(Seat, ToolName)],
    all: bool,
) -> Result<Tools, Failure> {
    let state = host.state();
    let settings = settings::read_settings(caller)?;
    let grant = grants::find_grant(caller, host.folder().path(), state.spec.ulid);
    let granted = Grant::granted_tools(grant.as_ref());
    replace::tools_for_seats(caller, &settings, state, wanted, granted, all).await
}

fn record(host: &mut FolderHost, events: &[Event]) -> Result<(), Failure> {
    host.record(events)
        .map_err(|error| run_failure(RunError::Host(error)))
}

fn lost_event(turn: TurnId, cause: Cause) -> Event {
    Event::TurnLost {
        turn,
        cause,
        findings: Vec::new(),
    }
}

/// Returns the events that put `tool` into this seat, and the tools that the debate then needs.
async fn replacement_events(
    caller: &Caller,
    host: &FolderHost,
    seat: Seat,
    tool: &str,
) -> Result<(Vec<Event>, Tools), Failure> {
    let state = host.state();
    let tool: ToolName = tool
        .parse()
        .map_err(|error| Failure::from_error(Code::UnknownTool, &error))?;
    let wanted = [(seat, tool)];
    let tools = tools_for(caller, host, &wanted, false).await?;
    let mut seats = replace::replaced_seats(state, &wanted, &tools)?;
    let caps = caps_to_continue(state);
    let is_substitute = !seat.is_judge() && !state.has_spoken(seat);
    let reseated = match is_substitute {
        true => seats.remove(&seat).map(|seating| Event::Reseated {
            seat,
            seating,
            cause: None,
        }),
        false => None,
    };
    let events = reseated.into_iter().chain([Event::Resumed { caps, seats }]);
    Ok((events.collect(), tools))
}

/// Returns whether a verdict is possible without this turn: a turn of a side after the first round,
/// or of a judge with an independent substitute.
fn can_judge_without_turn(state: &State, turn: TurnId) -> bool {
    let spoke = |seat| state.admitted(TurnId::round(1, seat)).is_some();
    let both = spoke(Seat::Proposer) && spoke(Seat::Challenger);
    let is_side = |tool: &ToolName| {
        let sides = state.spec.format().sides();
        sides
            .iter()
            .any(|seat| state.seats.get(seat).is_some_and(|side| side.tool == *tool))
    };
    // Only an independent substitute counts: the missing judge would later rule better than a
    // debater's own tool.
    let substitutes = state.judge_substitutes();
    let next = substitutes.get(state.lost_judges().len());
    let has_judge = next.is_some_and(|next| !is_side(&next.tool));
    both && (!turn.seat.is_judge() || has_judge)
}

fn describe_skipped_turn(state: &State, turn: TurnId, cause: &Cause) -> String {
    let tool = state
        .seats
        .get(&turn.seat)
        .map(|seating| seating.tool.to_string());
    let tool = tool.unwrap_or_default();
    let (seat, why, slug) = (turn.seat, &cause.detail, state.command_name());
    match seat.is_judge() {
        true => format!("{tool} cannot judge: {why}; another tool judges instead"),
        false => format!(
            "{tool} cannot speak as {seat}: {why}; the judge rules on the turns so far. Once that is \
             fixed, run `agon continue {slug}` to continue"
        ),
    }
}
