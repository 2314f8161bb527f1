//! Chooses who debates in a duel.

use agon_caller::{Caller, Code, Failure, Hint, host_sign};
use agon_config::Fallback;
use agon_record::id::Seat;
use agon_record::spec::{Seating, ToolName};
use agon_seats::seating::{Candidate, ModelPair, Ready, Wishes, models_for_open_side};
use agon_seats::tools::Tools;

use crate::front::FrontEnd;
use crate::seat::api_models::KeyedSeats;
#[cfg(feature = "local-model")]
use crate::seat::built_in;
use crate::seat::consent;
use crate::seat::duel::ResolvedDuel;
use crate::seat::seated::{Placement, Seated};

/// Who debates. The last case, a failure, is returned as an error.
enum Debaters {
    /// The named tools and people, with AI tools of this machine in the other seats.
    Tools,
    /// Two models of the only ready AI tool.
    TwoModels(ModelPair),
    /// Models behind API keys, at a price that a person accepted.
    KeyedModels(KeyedSeats),
    /// Models of a local server, which read nothing of the project.
    ServerModels(Vec<ToolName>),
    /// The built-in model, as a demonstration.
    #[cfg(feature = "local-model")]
    BuiltIn,
}

/// Chooses who debates, and assigns the seats.
///
/// # Errors
///
/// If a named tool is not ready, there are too few tools, or the person declines.
pub(crate) async fn seat_duel(
    caller: &Caller,
    duel: &mut ResolvedDuel<'_>,
    front: &mut dyn FrontEnd,
) -> Result<Seated, Failure> {
    let may_replace = duel.seats.substitute;
    let is_side_named = duel.seats.sides.iter().any(|side| side.tool.is_some());
    // Detect other tools too, to suggest an independent judge if the configured one is not.
    let others = may_replace || is_side_named && duel.has_configured_judge();
    let wishes = duel.wishes.clone();
    let own = wishes.named_tools();
    let tools = Tools::detect_wished(caller, &duel.settings, &wishes, &own, &[], others).await?;
    let named = duel.seats.named_tools();
    let tools = tools.with_named(named.iter().cloned());
    let sides = wishes.seats().filter(|(seat, _)| !seat.is_judge());
    let chosen = sides.filter(|(_, wish)| wish.tool.is_none());
    let chosen = chosen.map(|(seat, _)| seat).collect();
    let (debaters, tools) = choose(caller, duel, &wishes, tools, front).await?;
    let (wishes, tools) = match debaters {
        Debaters::Tools => (wishes, tools),
        Debaters::TwoModels(pair) => (pair.seat_on_both_sides(wishes), tools),
        Debaters::KeyedModels(keyed) => {
            let wishes = wishes.with_tools(keyed.names());
            let models = wishes.named_tools();
            (
                wishes,
                tools.with_models(caller, &duel.settings, &models).await?,
            )
        }
        Debaters::ServerModels(models) => (seat_server_models(wishes, &models), tools),
        #[cfg(feature = "local-model")]
        Debaters::BuiltIn => {
            built_in::seat_built_in(caller, duel, tools.candidates(), front).await?
        }
    };
    let placement = Placement {
        caller,
        settings: &duel.settings,
        own: wishes.named_tools(),
        named,
        may_replace,
        chosen,
        spoken: Vec::new(),
        is_plan: duel.request.dry_run,
    };
    let seated = placement.seat(tools, &wishes, front).await;
    let seated = seated.map_err(|failure| with_api_keys_hint(caller, failure))?;
    warn_of_partial_judge(caller, duel, &seated, front);
    Ok(seated)
}

