//! Plays exchanges of a formal debate, or continues a duel.

use std::collections::BTreeMap;

use agon_caller::hint::command;
use agon_caller::{Caller, Code, Failure, depth, find, settings};
use agon_config::{Settings, default};
use agon_engine::extend::{Extension, extend_debate_with_requests};
use agon_engine::host::Host;
use agon_record::event::Event;
use agon_record::format::Judging;
use agon_record::id::Seat;
use agon_record::spec::Standby;
use agon_record::spec::{Context, Seating};
use agon_record::state::State;
use agon_record::user::Item;
use agon_rules::format::{self, Phase, debate_phase, remaining_calls};
use agon_seats::tools::naming;

use crate::failure::{require_given, run_failure};
use crate::front::FrontEnd;
use crate::limits::bounds::{caps_from_settings, caps_plus_spent, with_event};
use crate::limits::expectation::Expectation;
use crate::limits::grants::Grant;
use crate::limits::{grants, spending};
use crate::person::Person;
use crate::request::options::RunOptions;
use crate::request::{PlayRequest, ResumeRequest};
use crate::run::DebateRun;
use crate::run::resume;
use crate::run::resume::OpenDebate;
use crate::seat::formal_seats::seat_run;
use crate::seat::interviewed;
use crate::seat::seated::Seated;
use crate::status::choose;
use crate::status::choose::LikelyDebate;
use crate::status::outcome::{Outcome, Planned};
use crate::steer;

/// Plays exchanges of a formal debate, or returns their plan. Continues a duel.
///
/// # Errors
///
/// If it cannot continue, or a turn is lost.
pub async fn play(
    caller: &Caller,
    request: &PlayRequest,
    front: &mut dyn FrontEnd,
) -> Result<Outcome, Failure> {
    depth::refuse_nested(caller)?;
    let request = &with_lone_number_as_exchanges(caller, request);
    if request.strict {
        require_all_parameters(request)?;
    }
    let configured = settings::read_settings(caller)?;
    let settings = request.bounds.apply_to(Settings {
        transport: request.seats.transport.or(configured.transport),
        ..configured
    });
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::Formal,
        front,
    )?;
    let state = find::read_for(caller, &path)?.state;
    if state.format_rules().judging == Judging::AtTheEnd {
        refuse_formal_options(request)?;
        if request.dry_run {
            return Ok(planned_outcome(caller, &path, state));
        }
        let opened = OpenDebate::open(caller, &path, front)?;
        return resume::resume_open_debate(caller, &to_resume_request(request), opened, front)
            .await;
    }
    // Check the length and the tools before anything is written.
    let more = request.exchanges.unwrap_or(default::EXCHANGES);
    require_something_due(&state, more)?;
    let grant = grants::find_grant(caller, &path, state.spec.ulid);
    let granted = Grant::granted_tools(grant.as_ref());
    let Seated {
        seats,
        standby,
        tools,
        ..
    } = seat_run(caller, request, &settings, &state, granted, front).await?;
    let seated = (&seats, &standby);
    naming::refuse_invalid_model_names(seats.values().map(|one| one.model.as_deref()))?;
    interviewed::refuse_formal(seats.values())?;
    if request.dry_run {
        let (extension, _) = extension_and_calls(&settings, &state, more, seated);
        let state = with_event(&state, &Event::from(extension));
        return Ok(planned_outcome(caller, &path, state));
    }
    tools.agents(seats.values())?;
    if request.detach {
        tools.require_configured(seats.values())?;
    }
    if matches!(state.spec.context, Context::Repo(_)) {
        tools.require_folder_access(seats.values())?;
    }
    let (_, calls) = extension_and_calls(&settings, &state, more, seated);
    settings::refuse_raised_limits(caller, &request.bounds, calls + default::SPARE_CALLS)?;
    let mut debate = OpenDebate::open(caller, &path, front)?;
    let (extension, _) = extension_and_calls(&settings, debate.host.state(), more, seated);
    let allowed = with_event(debate.host.state(), &Event::from(extension.clone()));
    spending::reserve_for_debate(caller, &allowed, front)?;
    let substitutes = standby.substitutes.values().flatten();
    let id = state.spec.ulid;
    grants::allow_tools(caller, &path, id, seats.values().chain(substitutes));
    let note = request.note.as_deref().map(steer::note);
    let words: Vec<Item> = note.into_iter().map(steer::new_item).collect();
    let discarded =
        extend_debate_with_requests(&mut debate.host, extension, &words, request.ask_again)
            .map_err(|error| {
                spending::settle_debate(caller, debate.host.state());
                run_failure(error)
            })?;
    resume::note_discarded(&discarded, front);
    let options = RunOptions {
        debates_dir: debate.debates_dir,
        timeout: request.bounds.timeout(),
        detach: request.detach,
    };
    let run = DebateRun {
        caller,
        options: &options,
        tools: &tools,
    };
    run.run_or_detach(debate.host, Person::default(), front)
        .await
}

