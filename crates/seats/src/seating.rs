//! Assigns tools to seats: first the requested ones, then ready ones.

mod model;
mod pair;
mod panel;
mod substitute;
mod wishes;

use std::collections::BTreeMap;

use agon_agents::profile::ModelClasses;
use agon_caller::hint::flag_with;
use agon_caller::{Code, Failure, Hint, similar};
use agon_record::id::Seat;
use agon_record::spec::{HUMAN, Seating, ToolName};
pub use pair::{ModelPair, models_for_open_side};
pub use substitute::{separate_unready_tools, side_substitutes, unready_cause};
pub use wishes::{SeatWish, Wishes};

use crate::consent::consent_failure;

/// A tool that may take a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub tool: ToolName,
    /// The vendor of its models.
    pub vendor: String,
    /// Its version.
    pub version: Option<String>,
    /// Whether its profile was measured with another version.
    pub unmeasured: bool,
    /// Its transport, such as `cli`.
    pub transport: &'static str,
    /// Its context window in tokens, prompt and answer together, if it is small.
    pub budget: Option<u32>,
    /// Its models for low and for high effort, if known.
    pub classes: Option<ModelClasses>,
    /// Whether it accepts a reasoning effort; `None` if that is known only later.
    pub takes_effort: Option<bool>,
    /// Whether it was never tested with Agon.
    pub untested: bool,
    /// Whether it is an AI tool: a program that the user installs and logs in to.
    pub is_tool: bool,
    /// Whether it is ready.
    pub ready: Ready,
}

impl Candidate {
    /// Returns whether this is a person, who gets a seat only if named.
    pub fn is_human(&self) -> bool {
        self.transport == HUMAN
    }
}

/// The state of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// The tool is ready, as far as Agon knows.
    Yes,
    /// It is not installed; contains how to install it.
    Missing(String),
    /// It is not logged in; contains the command to log in.
    LoggedOut(String),
    /// It does not support the requested transport; contains what to do about it.
    OtherWay(Hint),
    /// It offers its model tools that its profile does not list. Contains these tools and what to
    /// do about them.
    Unlisted(String, Hint),
    /// The user has not allowed its vendor to be sent the project's material. Contains the vendor.
    NotAllowed(String),
}

/// The assigned seats, and the tools that judge if no judge rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedSeats {
    /// The assigned seats.
    pub seats: BTreeMap<Seat, Seating>,
    /// The substitutes of the judge, in order.
    pub substitutes: Vec<Seating>,
}

/// Assigns a tool to every seat of a debate.
///
/// Named tools take their seats or are rejected. Open seats go to ready tools, preferably of
/// different vendors; the judge is of a third vendor if possible. If only one tool is ready, it
/// takes every open seat, if the format allows it.
///
/// # Errors
///
/// If a named tool is not ready, there are too few tools, or both sides are the same in a format
/// that requires two different debaters.
pub fn assign_seats(wishes: &Wishes, candidates: &[Candidate]) -> Result<ResolvedSeats, Failure> {
    let rules = wishes.format.rules();
    let places = rules.sides;
    let named = |at: usize| named_candidate(&wishes.sides[at], &places[at].to_string(), candidates);
    let mut sides = [named(0)?, named(1)?];
    for at in 0..2 {
        if sides[at].is_none() {
            let opponent = sides[1 - at];
            let lone =
                || tool_for_both_sides(opponent, candidates).filter(|_| rules.seats_one_tool_twice);
            let found = choose_unlike_opponent(opponent, candidates).or_else(lone);
            sides[at] = Some(found.ok_or_else(|| too_few_tools_failure(candidates))?);
        }
    }
    let [Some(first), Some(second)] = sides else {
        return Err(too_few_tools_failure(candidates));
    };
    let [one, other] = &wishes.sides;
    let [one, other] = [seating_for(first, one), seating_for(second, other)];
    let may_be_same = wishes.same_tool || rules.seats_one_tool_twice;
    let is_twice = one.tool == other.tool && one.model == other.model;
    // Two human seats are two people, and the built-in model can only debate itself, so both are
    // allowed.
    if is_twice && !may_be_same && !first.is_human() && !one.is_interviewed() {
        return Err(same_tool_failure(&first.tool, candidates));
    }
    let preferred = preferred_judges(first, second, candidates);
    let panel = panel::choose_judges(&wishes.judges, &preferred, candidates)?;
    if panel.is_empty() {
        return Err(no_judge_failure(candidates));
    }
    let substitutes = preferred
        .into_iter()
        .filter(|other| panel.iter().all(|judge| judge.tool != other.tool));
    let first_judge = wishes.judges.first();
    // Without a model: a substitute is another tool and cannot run the first judge's model.
    let like_first = SeatWish {
        effort: first_judge.map(|first| first.effort).unwrap_or_default(),
        ..SeatWish::default()
    };
    let substitutes = substitutes.map(|other| seating_for(other, &like_first));
    let mut seats = BTreeMap::from_iter(places.into_iter().zip([one, other]));
    let panel = (1..).zip(panel.iter().zip(&wishes.judges));
    seats.extend(
        panel.map(|(number, (judge, wish))| (Seat::Judge(number), seating_for(judge, wish))),
    );
    Ok(ResolvedSeats {
        substitutes: substitutes.collect(),
        seats,
    })
}

