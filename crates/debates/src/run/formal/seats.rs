//! Who sits where in a run of a formal debate.

use std::collections::BTreeMap;

use agon_caller::{Caller, Failure};
use agon_config::Settings;
use agon_record::id::Seat;
use agon_record::spec::Standby;
use agon_record::spec::{Context, Effort, Seating, ToolName};
use agon_record::state::State;
use agon_seats::seating::{
    FormalWishes, SeatWish, seat_formal, side_substitutes, validate_panel_size, without_unready,
};
use agon_seats::tools;
use agon_seats::tools::Tools;

use crate::front::FrontEnd;
use crate::request::{JudgesRequest, PlayRequest, SeatRequest};
use crate::seat::substitute;

/// Who sits where in a run, and who may take the seats of the debaters.
pub(super) struct SeatedRun {
    pub(super) seats: BTreeMap<Seat, Seating>,
    pub(super) standby: Standby,
    pub(super) tools: Tools,
}

/// Seats the tools: those named now, else those of the last run, else those
/// that are here. Addresses that the record names are asked only if they are in `granted`.
///
/// A side that has not spoken gets a substitute for a tool that is missing or logged out, where Agon
/// chose the tool, or the caller or the person who is there allows it.
///
/// # Errors
///
/// If a tool cannot speak, or the panel is too large.
pub(super) async fn resolve(
    caller: &Caller,
    request: &PlayRequest,
    settings: &Settings,
    state: &State,
    granted: &[ToolName],
    front: &mut dyn FrontEnd,
) -> Result<SeatedRun, Failure> {
    let may_replace = request.seats.substitute;
    let wishes = wishes(request, settings, state)?;
    let known = tools::profile_names(settings)?;
    let all = wishes.sides.iter().chain(&wishes.judges);
    let named: Option<Vec<_>> = all.map(|wish| wish.tool.clone()).collect();
    let named = named.filter(|names| names.iter().all(|name| tools::is_tool_name(&known, name)));
    let parsed = |names: &[String]| {
        let mut names: Vec<_> = names.iter().filter_map(|name| name.parse().ok()).collect();
        names.sort();
        names.dedup();
        names
    };
    // The others are named by the record.
    let seats = &request.seats;
    let own = [
        &seats.proposition.tool,
        &seats.opposition.tool,
        &settings.judge,
    ];
    let own: Vec<_> = own
        .into_iter()
        .flatten()
        .chain(&seats.judges.tools)
        .cloned()
        .collect();
    let own = parsed(&own);
    let tools = match named.filter(|_| !may_replace) {
        Some(names) => {
            Tools::detect_requested(caller, settings, &parsed(&names), &own, granted).await?
        }
        None => Tools::detect(caller, settings, &own).await?,
    };
    let is_free = |seat: Seat| {
        let asked = match seat {
            Seat::Proposition => &request.seats.proposition.tool,
            Seat::Opposition => &request.seats.opposition.tool,
            _ => return false,
        };
        let is_chosen = !state.seats.contains_key(&seat) || state.substitutes.contains_key(&seat);
        may_replace || asked.is_none() && is_chosen
    };
    let (mut seats, tools, replaced) = match seat_formal(&wishes, tools.candidates()) {
        Ok(seats) => (seats, tools, Vec::new()),
        Err(failure) if substitute::is_unready_failure(&failure) => {
            let tools = match may_replace {
                true => tools,
                // Only those that are named were looked for.
                false => Tools::detect(caller, settings, &own).await?,
            };
            let may = |seat: Seat| seat.is_judge() || !state.has_spoken(seat);
            let (open, unready) = without_unready(&wishes, tools.candidates(), may);
            let is_free = unready.seats().all(is_free);
            let seats = seat_formal(&open, tools.candidates()).map_err(|_| failure.clone())?;
            let replaced = unready.replaced_by(&seats);
            if !is_free && !may_replace && !substitute::confirm(&replaced, front).await {
                return Err(substitute::with_flag_way(failure));
            }
            (seats, tools, replaced)
        }
        Err(failure) => return Err(failure),
    };
    let sides = [Seat::Proposition, Seat::Opposition].into_iter();
    let taken = |seat: &Seat| replaced.iter().any(|one| one.seat == *seat);
    let open = sides.filter(|seat| (is_free(*seat) || taken(seat)) && !state.has_spoken(*seat));
    let can_read = |one: &Seating| {
        !matches!(state.spec.context, Context::Repo(_))
            || tools.first_without_folder_access([one]).is_none()
    };
    let found = open.map(|seat| {
        let mut found = side_substitutes(&seats, seat, tools.candidates());
        found.retain(can_read);
        (seat, found)
    });
    let standby = Standby {
        substitutes: found.collect(),
        replaced,
    };
    if settings.transport.is_none() {
        for (seat, seating) in &mut seats {
            if let Some(last) = state
                .seats
                .get(seat)
                .filter(|last| last.tool == seating.tool)
            {
                seating.transport.clone_from(&last.transport);
            }
        }
        let respoken = tools.seats_changing_transport(&seats, None, front)?;
        seats.extend(respoken);
    }
    Ok(SeatedRun {
        seats,
        standby,
        tools,
    })
}