/// Chooses who debates, in this order:
///
/// 1. the named tools, and AI tools that are ready;
/// 2. models behind API keys, if no AI tool is ready and a person accepts the price;
/// 3. models of a server on this machine, if no AI tool is installed;
/// 4. the built-in model, also if all tools are logged out and a person or the request permits it.
///
/// # Errors
///
/// If the configuration makes a profile invalid.
async fn choose(
    caller: &Caller,
    duel: &ResolvedDuel<'_>,
    wishes: &Wishes,
    tools: Tools,
    front: &mut dyn FrontEnd,
) -> Result<(Debaters, Tools), Failure> {
    let settings = &duel.settings;
    let candidates = tools.seat_candidates(consent::can_ask(caller, front.has_person()));
    let is_open = settings.fallback != Fallback::None && !wishes.name_any_tool_or_model();
    let can_speak = |candidate: &Candidate| candidate.is_tool && candidate.ready == Ready::Yes;
    // Ask about API models only if the download of the built-in model is not permitted already.
    if is_open
        && !duel.request.allow_download
        && front.has_person()
        && !candidates.iter().any(can_speak)
        && let Some(keyed) = KeyedSeats::find(caller)
        && front.confirm(&keyed.question(duel.calls())).await
    {
        return Ok((Debaters::KeyedModels(keyed), tools));
    }
    let context = settings.context.as_deref();
    let may_fall_back = is_open && context.is_none_or(|given| given == "none");
    match Installed::from_candidates(&candidates) {
        Installed::Nothing if may_fall_back => {
            // Use only servers that answer; one in the user's configuration may not.
            let (tools, answering) = tools.with_local_servers(caller, settings).await?;
            let served = tools
                .candidates()
                .iter()
                .filter(|it| answering.contains(&it.tool) && it.ready == Ready::Yes);
            let served: Vec<_> = served.map(|it| it.tool.clone()).collect();
            if served.is_empty() {
                return Ok((debaters_without_servers(), tools));
            }
            let names: Vec<_> = served.iter().take(3).map(ToolName::as_str).collect();
            front.note(&format!(
                "note: no AI tool is installed; a model server on this machine debates: {}",
                names.join(", ")
            ));
            Ok((Debaters::ServerModels(served), tools))
        }
        // Only with permission; otherwise the error says how to log in.
        #[cfg(feature = "local-model")]
        Installed::LoggedOut
            if may_fall_back && (duel.request.allow_download || front.has_person()) =>
        {
            Ok((Debaters::BuiltIn, tools))
        }
        Installed::Nothing | Installed::LoggedOut | Installed::Usable => {
            let pair = models_of_only_tool(caller, wishes, &candidates, front).await;
            Ok((pair.map_or(Debaters::Tools, Debaters::TwoModels), tools))
        }
    }
}

/// Returns who debates if no AI tool is installed and no server answers.
fn debaters_without_servers() -> Debaters {
    #[cfg(feature = "local-model")]
    return Debaters::BuiltIn;
    #[cfg(not(feature = "local-model"))]
    Debaters::Tools
}

/// The state of the installed AI tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Installed {
    /// No tool is installed.
    Nothing,
    /// Tools are installed, but all are logged out.
    LoggedOut,
    /// A tool is ready, or has another problem.
    Usable,
}

impl Installed {
    fn from_candidates(candidates: &[Candidate]) -> Self {
        let tools = candidates.iter().filter(|candidate| candidate.is_tool);
        tools.fold(Self::Nothing, |known, tool| match (known, &tool.ready) {
            (_, Ready::Yes | Ready::OtherWay(_) | Ready::Unlisted(..) | Ready::NotAllowed(_)) => {
                Self::Usable
            }
            (Self::Nothing, Ready::LoggedOut(_)) => Self::LoggedOut,
            (known, Ready::Missing(_) | Ready::LoggedOut(_)) => known,
        })
    }
}

/// Returns the two models of the only ready tool, if no other tool is named. On a terminal, Agon
/// asks first; inside an AI tool it notes the choice.
async fn models_of_only_tool(
    caller: &Caller,
    wishes: &Wishes,
    candidates: &[Candidate],
    front: &mut dyn FrontEnd,
) -> Option<ModelPair> {
    let is_waiting = |one: &Candidate| matches!(one.ready, Ready::NotAllowed(_));
    if candidates.iter().any(is_waiting) {
        // The error names the tools that the user has not allowed.
        return None;
    }
    let pair = models_for_open_side(wishes, candidates)?;
    let (tool, [strong, standard]) = (&pair.tool, &pair.models);
    let is_wanted = if front.has_person() {
        let question = format!(
            "Only {tool} can debate here. Let two models of it debate, {strong} against {standard}?"
        );
        front.confirm(&question).await
    } else {
        let in_host = host_sign::is_in_host(caller);
        if in_host {
            front.note(&format!(
                "note: only {tool} can debate here, so two models of it do: {strong} against {standard}"
            ));
        }
        in_host
    };
    is_wanted.then_some(pair)
}