fn seating_for(candidate: &Candidate, wish: &SeatWish) -> Seating {
    let choice = model::choose_model(candidate, wish);
    let is_idle = choice.class.is_none() && candidate.takes_effort == Some(false);
    Seating {
        tool: candidate.tool.clone(),
        vendor: candidate.vendor.clone(),
        model: choice.model,
        effort: wish.effort,
        transport: candidate.transport.to_owned(),
        version: candidate.version.clone(),
        budget: candidate.budget,
        unmeasured: candidate.unmeasured,
        class: choice.class,
        refused_model: choice.refused,
        ignores_effort: is_idle && candidate.is_tool,
    }
}

/// Returns the seating of `tool` as a replacement for the previous one.
///
/// # Errors
///
/// If the tool is not ready.
pub fn replacement_seating(
    before: &Seating,
    tool: &ToolName,
    seat: Seat,
    candidates: &[Candidate],
) -> Result<Seating, Failure> {
    let wish = SeatWish {
        tool: Some(tool.to_string()),
        effort: before.effort,
        ..SeatWish::default()
    };
    let found = named_candidate(&wish, &seat.to_string(), candidates)?;
    let found = found.ok_or_else(|| too_few_tools_failure(candidates))?;
    Ok(seating_for(found, &wish))
}

fn named_candidate<'a>(
    wish: &SeatWish,
    seat: &str,
    candidates: &'a [Candidate],
) -> Result<Option<&'a Candidate>, Failure> {
    let Some(name) = &wish.tool else {
        return Ok(None);
    };
    let Some(found) = candidates
        .iter()
        .find(|candidate| candidate.tool.as_str() == name)
    else {
        let known: Vec<_> = candidates.iter().map(|c| c.tool.as_str()).collect();
        return Err(
            Failure::new(Code::UnknownTool, format!("unknown tool `{name}`"))
                .parameter(seat)
                .hint(similar::unknown_tool_hint(name, &known)),
        );
    };
    match &found.ready {
        Ready::Yes => Ok(Some(found)),
        Ready::Missing(hint) => {
            let message = format!("{name} is not installed");
            Err(Failure::new(Code::ToolMissing, message)
                .parameter(seat)
                .hint(hint))
        }
        Ready::LoggedOut(command) => {
            // A name with a colon is a model of a service, which needs an API key instead of a
            // login.
            let (message, hint) = match name.contains(':') {
                true => (
                    format!("the API key for {name} is not set"),
                    format!("set the key: {command}"),
                ),
                false => (
                    format!("{name} is installed but not logged in"),
                    format!("log in with: {command}"),
                ),
            };
            Err(Failure::new(Code::ToolLoggedOut, message)
                .parameter(seat)
                .hint(hint))
        }
        Ready::Unlisted(message, hint) => Err(Failure::new(Code::ToolUnlisted, message)
            .parameter(seat)
            .hint(hint.clone())),
        Ready::NotAllowed(vendor) => {
            Err(consent_failure(&[(found.tool.clone(), vendor.clone())]).parameter(seat))
        }
        Ready::OtherWay(hint) => {
            let message = format!("{name} does not support the requested transport");
            Err(Failure::new(Code::NoTransport, message)
                .parameter("transport")
                .hint(hint.clone()))
        }
    }
}

