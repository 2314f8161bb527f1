//! Who debates in a duel, and with which settings.

use agon_caller::{Caller, Code, Failure, settings};
use agon_config::{Layer, Settings};
use agon_record::id::Seat;
use agon_record::spec::{Effort, Seating, ToolName};
use agon_record::spec::{Replaced, Standby};
use agon_seats::seating::{ResolvedSeats, SeatWish, Wishes, side_substitutes};
use agon_seats::tools::Tools;
use agon_seats::{seating, tools};

use crate::front::FrontEnd;
use crate::request::topic::Topic;
use crate::request::{SeatRequest, StartRequest};
use crate::seat::fallback::{BuiltInWanted, DebaterKind};
use crate::seat::keyed::{KeyedSeats, SeatCalls};
use crate::seat::{alone, fallback, interviewed, keyed, substitute};

// The fewest of which a majority rules when one of them errs. Held by
// `a_deep_debate_seats_a_panel_of_three_and_makes_twelve_calls`.
/// The judges of a deep debate.
const DEEP_JUDGES: usize = 3;

/// Who debates, and with which settings.
pub(super) struct ResolvedSetup {
    pub(super) topic: Topic,
    pub(super) settings: Settings,
    pub(super) tools: Tools,
    pub(super) seated: ResolvedSeats,
    /// The substitutes of the debaters.
    pub(super) standby: Standby,
}

/// Says who debates, and with which settings.
///
/// # Errors
///
/// If a tool that is named cannot speak, or there are too few.
pub(super) async fn resolve(
    caller: &Caller,
    request: &StartRequest,
    mut topic: Topic,
    front: &mut dyn FrontEnd,
) -> Result<ResolvedSetup, Failure> {
    let panel = judge_count(request, &topic)?;
    let mut settings = settings::resolve(caller, &layer(request, &topic))?.settings;
    let wished = wishes(request, &topic, &settings, panel);
    let may_replace = request.seats.substitute;
    let sides = [&request.seats.proposer, &request.seats.challenger];
    let is_side_named = topic.tools.is_some() || sides.iter().any(|side| side.tool.is_some());
    // An independent judge is named where the configured one is not.
    let is_judge_configured = settings.judge.is_some() && request.seats.judges.tools.is_empty();
    let others = may_replace || is_side_named && is_judge_configured;
    let tools = detect_tools(caller, &wished, &settings, others).await?;
    let named = wished.clone();
    let calls = planned_calls(request, &topic, &settings, panel);
    let (tools, wished) = match request.allow_download {
        // With the permission, Agon asks nothing.
        true => (tools, wished),
        false => {
            let found = (tools, wished);
            keyed::seat_models_behind_keys(caller, &settings, found, calls, front).await?
        }
    };
    let may_download = request.allow_download;
    let chosen =
        fallback::choose_participants(caller, &settings, tools, wished, may_download, front)
            .await?;
    let (tools, wished) = match chosen.who {
        DebaterKind::Tools => {
            let candidates = chosen.tools.candidates();
            let wished = alone::seat_two_models(caller, chosen.wishes, candidates, front).await;
            (chosen.tools, wished)
        }
        DebaterKind::Servers => (chosen.tools, chosen.wishes),
        DebaterKind::Local => {
            // Nothing is fetched for a question that it cannot debate.
            interviewed::require_options(&topic.text)?;
            // It is as quick as it is small, unless more is asked for.
            topic.quick |= !(request.deep || topic.thorough);
            settings = settings::resolve(caller, &layer(request, &topic))?.settings;
            let wished = wishes(request, &topic, &settings, panel);
            let wanted = BuiltInWanted {
                because: fallback::describe_absence(chosen.tools.candidates()),
                may_download,
                dry_run: request.dry_run,
            };
            fallback::seat_local_model(caller, &settings, wished, wanted, front).await?
        }
    };
    let found = (tools, wished);
    let (tools, wished, seated, replaced) = match seating::seat_duel(&found.1, found.0.candidates())
    {
        Ok(seated) => (found.0, found.1, seated, Vec::new()),
        Err(failure) => {
            let found = replace_unready(caller, &settings, found, may_replace, failure, front);
            found
                .await
                .map_err(|failure| with_api_keys_way(caller, failure))?
        }
    };
    let is_named = |named: &SeatWish, seated: &SeatWish| {
        !may_replace && named.tool.is_some() && named.tool == seated.tool
    };
    let free = [
        (Seat::Proposer, is_named(&named.proposer, &wished.proposer)),
        (
            Seat::Challenger,
            is_named(&named.challenger, &wished.challenger),
        ),
    ];
    let free = free.into_iter().filter(|(_, is_named)| !is_named);
    let standby = Standby {
        substitutes: free
            .map(|(seat, _)| {
                let substitutes = side_substitutes(&seated.seats, seat, tools.candidates());
                (seat, substitutes)
            })
            .collect(),
        replaced,
    };
    note_partial_judge(&settings, request, &seated, front);
    Ok(ResolvedSetup {
        topic,
        settings,
        tools,
        seated,
        standby,
    })
}