/// Returns `wishes` with the `models` as first side, second side and judge. The first model fills
/// the seats if there are too few.
fn seat_server_models(wishes: Wishes, models: &[ToolName]) -> Wishes {
    let model = |at| {
        models
            .get(at)
            .or(models.first())
            .map_or("", ToolName::as_str)
    };
    Wishes {
        same_tool: wishes.same_tool || models.len() == 1,
        ..wishes.with_tools([model(0), model(1), model(2)])
    }
}

/// Warns if the configured judge shares its tool or vendor with a debater and another tool would
/// not.
fn warn_of_partial_judge(
    caller: &Caller,
    duel: &ResolvedDuel<'_>,
    seated: &Seated,
    front: &mut dyn FrontEnd,
) {
    let is_configured = duel.has_configured_judge();
    let Some(judge) = seated.seats.get(&Seat::JUDGE).filter(|_| is_configured) else {
        return;
    };
    let sides = [Seat::Proposer, Seat::Challenger];
    let sides = sides.map(|seat| (seat, seated.seats.get(&seat)));
    let is_near = |side: &Seating| {
        side.tool == judge.tool || !judge.vendor.is_empty() && side.vendor == judge.vendor
    };
    let near = sides.iter().find(|(_, side)| side.is_some_and(is_near));
    let other = seated.judge_substitutes.iter().find(|other| {
        !other.vendor.is_empty()
            && sides.iter().all(|(_, side)| {
                side.is_none_or(|side| side.tool != other.tool && side.vendor != other.vendor)
            })
    });
    if let (Some((seat, _)), Some(other)) = (near, other) {
        let warning = format!(
            "your configured judge, {}, is not independent of the {seat}",
            judge.tool
        );
        let way = format!("judge with {}: ", other.tool);
        let way = Hint::new(way).flag_with("judge", &other.tool);
        if let Some(warning) = Hint::new(warning).then(way).worded(&*caller.words) {
            front.warn(&warning);
        }
    }
}

/// Adds the available API keys as the first way out of a failure about too few tools.
fn with_api_keys_hint(caller: &Caller, failure: Failure) -> Failure {
    if failure.code != Code::TooFewTools {
        return failure;
    }
    let Some(seats) = KeyedSeats::find(caller) else {
        return failure;
    };
    let way = Hint::new("your API keys can debate: ").append(seats.flags());
    let others = failure.hint.clone().unwrap_or_default();
    failure.hint(way.join("\n  or ", others))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(tool: &str, ready: Ready) -> Candidate {
        Candidate {
            ready,
            ..crate::seat::candidate(tool, tool)
        }
    }

    #[test]
    fn a_tool_that_lacks_more_than_a_login_is_usable() {
        let missing = || candidate("gemini", Ready::Missing("npm install".to_owned()));
        let codex = || candidate("codex", Ready::LoggedOut("codex login".to_owned()));
        let server = Candidate {
            is_tool: false,
            ..candidate("ollama:llama", Ready::Yes)
        };
        for (candidates, installed) in [
            (vec![missing(), server], Installed::Nothing),
            (vec![missing(), codex()], Installed::LoggedOut),
            (vec![codex(), missing(), codex()], Installed::LoggedOut),
        ] {
            assert_eq!(Installed::from_candidates(&candidates), installed);
        }
        let other = Ready::OtherWay("name no transport".into());
        for ready in [Ready::Yes, other] {
            let candidates = [codex(), candidate("gemini", ready), codex()];
            assert_eq!(Installed::from_candidates(&candidates), Installed::Usable);
        }
    }

    #[test]
    fn models_of_a_server_take_all_seats_and_one_alone_sits_everywhere() {
        let names = |list: &[&str]| -> Vec<ToolName> {
            list.iter().map(|name| name.parse().unwrap()).collect()
        };
        let wishes = || Wishes::empty(agon_record::spec::FormatName::Duel);
        for (models, seats, same_tool) in [
            (&["a", "b", "c"][..], ["a", "b", "c"], false),
            (&["a", "b"], ["a", "b", "a"], false),
            (&["a"], ["a", "a", "a"], true),
        ] {
            let seated = seat_server_models(wishes(), &names(models));
            let tools = seated.seats().filter_map(|(_, wish)| wish.tool.as_deref());
            assert_eq!(
                (tools.collect::<Vec<_>>(), seated.same_tool),
                (seats.into(), same_tool)
            );
        }
    }
}
