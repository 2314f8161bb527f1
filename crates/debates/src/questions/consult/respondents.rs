//! Chooses the tools that a consult asks.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_agents::profile::Transport;
use agon_agents::{Agent, Login, SeatError};
use agon_caller::{Caller, Code, Failure, FailureKind, Hint, similar};
use agon_config::{Settings, names_program_or_address};
use agon_record::spec::{Effort, ToolName};
use agon_seats::tools;
use agon_seats::tools::Tools;
use agon_store::Conversation;

use super::restored::Restored;
use crate::questions::consult::ConsultFront;
use crate::request::ConsultRequest;
use crate::seat::consent::{self, Material};

/// A tool that is asked.
pub(super) struct Respondent {
    pub(super) tool: ToolName,
    pub(super) model: Option<String>,
    pub(super) effort: Effort,
    /// How to call it, or why it cannot be called.
    pub(super) agent: Result<Arc<dyn Agent>, Failure>,
    /// The transport; `None` leaves the choice to its profile.
    pub(super) by: Option<Transport>,
    /// The conversation to resume.
    pub(super) before: Option<Conversation>,
}

/// Chooses the tools that are named; otherwise the tools of the continued consult; otherwise two
/// that are ready.
///
/// # Errors
///
/// If a named tool or model is unknown or ambiguous, or no tool can be asked.
pub(super) async fn choose_respondents(
    caller: &Caller,
    request: &ConsultRequest,
    settings: &Settings,
    restored: &Restored,
    front: &mut dyn ConsultFront,
) -> Result<Vec<Respondent>, Failure> {
    let mut names = request.tools.clone();
    if names.is_empty() {
        let before = restored.wanted.iter();
        names.extend(before.map(|conversation| conversation.tool.clone()));
    }
    let known = tools::profile_names(settings)?;
    for (at, name) in names.iter().enumerate() {
        if !tools::is_tool_name(&known, name.as_str()) {
            let known: Vec<_> = known.iter().map(String::as_str).collect();
            let hint = similar::unknown_tool_hint(name.as_str(), &known);
            return Err(refusal(Code::UnknownTool, format!("unknown tool `{name}`")).hint(hint));
        }
        if names[..at].contains(name) {
            return Err(refusal(
                Code::InvalidParameter,
                format!("the tool {name} is named twice"),
            )
            .hint("a consult asks each tool once; run a second consult for another model"));
        }
    }
    let tools = if names.is_empty() {
        let tools = Tools::detect(caller, settings, &[]).await?;
        names = choose_two_tools(&tools, consent::can_ask(caller, front.can_ask()))?;
        let advice = Hint::new("choose the tools with ").flag("tool");
        let asking = format!("asking {} of your tools", names.len());
        caller.advise(&Hint::new(asking).then(advice), front);
        tools
    } else {
        let restored = restored.wanted.iter();
        // In another project, an earlier consult does not count as consent; it may only name addresses.
        let restored = restored.map(|it| it.tool.clone());
        let restored = restored.filter(|name| names_program_or_address(name.as_str()));
        let restored: Vec<_> = restored.collect();
        let found = Tools::detect_requested(caller, settings, &names, &request.tools, &restored);
        found.await?.with_named(request.tools.iter().cloned())
    };
    let missing = |name: &ToolName| Some((name.clone(), tools.missing_consent(name)?));
    let missing: Vec<_> = names.iter().filter_map(missing).collect();
    let material = Material::of_context(caller, Some(&request.context));
    let failure = || tools.consent_failure(&missing);
    consent::ask_for_call(caller, &missing, &material, failure, front).await?;
    let models = models_by_tool(request, &names)?;
    let earlier = &restored.conversations;
    let is_new = |name: &&ToolName| earlier.iter().all(|before| before.tool != **name);
    let gone_on = restored.id.is_some();
    for name in names.iter().filter(|_| gone_on).filter(is_new) {
        front.note(&format!(
            "note: {name} was not part of that consult; starting a new conversation"
        ));
    }
    let respondent = |tool: ToolName| {
        let before = earlier.iter().find(|c| c.tool == tool).cloned();
        let found = tools.detected().find(|found| found.profile.name == tool);
        let by_start =
            found.is_some_and(|found| found.available_transports().contains(&Transport::Cli));
        let by = request.transport.or(by_start.then_some(Transport::Cli));
        let agent = tools
            .agent_with_transport(&tool, by)
            .map_err(|error| seat_failure(&error));
        let model = models.get(&tool).cloned();
        Respondent {
            model: model.or_else(|| before.as_ref()?.model.clone()),
            effort: request
                .effort
                .or(before.as_ref().map(|before| before.effort))
                .unwrap_or_default(),
            tool,
            agent,
            by,
            before,
        }
    };
    Ok(names.into_iter().map(respondent).collect())
}

