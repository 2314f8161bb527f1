//! Asks the user whether a project's material may be sent to the vendors of the chosen tools.

use agon_agents::DetectedTool;
use agon_caller::host_ancestry::is_started_by_host;
use agon_caller::{CallFront, Caller, Code, Failure, Notes, host_sign};
use agon_record::spec::{Context, Seating};
use agon_record::state::State;
use agon_report::text::plain_line;
use agon_seats::consent::{Consents, MissingConsent, list_tools, project_of};
use agon_seats::single_tool::Speaker;
use agon_seats::tools::Tools;

use crate::front::FrontEnd;

/// Returns whether the user can be asked. An AI tool can open a terminal, but must not answer.
pub(crate) fn can_ask(caller: &Caller, has_person: bool) -> bool {
    // Over a protocol, the question reaches the user of the client.
    let is_tool = || host_sign::is_in_host(caller) || is_started_by_host();
    has_person && (caller.is_relayed || !is_tool())
}

/// Asks for every vendor of `seatings` that the user has not allowed yet, and remembers a yes.
///
/// # Errors
///
/// If the user declines, or cannot be asked.
pub(crate) async fn ask<'a>(
    caller: &Caller,
    tools: Tools,
    material: &Material,
    seatings: impl IntoIterator<Item = &'a Seating>,
    front: &mut dyn FrontEnd,
) -> Result<Tools, Failure> {
    let missing = tools.missing_consents(seatings);
    if missing.is_empty() {
        return Ok(tools);
    }
    if !can_ask(caller, front.has_person()) {
        return Err(tools.consent_failure(&missing));
    }
    if !front.confirm(&question(caller, material, &missing)).await {
        return Err(declined(&missing));
    }
    remember(caller, &missing, front);
    Ok(tools.with_named(missing.into_iter().map(|(tool, _)| tool)))
}

/// Asks for the vendors of tools outside a debate, and remembers a yes. The tools of `missing` may
/// then be asked.
///
/// # Errors
///
/// If the user declines, or cannot be asked, which is `failure`.
pub(crate) async fn ask_for_call(
    caller: &Caller,
    missing: &[MissingConsent],
    material: &Material,
    failure: impl FnOnce() -> Failure,
    front: &mut dyn CallFront,
) -> Result<(), Failure> {
    if missing.is_empty() {
        return Ok(());
    }
    if !can_ask(caller, front.can_ask()) {
        return Err(failure());
    }
    if !front.is_agreed(&question(caller, material, missing)).await {
        return Err(declined(missing));
    }
    remember(caller, missing, front);
    Ok(())
}

/// Asks for the vendor of one tool, and remembers a yes.
///
/// # Errors
///
/// If the user declines, or cannot be asked.
pub(crate) async fn ask_for_speaker(
    caller: &Caller,
    speaker: &mut Speaker,
    material: &Material,
    front: &mut dyn CallFront,
) -> Result<(), Failure> {
    let Some((missing, failure)) = speaker.missing_consent() else {
        return Ok(());
    };
    let (missing, failure) = ([missing.clone()], failure.clone());
    ask_for_call(caller, &missing, material, || failure, front).await?;
    speaker.allow();
    Ok(())
}

/// Returns those of `found` that may be asked, or all if the user can be asked.
///
/// # Errors
///
/// If there are tools, but none of them may be asked.
pub(crate) fn only_allowed<'a>(
    tools: &Tools,
    can_ask: bool,
    found: impl Iterator<Item = &'a DetectedTool>,
) -> Result<Vec<&'a DetectedTool>, Failure> {
    let found: Vec<_> = found.collect();
    if can_ask {
        return Ok(found);
    }
    let vendor = |one: &DetectedTool| tools.missing_consent(&one.profile.name);
    let missing = found.iter().copied();
    let missing = missing.filter_map(|one| Some((one.profile.name.clone(), vendor(one)?)));
    let missing: Vec<_> = missing.collect();
    if !missing.is_empty() && missing.len() == found.len() {
        return Err(tools.consent_failure(&missing));
    }
    let allowed = found.into_iter().filter(|one| vendor(one).is_none());
    Ok(allowed.collect())
}

/// What is sent, in words that follow "This sends".
pub(crate) struct Material(String);

impl Material {
    /// Returns the material of a debate or a consult.
    pub(crate) fn of_context(caller: &Caller, context: Option<&str>) -> Self {
        let parts = context.unwrap_or(match caller.is_in_work_tree() {
            true => "repo",
            false => "none",
        });
        let words = parts.split('\0').filter_map(|part| match part {
            "none" => None,
            "repo" => Some("files of this project".to_owned()),
            "diff" => Some("your uncommitted changes".to_owned()),
            "session" => Some("a brief of your session".to_owned()),
            part if part.starts_with("session=") => Some("a brief of your session".to_owned()),
            part => Some(plain_line(part)),
        });
        let mut words: Vec<_> = std::iter::once("the topic".to_owned())
            .chain(words)
            .collect();
        let last = words.pop().unwrap_or_default();
        Self(match words.is_empty() {
            true => last,
            false => format!("{} and {last}", words.join(", ")),
        })
    }

    /// Returns the material of a debate that continues.
    pub(crate) fn of_debate(state: &State) -> Self {
        Self::new(match state.spec.context {
            Context::Repo(_) => "the record of this debate and files of this project",
            _ => "the record of this debate",
        })
    }

    /// Returns material that is described by `words`.
    pub(crate) fn new(words: &str) -> Self {
        Self(words.to_owned())
    }
}

fn question(caller: &Caller, Material(material): &Material, missing: &[MissingConsent]) -> String {
    let project = plain_line(&project_of(caller).display().to_string());
    let names = list_tools(missing);
    format!("This sends {material} to {names}. Allow that, and material of {project} from now on?")
}

fn declined(missing: &[MissingConsent]) -> Failure {
    let message = format!(
        "nothing was sent: you did not allow {}",
        list_tools(missing)
    );
    Failure::new(Code::Cancelled, message).hint("name the tools that you want to use instead")
}

/// Stores that these vendors are allowed in the project. If that fails, the user is asked again the
/// next time.
fn remember(caller: &Caller, missing: &[MissingConsent], notes: &mut (impl Notes + ?Sized)) {
    let vendors: Vec<_> = missing.iter().map(|(_, vendor)| vendor.clone()).collect();
    if let Err(failure) = Consents::allow(caller, &project_of(caller), &vendors) {
        notes.warn(&format!(
            "this answer is not remembered: {}",
            failure.message
        ));
    }
}
