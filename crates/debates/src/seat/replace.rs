//! Replaces tools in the seats of a resumed debate.

use std::collections::BTreeMap;

use agon_caller::{Caller, Code, Failure};
use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::{Context, Seating, ToolName};
use agon_record::state::State;
use agon_seats::tools::Tools;
use agon_seats::{seating, tools};

/// Returns the seats after each of these tools has taken its seat.
///
/// The effort stays the same; the model is chosen for the new tool by that effort.
///
/// # Errors
///
/// If the seat does not exist, or the tool cannot take it.
pub(crate) fn replaced_seats(
    state: &State,
    wanted: &[(Seat, ToolName)],
    tools: &Tools,
) -> Result<BTreeMap<Seat, Seating>, Failure> {
    let mut replaced = BTreeMap::new();
    for (seat, tool) in wanted {
        let Some(before) = state.seats.get(seat) else {
            let seats: Vec<_> = state.seats.keys().map(ToString::to_string).collect();
            let message = format!("this debate has no {seat}");
            return Err(Failure::new(Code::EmptySeat, message)
                .parameter("replace")
                .hint(format!("its seats: {}", seats.join(", "))));
        };
        let taken =
            seating::replacement_seating(before, tool, *seat, &tools.seat_candidates(true))?;
        replaced.insert(*seat, taken);
    }
    if matches!(state.spec.context, Context::Repo(_)) {
        tools.require_folder_access(replaced.values())?;
    }
    Ok(replaced)
}

/// Finds the tools of `state` after each of `wanted` takes its seat; skips tools that lose all
/// seats. Calls URLs in the record only if they are in `granted`. With `all`, finds every tool with
/// a profile, since any may be a substitute.
///
/// # Errors
///
/// If the configuration makes a profile invalid.
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
        false => {
            let found = Tools::detect_requested(caller, settings, &names, &own, granted).await?;
            Ok(found.with_named(own))
        }
    }
}