/// The progress of a formal debate, for the question how many exchanges to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// The debate's name.
    pub slug: String,
    /// The parts before any rebuttal, in a few words; empty if there are none.
    pub first: &'static str,
}

/// Returns the progress of the requested debate; `None` for a duel, or if the request has a number.
///
/// # Errors
///
/// If there is no such debate.
pub fn remaining_if_unspecified(
    caller: &Caller,
    request: &PlayRequest,
) -> Result<Option<Remaining>, Failure> {
    let request = with_lone_number_as_exchanges(caller, request);
    if request.exchanges.is_some() {
        return Ok(None);
    }
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::Formal,
        &mut agon_caller::IgnoreNotes,
    )?;
    let state = find::read_for(caller, &path)?.state;
    if state.format_rules().judging == Judging::AtTheEnd {
        return Ok(None);
    }
    let first = match (
        format::first_unjudged_exchange(&state),
        debate_phase(&state),
    ) {
        (0, _) => " after the opening exchange",
        (_, Phase::AwaitingJudgment) => " after the pending judgment",
        (_, _) => "",
    };
    let slug = state.command_name().to_owned();
    Ok(Some(Remaining { slug, first }))
}

/// Reads a single number as the number of exchanges, unless a debate has that name.
fn with_lone_number_as_exchanges(caller: &Caller, request: &PlayRequest) -> PlayRequest {
    let mut request = request.clone();
    find::take_lone_number(caller, &mut request.debate, &mut request.exchanges);
    request
}

fn to_resume_request(request: &PlayRequest) -> ResumeRequest {
    ResumeRequest {
        ask_again: request.ask_again,
        detach: request.detach,
        transport: request.seats.transport,
        substitute: request.seats.substitute,
        bounds: request.bounds.clone(),
        ..ResumeRequest::default()
    }
}

fn planned_outcome(caller: &Caller, path: &std::path::Path, state: State) -> Outcome {
    let expected = path.parent().map_or_else(Expectation::default, |dir| {
        Expectation::estimate(dir, &state)
    });
    Outcome::Planned(Box::new(Planned {
        folder: caller.display_path(path),
        state,
        is_open: true,
        expected,
    }))
}

/// Rejects missing parameters if `strict` is set.
fn require_all_parameters(request: &PlayRequest) -> Result<(), Failure> {
    let seats = &request.seats;
    let [proposition, opposition] = &seats.sides;
    let given = [
        ("debate", request.debate.is_some()),
        ("exchanges", request.exchanges.is_some()),
        ("proposition", proposition.tool.is_some()),
        ("opposition", opposition.tool.is_some()),
        ("judge", !seats.judges.tools.is_empty()),
        ("effort", seats.has_every_effort()),
    ];
    require_given(&given, |_| {
        command("run DEBATE N --proposition … --opposition … --judge … --effort …")
    })
}

