//! What becomes of a debate in which a seat met what only its user can fix.

use agon_engine::host::{FolderHost, Host};
use agon_engine::run::RunError;
use agon_record::event::{Cause, Event, Halt};
use agon_record::id::{Seat, TurnId};
use agon_record::spec::ToolName;
use agon_record::state::State;

use crate::bounds::caps_to_go_on;
use crate::caller::Caller;
use crate::failure::{Failure, run_failure};
use crate::front::{AfterLoss, FrontEnd, LostSeat};
use crate::opened::Grant;
use crate::tools::Tools;
use crate::{opened, replace, settings};

/// A debate that goes on.
pub(crate) struct GoesOn {
    /// The tools from here on, where they are others.
    pub tools: Option<Tools>,
}

/// Lets a debate go on in which a seat met what only its user can fix: a person on a terminal says
/// how; where no person watches, and both sides spoke in the first round, the judge rules on what was
/// said. None where it does not go on.
///
/// # Errors
///
/// If the record cannot be kept.
pub(crate) async fn settle(
    caller: &Caller,
    host: &mut FolderHost,
    front: &mut dyn FrontEnd,
) -> Result<Option<GoesOn>, Failure> {
    let Some(Halt::User { turn, cause }) = host.state().halted.clone() else {
        return Ok(None);
    };
    loop {
        let state = host.state();
        let Some(seating) = state.seats.get(&turn.seat) else {
            return Ok(None);
        };
        let seat = LostSeat {
            slug: state.command_name(),
            tool: &seating.tool,
            seat: turn.seat,
            cause: &cause,
        };
        let (event, tools) = match front.choose_after_loss(&seat).await {
            AfterLoss::Retry => (Event::resumed(caps_to_go_on(state)), None),
            AfterLoss::Replace(tool) => match replaced(caller, host, turn.seat, &tool).await {
                Ok((event, tools)) => (event, Some(tools)),
                Err(failure) => {
                    let hint = failure.hint.as_deref().unwrap_or_default();
                    front.warn(&format!("{}; {hint}", failure.message));
                    continue;
                }
            },
            AfterLoss::Stop => return Ok(None),
            AfterLoss::Unattended if can_do_without(state, turn) => {
                let note = describe_without(state, turn, &cause);
                record(
                    host,
                    &[Event::resumed(host.state().caps), lost_event(turn, cause)],
                )?;
                front.note(&note);
                return Ok(Some(GoesOn { tools: None }));
            }
            AfterLoss::Unattended => return Ok(None),
        };
        record(host, &[event])?;
        return Ok(Some(GoesOn { tools }));
    }
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

/// The debate with `tool` in this seat, and the tools that it needs then.
async fn replaced(
    caller: &Caller,
    host: &FolderHost,
    seat: Seat,
    tool: &str,
) -> Result<(Event, Tools), Failure> {
    let state = host.state();
    let settings = settings::read_settings(caller)?;
    let tool: ToolName = tool.parse().map_err(|error| {
        Failure::from_error(crate::failure::FailureKind::Usage, "unknown_tool", &error)
    })?;
    let wanted = [(seat, tool)];
    let grant = opened::find_grant(caller, host.folder().path(), state.spec.ulid);
    let granted = Grant::tools_in(grant.as_ref());
    let tools = replace::tools_for_seats(caller, &settings, state, &wanted, granted).await?;
    let seats = replace::replaced_seats(state, &wanted, &tools)?;
    let caps = caps_to_go_on(state);
    Ok((Event::Resumed { caps, seats }, tools))
}

/// Whether there is enough for a verdict without this turn: of a side after the first round, or of
/// a judge in whose place another one rules.
fn can_do_without(state: &State, turn: TurnId) -> bool {
    let spoke = |seat| state.admitted(TurnId::round(1, seat)).is_some();
    let both = spoke(Seat::Proposer) && spoke(Seat::Challenger);
    let is_side = |tool: &ToolName| {
        let sides = state.spec.format().sides();
        sides
            .iter()
            .any(|seat| state.seats.get(seat).is_some_and(|side| side.tool == *tool))
    };
    // A debater's own tool rules less well than the one that is missed does later.
    let next = state.spec.substitutes().get(state.lost_judges().len());
    let has_judge = next.is_some_and(|next| !is_side(&next.tool));
    !state.is_scored() && both && (!turn.seat.is_judge() || has_judge)
}

fn describe_without(state: &State, turn: TurnId, cause: &Cause) -> String {
    let tool = state
        .seats
        .get(&turn.seat)
        .map(|seating| seating.tool.to_string());
    let tool = tool.unwrap_or_default();
    let (seat, why, slug) = (turn.seat, &cause.detail, state.command_name());
    match seat.is_judge() {
        true => format!("{tool} cannot judge: {why}; another tool does"),
        false => format!(
            "{tool} cannot speak as {seat}: {why}; the judge rules on what was said. Once that is \
             mended, agon continue {slug} goes on"
        ),
    }
}