/// Returns the AI tools that are ready. Servers, the built-in model and people get seats only if
/// the user names them.
fn ready_tools(candidates: &[Candidate]) -> impl Iterator<Item = &Candidate> {
    let tools = candidates.iter().filter(|candidate| candidate.is_tool);
    tools.filter(|candidate| candidate.ready == Ready::Yes)
}

/// Returns the tool that takes both sides if there are not two tools: the tool named for a side,
/// otherwise a ready tool. A person argues on one side only.
fn tool_for_both_sides<'a>(
    named: Option<&'a Candidate>,
    candidates: &'a [Candidate],
) -> Option<&'a Candidate> {
    let named = named.filter(|named| !named.is_human());
    named.or_else(|| ready_tools(candidates).next())
}

fn choose_unlike_opponent<'a>(
    opponent: Option<&Candidate>,
    candidates: &'a [Candidate],
) -> Option<&'a Candidate> {
    let free = || {
        ready_tools(candidates)
            .filter(move |c| opponent.is_none_or(|opponent| c.tool != opponent.tool))
    };
    let stranger = free().find(|c| {
        opponent.is_none_or(|opponent| opponent.vendor.is_empty() || c.vendor != opponent.vendor)
    });
    stranger.or_else(|| free().next())
}

/// Returns the possible judges, the best first.
fn preferred_judges<'a>(
    proposer: &'a Candidate,
    challenger: &'a Candidate,
    candidates: &'a [Candidate],
) -> Vec<&'a Candidate> {
    let third =
        ready_tools(candidates).filter(|c| c.tool != proposer.tool && c.tool != challenger.tool);
    let mut found: Vec<_> = third.collect();
    found.sort_by_key(|c| !is_third_vendor(c, proposer, challenger));
    let mut sides = vec![challenger, proposer];
    sides.dedup_by_key(|side| &side.tool);
    // Debaters judge last, and a person who debates judges only if the user names them.
    found.extend(sides.into_iter().filter(|side| !side.is_human()));
    found
}

/// Returns whether a tool is known to be of a third vendor.
fn is_third_vendor(judge: &Candidate, proposer: &Candidate, challenger: &Candidate) -> bool {
    !judge.vendor.is_empty() && judge.vendor != proposer.vendor && judge.vendor != challenger.vendor
}

fn same_tool_failure(tool: &ToolName, candidates: &[Candidate]) -> Failure {
    let other = ready_tools(candidates).find(|c| c.tool != *tool);
    let hint = match other {
        Some(other) => Hint::new("choose another tool (")
            .flag_with("challenger", &other.tool)
            .text("), another model (")
            .flag_with("model-challenger", "MODEL")
            .text(")"),
        None => Hint::new("choose another model with ").flag_with("model-challenger", "MODEL"),
    };
    let hint = hint.or(Hint::new("allow it with ").flag("same-tool"));
    Failure::new(Code::SameTool, format!("both sides would be {tool}"))
        .parameter("challenger")
        .hint(hint)
}

/// Returns the failure for a debate without a ready judge. A debate between people has no default
/// judge.
fn no_judge_failure(candidates: &[Candidate]) -> Failure {
    let failure = too_few_tools_failure(candidates);
    Failure {
        message: "no AI tool is ready to judge".to_owned(),
        parameter: Some("judge".to_owned()),
        hint: Some(
            Hint::new("let a person judge: ")
                .flag_with("judge", "human")
                .then("run `agon tools` to see how to install one"),
        ),
        ..failure
    }
}