/// The seats with substitutes for the tools that were named and cannot be used: where the caller or
/// the person who is there allows it.
///
/// # Errors
///
/// If they do not, or no other tool can take the seats; it is then `failure`.
async fn replace_unready(
    caller: &Caller,
    settings: &Settings,
    (tools, wished): (Tools, Wishes),
    may_replace: bool,
    failure: Failure,
    front: &mut dyn FrontEnd,
) -> Result<(Tools, Wishes, ResolvedSeats, Vec<Replaced>), Failure> {
    if !substitute::is_unready_failure(&failure) {
        return Err(failure);
    }
    let tools = match may_replace {
        true => tools,
        // Only those that are named were looked for.
        false => Tools::detect(caller, settings, &named_tools(&wished)).await?,
    };
    let (open, unready) = seating::without_unready(&wished, tools.candidates(), |_| true);
    let Ok(seated) = seating::seat_duel(&open, tools.candidates()) else {
        return Err(failure);
    };
    if unready.is_empty() {
        return Err(failure);
    }
    let replaced = unready.replaced_by(&seated.seats);
    match may_replace || substitute::confirm(&replaced, front).await {
        true => Ok((tools, open, seated, replaced)),
        false => Err(substitute::with_flag_way(failure)),
    }
}

/// Says that the judge of the configuration shares its tool or vendor with a debater, where another
/// one would not.
fn note_partial_judge(
    settings: &Settings,
    request: &StartRequest,
    seated: &ResolvedSeats,
    front: &mut dyn FrontEnd,
) {
    let is_configured = request.seats.judges.tools.is_empty() && settings.judge.is_some();
    let Some(judge) = seated.seats.get(&Seat::JUDGE).filter(|_| is_configured) else {
        return;
    };
    let sides = [Seat::Proposer, Seat::Challenger];
    let sides = sides.map(|seat| (seat, seated.seats.get(&seat)));
    let is_near = |side: &Seating| {
        side.tool == judge.tool || !judge.vendor.is_empty() && side.vendor == judge.vendor
    };
    let near = sides.iter().find(|(_, side)| side.is_some_and(is_near));
    let other = seated.substitutes.iter().find(|other| {
        !other.vendor.is_empty()
            && sides.iter().all(|(_, side)| {
                side.is_none_or(|side| side.tool != other.tool && side.vendor != other.vendor)
            })
    });
    if let (Some((seat, _)), Some(other)) = (near, other) {
        front.warn(&format!(
            "the judge of your configuration, {}, is not independent of the {seat}; judge with {}: \
             --judge {}",
            judge.tool, other.tool, other.tool
        ));
    }
}

/// Looks for the tools that may be seated: those named, or all of them where a seat is open or the
/// `others` are wanted.
async fn detect_tools(
    caller: &Caller,
    wishes: &Wishes,
    settings: &Settings,
    others: bool,
) -> Result<Tools, Failure> {
    let names = named_tools(wishes);
    let known = tools::profile_names(settings)?;
    let are_named = wished_seats(wishes).all(|wish| {
        let tool = wish.tool.as_ref();
        tool.is_some_and(|name| tools::is_tool_name(&known, name))
    });
    if are_named && !others {
        Tools::detect_requested(caller, settings, &names, &names, &[]).await
    } else {
        Tools::detect(caller, settings, &names).await
    }
}

fn wished_seats(wishes: &Wishes) -> impl Iterator<Item = &SeatWish> {
    let sides = [&wishes.proposer, &wishes.challenger].into_iter();
    sides.chain(&wishes.judges)
}

/// The tools that are named for a seat.
fn named_tools(wishes: &Wishes) -> Vec<ToolName> {
    let named = wished_seats(wishes).filter_map(|wish| wish.tool.as_ref());
    let mut names: Vec<_> = named.filter_map(|name| name.parse().ok()).collect();
    names.sort();
    names.dedup();
    names
}

