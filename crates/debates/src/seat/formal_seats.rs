//! Assigns the seats of a run of a formal debate.

use agon_caller::{Caller, Failure};
use agon_config::Settings;
use agon_record::spec::{Context, Effort, ToolName};
use agon_record::state::State;
use agon_seats::seating::validate_panel_size;
use agon_seats::tools::Tools;

use crate::front::FrontEnd;
use crate::request::PlayRequest;
use crate::seat::seated::{Placement, Seated};
use crate::seat::wishes::WishSources;

/// Seats the tools: those named now, otherwise the tools of the last run, otherwise ready ones.
/// Calls a URL in the record only if it is in `granted`.
///
/// A side that has not spoken gets a substitute for a missing or logged-out tool if Agon chose the
/// tool, or the caller or the person allows it.
///
/// # Errors
///
/// If a tool is not ready, or the panel is too large.
pub(crate) async fn seat_run(
    caller: &Caller,
    request: &PlayRequest,
    settings: &Settings,
    state: &State,
    granted: &[ToolName],
    front: &mut dyn FrontEnd,
) -> Result<Seated, Failure> {
    let asked = &request.seats;
    let named = asked.judges.tools.len();
    let last_judges = state.seats.keys().filter(|seat| seat.is_judge()).count();
    let panel = match named {
        0 => last_judges.max(1),
        named => named,
    };
    let panel = validate_panel_size(named, panel, asked.judges.models.len())?;
    let sources = WishSources {
        settings,
        before: &state.seats,
        judge_effort: Effort::High,
    };
    let format = state.spec.format();
    let wishes = sources.wishes(format, asked, panel);
    // Only these tools are named by the user or the configuration; the record names the others.
    let sides = asked.sides.iter().map(|side| &side.tool);
    let own = sides.chain([&settings.judge]).flatten();
    let own = own.chain(&asked.judges.tools);
    let mut own: Vec<ToolName> = own.filter_map(|name| name.parse().ok()).collect();
    own.sort();
    own.dedup();
    let sides = format.sides();
    let chosen = sides.into_iter().zip(&asked.sides).filter(|(seat, side)| {
        let is_chosen = !state.seats.contains_key(seat) || state.substitutes.contains_key(seat);
        side.tool.is_none() && is_chosen
    });
    let others = asked.substitute;
    let tools = Tools::detect_wished(caller, settings, &wishes, &own, granted, others).await?;
    let named = asked.named_tools();
    let tools = tools.with_named(named.iter().cloned());
    let placement = Placement {
        caller,
        settings,
        own,
        named,
        may_replace: asked.substitute,
        chosen: chosen.map(|(seat, _)| seat).collect(),
        spoken: sides
            .into_iter()
            .filter(|seat| state.has_spoken(*seat))
            .collect(),
        is_plan: request.dry_run,
    };
    let mut seated = placement.seat(tools, &wishes, front).await?;
    if matches!(state.spec.context, Context::Repo(_)) {
        seated.drop_substitutes_without_folder_access();
    }
    if settings.transport.is_none() {
        for (seat, seating) in &mut seated.seats {
            if let Some(last) = state
                .seats
                .get(seat)
                .filter(|last| last.tool == seating.tool)
            {
                seating.transport.clone_from(&last.transport);
            }
        }
        let tools = &seated.tools;
        let respoken = tools.seats_changing_transport(&seated.seats, None, front)?;
        seated.seats.extend(respoken);
    }
    Ok(seated)
}