fn wishes(
    request: &PlayRequest,
    settings: &Settings,
    state: &State,
) -> Result<FormalWishes, Failure> {
    let seats = &request.seats;
    let judges = &seats.judges;
    let last_judges = state.seats.keys().filter(|seat| seat.is_judge()).count();
    let named = judges.tools.len();
    let panel = match named {
        0 => last_judges.max(1),
        named => named,
    };
    let panel = validate_panel_size(named, panel, judges.models.len())?;
    let wish = |seat: Seat, asked: SeatRequest| {
        let last = state.seats.get(&seat);
        // A panel that is named replaces the last one whole.
        let last = last.filter(|_| !seat.is_judge() || judges.tools.is_empty());
        let usual = seats.effort.map(|effort| match seat.is_judge() {
            true => effort.max(Effort::High),
            false => effort,
        });
        let effort = asked.effort.or(usual);
        seat_wish(SeatRequest { effort, ..asked }, last, settings, seat)
    };
    let judge = |(at, number)| wish(Seat::Judge(number), judge_request(judges, at));
    Ok(FormalWishes {
        sides: [
            wish(Seat::Proposition, seats.proposition.clone()),
            wish(Seat::Opposition, seats.opposition.clone()),
        ],
        judges: (0..panel).zip(1..).map(judge).collect(),
    })
}

/// What is asked for one judge of a panel.
fn judge_request(judges: &JudgesRequest, at: usize) -> SeatRequest {
    SeatRequest {
        tool: judges.tools.get(at).cloned(),
        model: judges.models.get(at).cloned(),
        effort: judges.effort,
    }
}

/// The wish for a seat: what is asked for, else as it was, else as it is configured.
fn seat_wish(
    asked: SeatRequest,
    last: Option<&Seating>,
    settings: &Settings,
    seat: Seat,
) -> SeatWish {
    let configured = || settings.judge.clone().filter(|_| seat == Seat::JUDGE);
    let tool = asked
        .tool
        .or_else(|| last.map(|last| last.tool.to_string()));
    let tool = tool.or_else(configured);
    // Another tool does not get the model of the one before it.
    let same = last.filter(|last| tool.as_deref() == Some(last.tool.as_str()));
    let configured = || settings.model.get(&seat.to_string()).cloned();
    let model = asked
        .model
        .or_else(|| configured().filter(|_| same.is_none()));
    let usual = match seat.is_judge() {
        true => settings.effort.max(Effort::High),
        false => settings.effort,
    };
    let effort = asked.effort.or(last.map(|last| last.effort));
    SeatWish {
        tool,
        model,
        effort: effort.unwrap_or(usual),
        before: same.cloned(),
        class: None,
    }
}