// Chosen, not measured: three times the judges of a deep debate. Each judge reads the whole record,
// so nine judges already cost more than the other seven calls of a two-round duel.
/// Maximum number of judges on a panel.
const MAX_JUDGES: usize = 9;

/// Returns the size of a panel with `named` judges and `models`.
///
/// # Errors
///
/// If too many judges are named, or there are more models than judges.
pub fn validate_panel_size(named: usize, panel: usize, models: usize) -> Result<usize, Failure> {
    let refuse = |message: String| Failure::new(Code::InvalidParameter, message);
    if named > MAX_JUDGES {
        let message = format!("too many judges: a panel has at most {MAX_JUDGES}");
        return Err(refuse(message).parameter("judge"));
    }
    if models > panel {
        let message = "there are more models than judges".to_owned();
        return Err(refuse(message).parameter("model-judge").hint(
            Hint::new("give one ")
                .flag("model-judge")
                .text(" for each judge, in order"),
        ));
    }
    Ok(panel)
}

/// Returns the flags that seat two models of one tool.
pub fn two_models_flags(tool: &str, [one, other]: [&str; 2]) -> Hint {
    flag_with("proposer", tool)
        .flag_with("challenger", tool)
        .flag_with("model-proposer", one)
        .flag_with("model-challenger", other)
}

fn too_few_tools_failure(candidates: &[Candidate]) -> Failure {
    let here: Vec<_> = ready_tools(candidates).map(|c| c.tool.as_str()).collect();
    let message = match here.as_slice() {
        [] => "no AI tool is installed and logged in; a debate needs two".to_owned(),
        [one, ..] => format!("only {one} is ready; a debate needs two tools"),
    };
    let mut ways: Vec<Hint> = Vec::new();
    let mut not_allowed = Vec::new();
    for candidate in candidates.iter().filter(|candidate| candidate.is_tool) {
        match &candidate.ready {
            Ready::Yes => {}
            Ready::LoggedOut(command) => {
                ways.push(format!("log in to {}: {command}", candidate.tool).into());
            }
            Ready::Missing(hint) if candidate.untested => {
                ways.push(format!("{hint} ({}, untested with agon)", candidate.tool).into());
            }
            Ready::Missing(hint) => ways.push(hint.into()),
            Ready::OtherWay(hint) => ways.push(hint.clone()),
            Ready::Unlisted(message, hint) => {
                ways.push(Hint::new(message).join(": ", hint.clone()));
            }
            Ready::NotAllowed(vendor) => {
                not_allowed.push((candidate.tool.clone(), vendor.clone()));
            }
        }
    }
    if !not_allowed.is_empty() {
        return consent_failure(&not_allowed);
    }
    let yourself = match here.as_slice() {
        [] => "or argue yourself: name human for both sides and as the judge",
        [_, ..] => "or argue yourself: name human as one side",
    };
    ways.push(yourself.into());
    if let Some(one) = here.first() {
        let pair = pair::models_of_only_ready_tool(candidates);
        let flags = pair.map_or_else(|| two_models_flags(one, ["A", "B"]), |pair| pair.flags());
        ways.insert(0, Hint::new("let two models of it debate: ").append(flags));
    }
    let hint = Hint::new("get two of these, then try again:");
    let hint = ways
        .into_iter()
        .fold(hint, |hint, way| hint.join("\n    ", way));
    Failure::new(Code::TooFewTools, message).hint(hint)
}

/// Returns a ready AI tool of a vendor, for tests.
#[cfg(test)]
pub(crate) fn candidate(tool: &str, vendor: &str) -> Candidate {
    Candidate {
        tool: tool.parse().unwrap(),
        vendor: vendor.to_owned(),
        version: None,
        unmeasured: false,
        transport: "cli",
        budget: None,
        classes: None,
        takes_effort: Some(true),
        untested: false,
        is_tool: true,
        ready: Ready::Yes,
    }
}

#[cfg(test)]
mod tests;