/// How many judges there are to be.
///
/// # Errors
///
/// If they are too many, or there are more models than judges.
fn judge_count(request: &StartRequest, topic: &Topic) -> Result<usize, Failure> {
    let judges = &request.seats.judges;
    let named = judges.tools.len();
    let min = if request.deep || topic.thorough {
        DEEP_JUDGES
    } else {
        1
    };
    seating::validate_panel_size(named, named.max(min), judges.models.len())
}

/// What is asked for, as the last layer of the configuration.
fn layer(request: &StartRequest, topic: &Topic) -> Layer {
    let quick = request.quick || topic.quick;
    let deep = request.deep || topic.thorough;
    let (rounds, effort) = match (quick, deep) {
        (true, _) => (Some(1), Some(Effort::Low)),
        (false, true) => (Some(3), Some(Effort::High)),
        (false, false) => (None, None),
    };
    let [first, second] = match &topic.tools {
        Some([first, second]) => [Some(first.clone()), Some(second.clone())],
        None => [None, None],
    };
    let seats = &request.seats;
    let models = [
        ("proposer", &seats.proposer.model),
        ("challenger", &seats.challenger.model),
    ];
    let judges = (1..).zip(&seats.judges.models);
    let judges = judges.map(|(number, model)| (Seat::Judge(number).to_string(), model.clone()));
    let model = models
        .into_iter()
        .filter_map(|(seat, model)| Some((seat.to_owned(), model.clone()?)))
        .chain(judges);
    Layer {
        proposer: seats.proposer.tool.clone().or(first),
        challenger: seats.challenger.tool.clone().or(second),
        judge: seats.judges.tools.first().cloned(),
        rounds: request.rounds.or(topic.rounds).or(rounds),
        effort: seats.effort.or(effort),
        transport: seats.transport,
        context: request.context.clone(),
        model: model.collect(),
        ..settings::layer(&request.bounds)
    }
}

fn wishes(request: &StartRequest, topic: &Topic, settings: &Settings, panel: usize) -> Wishes {
    let is_quick = request.quick || topic.quick;
    let seats = &request.seats;
    let wish = |seat: &str, tool: &Option<String>, effort: Option<Effort>| SeatWish {
        tool: tool.clone(),
        model: settings.model.get(seat).cloned(),
        effort: effort.unwrap_or(settings.effort),
        ..SeatWish::default()
    };
    let side =
        |seat: &str, tool: &Option<String>, asked: &SeatRequest| wish(seat, tool, asked.effort);
    let judge = |number: u8| {
        let named = seats.judges.tools.get(usize::from(number) - 1).cloned();
        let named = named.or_else(|| settings.judge.clone().filter(|_| number == 1));
        let seat = Seat::Judge(number).to_string();
        // Who judges thinks at least so hard, unless it is said otherwise.
        let usual = (!is_quick).then(|| settings.effort.max(Effort::High));
        wish(&seat, &named, seats.judges.effort.or(usual))
    };
    Wishes {
        proposer: side("proposer", &settings.proposer, &seats.proposer),
        challenger: side("challenger", &settings.challenger, &seats.challenger),
        judges: (1..).take(panel).map(judge).collect(),
        same_tool: seats.same_tool,
    }
}

/// The calls that are planned of each side and of the judges.
fn planned_calls(
    request: &StartRequest,
    topic: &Topic,
    settings: &Settings,
    panel: usize,
) -> SeatCalls {
    let is_quick = request.quick || topic.quick;
    let swap = !is_quick && !request.no_swap;
    SeatCalls {
        side: u32::from(settings.rounds) + u32::from(!is_quick),
        judge: u32::try_from(panel)
            .unwrap_or(u32::MAX)
            .saturating_add(swap.into()),
    }
}

/// The failure with the API keys that are set as the first way out, where tools are too few.
fn with_api_keys_way(caller: &Caller, failure: Failure) -> Failure {
    if failure.code != Code::TooFewTools {
        return failure;
    }
    let Some(seats) = KeyedSeats::find(caller) else {
        return failure;
    };
    let way = format!("your API keys can debate: {}", seats.arguments());
    let hint = match &failure.hint {
        Some(others) => format!("{way}\n  or {others}"),
        None => way,
    };
    failure.hint(hint)
}
