//! Starts a new duel.

use std::collections::BTreeMap;

use agon_caller::{Caller, Code, Failure, FailureKind, depth, find};
use agon_config::default;
use agon_record::id::Seat;
use agon_record::spec::{Context, DuelSpec, FormatName, Kind, Seating, Spec};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_seats::tools::naming;

use crate::front::FrontEnd;
use crate::limits::bounds::{caps_from_settings, least_calls, refuse_impossible_caps};
use crate::limits::expectation::Expectation;
use crate::past::precedents;
use crate::request::StartRequest;
use crate::request::options::RunOptions;
use crate::run::detach;
use crate::run::spec::new_spec;
use crate::run::{self, NewDebate};
use crate::seat::duel::ResolvedDuel;
use crate::seat::seated::Seated;
use crate::seat::{debaters, interviewed};
use crate::sources::session::take_session_brief;
use crate::sources::{PinnedWithFiles, SourceRequest, default_context};
use crate::status::outcome::{Outcome, Planned};

/// Plans a duel without opening it.
///
/// # Errors
///
/// As [`start`].
pub async fn plan(
    caller: &Caller,
    request: &StartRequest,
    front: &mut dyn FrontEnd,
) -> Result<Option<Box<Planned>>, Failure> {
    let dry = StartRequest {
        dry_run: true,
        ..request.clone()
    };
    Ok(match start(caller, &dry, front).await? {
        Outcome::Planned(planned) => Some(planned),
        Outcome::Started(_) | Outcome::Ended(_) => None,
    })
}

/// Opens a duel and runs it, here or in the background, or returns its plan.
///
/// # Errors
///
/// If it cannot be opened or run, or ends without a verdict.
pub async fn start(
    caller: &Caller,
    request: &StartRequest,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    depth::refuse_nested(caller)?;
    let caller = &Caller {
        probe_timeout: request.detach.then_some(detach::PROBE_TIMEOUT),
        ..caller.clone()
    };
    let mut duel = ResolvedDuel::read(caller, request)?;
    let mut seated = debaters::seat_duel(caller, &mut duel, front).await?;
    let debates_dir = duel.settings.debates_dir.clone();
    let (mut spec, pin) = resolve_spec(caller, duel, &mut seated, front).await?;
    let debates = caller.cwd.join(&debates_dir);
    if request.with_precedents {
        spec.precedents =
            precedents::find_precedents(caller, &debates, &spec.topic, &Redactor::new(), front)?;
    }
    let options = RunOptions {
        debates_dir,
        timeout: None,
        detach: request.detach,
    };
    if request.dry_run {
        let wanted = match spec.slug.as_str() {
            "" => spec.topic.as_str(),
            slug => slug,
        };
        let name = find::free_name(&debates, wanted);
        find::note_changed_name(request.slug.as_deref(), &name, front);
        let state = State::open(Spec {
            slug: name.clone(),
            ..spec
        });
        let expected = Expectation::estimate(&debates, &state);
        return Ok(Outcome::Planned(Box::new(Planned {
            folder: caller.display_path(&options.debates_dir.join(name)),
            state,
            is_open: false,
            expected,
        })));
    }
    let new = NewDebate {
        spec,
        pin,
        again: request.again,
        reuse: request.reuse,
    };
    run::start(caller, &options, new, &seated.tools, front).await
}

/// Fixes the properties of the duel and the source of its citations.
///
/// # Errors
///
/// If the context cannot be read, a model or the number of rounds is invalid, or the limits allow
/// no verdict.
async fn resolve_spec(
    caller: &Caller,
    duel: ResolvedDuel<'_>,
    seated: &mut Seated,
    front: &mut dyn FrontEnd,
) -> Result<(Spec, Option<PinnedWithFiles>), Failure> {
    let ResolvedDuel {
        request,
        topic,
        settings,
        ..
    } = duel;
    naming::refuse_invalid_model_names(seated.seats.values().map(|one| one.model.as_deref()))?;
    let mut pasted = request.pasted.clone();
    let given = settings.context.as_deref();
    let given = given.map(|given| take_session_brief(caller, given, &mut pasted, front));
    let given = given.transpose()?;
    let wanted = SourceRequest {
        context: "none",
        pasted: &pasted,
        change: request.change.as_ref(),
        allow_secrets: request.allow_secrets,
        pages: request.verify_urls,
        debates_dir: &settings.debates_dir,
        settings: seated.tools.project_config_names(),
    };
    let readers = seated.seats.values().chain(&seated.judge_substitutes);
    let given = given.as_deref();
    let (context, pin, default_context) =
        default_context::read_and_pin(caller, given, wanted, &seated.tools, readers).await?;
    let options = interviewed::resolve_options(&seated.seats, &topic.text, &context)?;
    if matches!(context, Context::Repo(_)) {
        seated.drop_substitutes_without_folder_access();
    }
    let rounds = settings.rounds;
    if !(1..=default::MAX_DUEL_ROUNDS).contains(&rounds) {
        return Err(
            Failure::new(Code::InvalidParameter, "a duel has 1 to 5 rounds")
                .kind(FailureKind::Config)
                .parameter("rounds"),
        );
    }
    // No blind answers in a quick debate or for assigned sides, which have no answer of their own.
    // No swap in these cases, nor for a judge with a small model, whose ruling differs each time.
    let blind = !topic.quick && options.is_none();
    let judge = seated.seats.get(&Seat::JUDGE);
    let swap = blind && !request.no_swap && judge.is_none_or(|judge| judge.budget.is_none());
    let named = (request.slug.clone().unwrap_or_default(), topic.text);
    let mut spec = Spec {
        kind: Kind::duel(DuelSpec {
            substitutes: seated.judge_substitutes.clone(),
            rounds,
            blind,
            swap,
            ask_on_agreement: caller.is_watched && !request.detach,
            options,
        }),
        same_tool: has_same_tool_on_both_sides(&seated.seats),
        seats: seated.seats.clone(),
        standby: seated.standby.clone(),
        context,
        default_context,
        source: pin.as_ref().map(|pin| pin.pinned.clone()),
        ..new_spec(FormatName::Duel, request.id, named, &settings)?
    };
    spec.caps = caps_from_settings(&settings, spec.planned_calls() + default::SPARE_CALLS);
    let least = least_calls(&spec.seats, blind);
    refuse_impossible_caps(&spec.caps, spec.planned_calls(), least)?;
    Ok((spec, pin))
}

fn has_same_tool_on_both_sides(seats: &BTreeMap<Seat, Seating>) -> bool {
    let side = |seat| seats.get(&seat).map(|one| (&one.tool, &one.model));
    let is_human = seats.get(&Seat::Proposer).is_some_and(Seating::is_human);
    !is_human && side(Seat::Proposer) == side(Seat::Challenger)
}