fn refusal(code: Code, message: String) -> Failure {
    Failure::new(code, message).parameter("tool")
}

/// Chooses two AI tools that are ready, of different vendors if possible; one if there is only one.
fn choose_two_tools(tools: &Tools, can_ask: bool) -> Result<Vec<ToolName>, Failure> {
    let programs = tools.detected().filter(|found| found.profile.is_program());
    let ready = programs.filter(|found| {
        !found.available_transports().is_empty() && !matches!(found.login, Login::LoggedOut { .. })
    });
    let mut ready = consent::only_allowed(tools, can_ask, ready)?;
    ready.sort_by_key(|found| found.login != Login::LoggedIn);
    let Some((first, others)) = ready.split_first() else {
        let message = "no AI tool is installed and logged in";
        return Err(Failure::new(Code::TooFewTools, message)
            .hint("run `agon tools` to see what each tool needs"));
    };
    let stranger = others
        .iter()
        .find(|o| o.profile.vendor != first.profile.vendor);
    let second = stranger.or(others.first());
    let names = [Some(first), second].into_iter().flatten();
    Ok(names.map(|found| found.profile.name.clone()).collect())
}

/// Returns the named models by tool.
fn models_by_tool(
    request: &ConsultRequest,
    names: &[ToolName],
) -> Result<BTreeMap<ToolName, String>, Failure> {
    let bad = |message: String, hint: Hint| {
        Err(Failure::new(Code::InvalidParameter, message)
            .parameter("model")
            .hint(hint))
    };
    let mut models = BTreeMap::new();
    for wanted in &request.models {
        let of_one = wanted.split_once('=').and_then(|(tool, model)| {
            let tool = names.iter().find(|name| name.as_str() == tool)?;
            Some((tool, model))
        });
        let (tool, model) = match (of_one, names) {
            (Some(pair), _) => pair,
            (None, [only]) if !wanted.contains('=') => (only, wanted.as_str()),
            (None, _) => {
                let example = names.first().map_or("claude", ToolName::as_str);
                return bad(
                    format!("cannot tell which tool the model `{wanted}` belongs to"),
                    Hint::new("name the tool: ").flag_with("model", format!("{example}=MODEL")),
                );
            }
        };
        if models.insert(tool.clone(), model.to_owned()).is_some() {
            return bad(
                format!("two models are given for {tool}"),
                "give one model for each tool".into(),
            );
        }
    }
    models.retain(|_, model| !matches!(model.as_str(), "" | "auto"));
    Ok(models)
}

/// Returns the failure for a tool that cannot be asked.
fn seat_failure(error: &SeatError) -> Failure {
    let code = match error {
        SeatError::Unknown { .. } => Code::UnknownTool,
        SeatError::NotInstalled { .. } | SeatError::NoModel { .. } => Code::NotInstalled,
        SeatError::LoggedOut { .. } => Code::LoggedOut,
        SeatError::Unlisted { .. } => Code::ToolUnlisted,
        SeatError::NoTransport { .. } => Code::NoTransport,
    };
    let failure = Failure::from_error(code, error).hint(error.hint());
    match code {
        Code::NoTransport => failure.kind(FailureKind::Usage),
        _ => failure,
    }
}
