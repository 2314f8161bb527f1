//! A new duel: who debates, what about, within which bounds.

mod setup;

use agon_caller::{Caller, Code, Failure, FailureKind, depth, find, settings};
use agon_config::{Settings, default};
use agon_record::id::Seat;
use agon_record::options::Options;
use agon_record::spec::{Context, DuelSpec, FormatName, Kind, Seating, Spec};
use agon_record::state::State;
use agon_redact::Redactor;
use agon_seats::seating::ResolvedSeats;
use agon_seats::tools;
use agon_seats::tools::naming;

use crate::failure::require_given;
use crate::front::FrontEnd;
use crate::limits::bounds::{caps_from_settings, least_calls, refuse_impossible_caps};
use crate::limits::expectation::Expectation;
use crate::past::precedents;
use crate::request::options::RunOptions;
use crate::request::topic::Topic;
use crate::request::{StartRequest, topic};
use crate::run::detach;
use crate::run::spec::new_spec;
use crate::run::{self, NewDebate};
use crate::seat::interviewed;
use crate::sources::{SourceRequest, default_context};
use crate::standing::outcome::{Outcome, Planned};

/// What a duel would be: nothing is opened.
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

/// Opens a duel and runs it, lets it run by itself, or says what it would be.
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
    let known = tools::profile_names(&settings::read_settings(caller)?)?;
    let topic = topic::read(&request.topic, &known)?;
    if request.strict {
        require_all_parameters(request, &topic)?;
    }
    settings::refuse_raised(caller, &request.bounds, settings::MAX_CALLS)?;
    let setup = setup::resolve(caller, request, topic, front).await?;
    let settings = &setup.settings;
    let models = setup.seated.seats.values().map(|one| one.model.as_deref());
    naming::refuse_impossible_models(models)?;
    let wanted = SourceRequest {
        context: "none",
        pasted: &request.pasted,
        allow_secrets: request.allow_secrets,
        pages: request.verify_urls,
        debates_dir: &settings.debates_dir,
        settings: setup.tools.project_config_names(),
    };
    let seated = setup.seated.seats.values().chain(&setup.seated.substitutes);
    let given = settings.context.as_deref();
    let (context, pin, default_context) =
        default_context::read_and_pin(caller, given, wanted, &setup.tools, seated).await?;
    let options = interviewed::resolve_options(&setup.seated, &setup.topic.text, &context)?;
    let mut standby = setup.standby;
    if matches!(context, Context::Repo(_)) {
        let tools = &setup.tools;
        let can_read = |one: &Seating| tools.first_without_folder_access([one]).is_none();
        let all = standby.substitutes.values_mut();
        all.for_each(|substitutes| substitutes.retain(can_read));
    }
    let mut spec = Spec {
        standby,
        context,
        default_context,
        source: pin.as_ref().map(|pin| pin.pinned.clone()),
        ..spec(
            caller,
            request,
            &setup.topic,
            settings,
            (setup.seated, options),
        )?
    };
    let debates = caller.cwd.join(&settings.debates_dir);
    if request.with_precedents {
        spec.precedents =
            precedents::find_precedents(caller, &debates, &spec.topic, &Redactor::new(), front)?;
    }
    let options = RunOptions {
        debates_dir: settings.debates_dir.clone(),
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
        let expected = Expectation::of(&debates, &state);
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
    run::start(caller, &options, new, &setup.tools, front).await
}

/// With `strict`, nothing is taken by default.
fn require_all_parameters(request: &StartRequest, topic: &Topic) -> Result<(), Failure> {
    let named = topic.tools.is_some();
    let preset = request.quick || request.deep || topic.quick || topic.thorough;
    let seats = &request.seats;
    let given = [
        ("proposer", named || seats.proposer.tool.is_some()),
        ("challenger", named || seats.challenger.tool.is_some()),
        ("judge", !seats.judges.tools.is_empty()),
        (
            "rounds",
            preset || request.rounds.is_some() || topic.rounds.is_some(),
        ),
        ("effort", preset || seats.has_every_effort()),
        ("context", request.context.is_some()),
    ];
    require_given(&given, |missing| format!("add --{missing}"))
}

fn spec(
    caller: &Caller,
    request: &StartRequest,
    topic: &Topic,
    settings: &Settings,
    (seated, options): (ResolvedSeats, Option<Options>),
) -> Result<Spec, Failure> {
    let rounds = settings.rounds;
    if !(1..=default::MAX_DUEL_ROUNDS).contains(&rounds) {
        return Err(
            Failure::new(Code::InvalidParameter, "a duel has 1 to 5 rounds")
                .kind(FailureKind::Config)
                .parameter("rounds"),
        );
    }
    // A quick debate has neither blind answers nor a swap; sides that are dealt out have no answer of
    // their own, and a judge whose model bears little would say something else each time.
    let blind = !(request.quick || topic.quick) && options.is_none();
    let judge = seated.seats.get(&Seat::JUDGE);
    let swap = blind && !request.no_swap && judge.is_none_or(|judge| judge.budget.is_none());
    let same_tool = has_same_tool_on_both_sides(&seated);
    let slug = request.slug.clone().unwrap_or_default();
    let named = (slug, topic.text.clone());
    let mut spec = Spec {
        kind: Kind::duel(DuelSpec {
            substitutes: seated.substitutes,
            rounds,
            blind,
            swap,
            ask_on_agreement: caller.is_watched && !request.detach,
            options,
        }),
        same_tool,
        seats: seated.seats,
        ..new_spec(FormatName::Duel, request.id, named, settings)?
    };
    spec.caps = caps_from_settings(settings, spec.planned_calls() + default::SPARE_CALLS);
    let least = least_calls(&spec.seats, blind);
    refuse_impossible_caps(&spec.caps, spec.planned_calls(), least)?;
    Ok(spec)
}

fn has_same_tool_on_both_sides(seated: &ResolvedSeats) -> bool {
    let side = |seat| seated.seats.get(&seat).map(|s| (&s.tool, &s.model));
    let human = seated
        .seats
        .get(&Seat::Proposer)
        .is_some_and(Seating::is_human);
    !human && side(Seat::Proposer) == side(Seat::Challenger)
}
