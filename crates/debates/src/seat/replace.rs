//! Another tool in a seat of a debate that goes on.

use std::collections::BTreeMap;

use agon_caller::{Caller, Code, Failure};
use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Context, Seating, ToolName};
use agon_record::state::State;
use agon_seats::tools::Tools;
use agon_seats::{seating, tools};

/// Who sits where once each of these tools has taken its seat.
///
/// The effort stays; the model is the new tool's own, by that effort.
///
/// # Errors
///
/// If the seat is empty, or the tool cannot take the seat.
pub(crate) fn replaced_seats(
    state: &State,
    wanted: &[(Seat, ToolName)],
    tools: &Tools,
) -> Result<BTreeMap<Seat, Seating>, Failure> {
    let mut replaced = BTreeMap::new();
    for (seat, tool) in wanted {
        let Some(before) = state.seats.get(seat) else {
            let seats: Vec<_> = state.seats.keys().map(ToString::to_string).collect();
            let message = format!("nobody sits as {seat} in this debate");
            return Err(Failure::new(Code::EmptySeat, message)
                .parameter("replace")
                .hint(format!("its seats: {}", seats.join(", "))));
        };
        let taken = seating::seat_in_place_of(before, tool, *seat, tools.candidates())?;
        replaced.insert(*seat, taken);
    }
    if matches!(state.spec.context, Context::Repo(_)) {
        tools.require_folder_access(replaced.values())?;
    }
    Ok(replaced)
}

/// The tools of `state` where each of `wanted` takes its seat; those that lose every seat are not
/// looked for. Addresses that the record names are asked only if they are in `granted`. With `all`,
/// every tool that has a profile is looked for too: any may be a substitute.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub(crate) async fn tools_for_seats(
    caller: &Caller,
    settings: &Settings,
    state: &State,
    wanted: &[(Seat, ToolName)],
    granted: &[ToolName],
    all: bool,
) -> Result<Tools, Failure> {
    let own: Vec<_> = wanted.iter().map(|(_, tool)| tool.clone()).collect();
    let stays = |seat: &Seat| wanted.iter().all(|(replaced, _)| replaced != seat);
    let seated = state.seats.iter().filter(|(seat, _)| stays(seat));
    let seated = seated.map(|(_, seating)| seating.tool.clone());
    let names = seated.chain(state.all_substitutes().map(|one| one.tool.clone()));
    let mut names: Vec<_> = names.chain(own.iter().cloned()).collect();
    if all {
        let known = tools::profile_names(settings)?;
        names.extend(known.iter().filter_map(|name| name.parse().ok()));
        names.sort();
        names.dedup();
    }
    match own.is_empty() && !all {
        true => {
            let names: Vec<_> = state
                .seats
                .values()
                .chain(state.all_substitutes())
                .map(|seat| seat.tool.clone())
                .collect();
            Tools::detect_recorded(caller, settings, &names, granted).await
        }
        false => Tools::detect_requested(caller, settings, &names, &own, granted).await,
    }
}