/// Rejects options that apply only to formal debates.
fn refuse_formal_options(request: &PlayRequest) -> Result<(), Failure> {
    let seats = &request.seats;
    let [one, other] = &seats.sides;
    let judges = &seats.judges;
    let given = [
        ("exchanges", request.exchanges.is_some()),
        ("proposition", one.tool.is_some() || one.model.is_some()),
        ("opposition", other.tool.is_some() || other.model.is_some()),
        (
            "judge",
            !(judges.tools.is_empty() && judges.models.is_empty()),
        ),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::new(
            Code::InvalidParameter,
            "this debate is a duel, whose rounds and seats are fixed",
        )
        .parameter(name)
        .hint("run `agon run DEBATE` without options to continue it, like `agon resume`")),
    }
}

/// Rejects 0 exchanges if no turn is pending.
fn require_something_due(state: &State, more: u16) -> Result<(), Failure> {
    let due = format::first_unjudged_exchange(state) == 0
        || debate_phase(state) == Phase::AwaitingJudgment;
    if more == 0 && !due {
        return Err(
            Failure::new(Code::InvalidParameter, "nothing to do: no turn is pending")
                .parameter("exchanges")
                .hint(format!(
                    "play another exchange: agon run {} 1",
                    state.command_name()
                )),
        );
    }
    Ok(())
}

/// Returns the extension by `more` rebuttals with these seats, and its number of calls.
fn extension_and_calls(
    settings: &Settings,
    state: &State,
    more: u16,
    (seats, standby): (&BTreeMap<Seat, Seating>, &Standby),
) -> (Extension, u32) {
    let extension = Extension {
        through: format::target_exchange(state, more),
        seats: seats.clone(),
        caps: state.caps,
        standby: standby.clone(),
    };
    let calls = remaining_calls(&with_event(state, &Event::from(extension.clone())));
    let caps = caps_plus_spent(
        state,
        caps_from_settings(settings, calls + default::SPARE_CALLS),
    );
    (Extension { caps, ..extension }, calls)
}

#[cfg(test)]
mod tests {
    use agon_record::spec::{Caps, Effort, Spec};

    use super::*;

    fn opened() -> State {
        State::open(Spec {
            ulid: 1.into(),
            caps: caps_from_settings(&Settings::default(), 0),
            ..Spec::formal("d", "This house would test")
        })
    }

    #[test]
    fn the_bounds_of_a_run_count_from_what_was_spent() {
        let mut state = opened();
        state.spent.calls = 7;
        state.spent.clock_ms = 1_000;
        state.sent_back = 2;
        let run = caps_from_settings(&Settings::default(), 10);
        let expected = Caps {
            calls: 17,
            time_ms: run.time_ms + 1_000,
            reasks: 6,
            ..run
        };
        assert_eq!(caps_plus_spent(&state, run), expected);
    }

    #[test]
    fn the_calls_to_come_are_those_of_the_exchanges_and_the_theses() {
        let state = opened();
        let seating = |tool: &str| Seating {
            tool: tool.parse().unwrap(),
            vendor: String::new(),
            model: None,
            effort: Effort::Low,
            transport: "cli".to_owned(),
            version: None,
            budget: None,
            unmeasured: false,
            class: None,
            refused_model: None,
            ignores_effort: false,
        };
        let mut extension = Extension {
            through: 3,
            seats: BTreeMap::from([
                (Seat::Proposition, seating("claude")),
                (Seat::Opposition, seating("codex")),
                (Seat::JUDGE, seating("gemini")),
            ]),
            caps: state.caps,
            standby: Standby::default(),
        };
        let calls = |extension: &Extension| {
            remaining_calls(&with_event(&state, &Event::from(extension.clone())))
        };
        assert_eq!(calls(&extension), 1 + 4 * 3);
        extension.seats.insert(Seat::Judge(2), seating("claude"));
        extension.seats.insert(Seat::Judge(3), seating("codex"));
        assert_eq!(calls(&extension), 1 + 4 * 5);
        assert_eq!(remaining_calls(&state), 0);
    }
}
