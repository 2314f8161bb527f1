//! Who debates where the user names no tool and no AI tool is installed.

use agon_agents::profile::LOCAL;
use agon_config::{Fallback, Settings};

use crate::caller::Caller;
use crate::failure::Failure;
#[cfg(feature = "local-model")]
use crate::failure::FailureKind;
use crate::front::FrontEnd;
use crate::keyed::KeyedSeats;
use crate::model;
use crate::seating::{Candidate, Ready, Wishes};
use crate::tools::Tools;

/// What is said of the built-in model before its first call.
const INTRODUCED: &str = "\
No AI tool is here, so the built-in model argues both sides and judges: it is asked one short
question at a time. It shows how a debate runs, and is not to be relied on. `agon tools` says how to
get two real ones, and `agon demo` shows what they make of a question.";

/// Who debates, by what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DebaterKind {
    /// Those who were named, and AI tools.
    Tools,
    /// Models of a server on this machine.
    Servers,
    /// The model in the program.
    Local,
}

/// Who debates.
pub(crate) struct ChosenDebaters {
    /// What they are.
    pub who: DebaterKind,
    /// The tools that were found.
    pub tools: Tools,
    /// What is asked for every seat.
    pub wishes: Wishes,
}

/// Chooses who debates: as it is wished, with AI tools; else, where neither a tool is named nor one
/// is installed, models of a server on this machine, which hears nothing of the project; else the
/// model in the program.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub(crate) async fn choose_participants(
    caller: &Caller,
    settings: &Settings,
    tools: Tools,
    wishes: Wishes,
    front: &mut dyn FrontEnd,
) -> Result<ChosenDebaters, Failure> {
    let stays = settings.fallback == Fallback::None || wishes.name_anybody();
    // One that is there is told what it lacks, and never passed over in silence.
    let there =
        |candidate: &Candidate| candidate.is_tool && !matches!(candidate.ready, Ready::Missing(_));
    let alone = settings
        .context
        .as_deref()
        .is_none_or(|given| given == "none");
    if stays || !alone || tools.candidates().iter().any(there) {
        return Ok(chosen_as_wished(tools, wishes));
    }
    // A server that the user configured may be one that does not answer.
    let (tools, answering) = tools.with_local_servers(caller, settings).await?;
    let served = tools
        .candidates()
        .iter()
        .filter(|it| answering.contains(&it.tool) && it.ready == Ready::Yes);
    let served: Vec<_> = served.map(|it| it.tool.to_string()).collect();
    if let Some(first) = served.first() {
        let names = served
            .iter()
            .take(3)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        front.note(&format!(
            "note: no AI tool is installed; a model server on this machine debates: {names}"
        ));
        let of = |at: usize| Some(served.get(at).unwrap_or(first).clone());
        let wishes = assign_tools(wishes, [of(0), of(1), of(2)], served.len() == 1);
        return Ok(ChosenDebaters {
            who: DebaterKind::Servers,
            tools,
            wishes,
        });
    }
    if cfg!(not(feature = "local-model")) {
        return Ok(chosen_as_wished(tools, wishes));
    }
    Ok(ChosenDebaters {
        who: DebaterKind::Local,
        tools,
        wishes,
    })
}

/// The model in the program on both sides and as the judge, once it is here; `may_download` says
/// whether it may be fetched without asking.
///
/// # Errors
///
/// If it cannot be had, or its download is not permitted, or API keys are set that could be used.
pub(crate) async fn seat_local_model(
    caller: &Caller,
    settings: &Settings,
    wishes: Wishes,
    may_download: bool,
    front: &mut dyn FrontEnd,
) -> Result<(Tools, Wishes), Failure> {
    let keyed = KeyedSeats::find(caller);
    match &keyed {
        // A person was asked already, with the price.
        _ if front.has_person() => {}
        Some(keyed) if may_download => front.note(&format!("note: {}", keyed.way_to_use())),
        Some(keyed) => return Err(keyed.not_asked_failure()),
        None => {}
    }
    if !may_download {
        require_permission(caller, settings, front).await?;
    }
    front.note(&format!("{INTRODUCED}\n"));
    ensure_model(caller, settings, None, front).await?;
    let names: Vec<_> = LOCAL.parse().into_iter().collect();
    let tools = Tools::detect_requested(caller, settings, &names, &names, &[]).await?;
    let wishes = assign_tools(wishes, [(); 3].map(|()| Some(LOCAL.to_owned())), true);
    Ok((tools, wishes))
}

/// Asks for leave to fetch the built-in model, where it is not here yet.
///
/// # Errors
///
/// If the person says no, or none is there.
#[cfg(feature = "local-model")]
async fn require_permission(
    caller: &Caller,
    settings: &Settings,
    front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    let Some(missing) = model::describe_missing_default(caller, settings).await? else {
        return Ok(());
    };
    let question = format!(
        "No AI tool is installed. Download the built-in model to see how a debate runs \
         ({missing})?"
    );
    match front.confirm(&question).await {
        true => Ok(()),
        false => Err(download_failure(&missing)),
    }
}

/// Permits nothing and refuses nothing: this program was built without a model in itself.
#[cfg(not(feature = "local-model"))]
async fn require_permission(
    _caller: &Caller,
    _settings: &Settings,
    _front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    Ok(())
}

/// The failure where the download of the model that `missing` describes is not permitted.
#[cfg(feature = "local-model")]
fn download_failure(missing: &str) -> Failure {
    let message =
        format!("no AI tool is installed, and the built-in model ({missing}) is not downloaded");
    Failure::new(FailureKind::Tool, "download_not_permitted", message).hint(
        "install an AI tool (agon tools lists them), or set an API key such as ANTHROPIC_API_KEY; \
         to see how a debate runs, permit the download with --allow-download, or fetch the model \
         first: agon model pull",
    )
}

/// Sees that a model is here; without a name, the default one.
///
/// # Errors
///
/// If it cannot be had, or this program was built without a model in itself.
#[cfg(feature = "local-model")]
async fn ensure_model(
    caller: &Caller,
    settings: &Settings,
    name: Option<&str>,
    front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    model::pull(caller, settings, name, front).await.map(drop)
}

/// Refuses: this program was built without a model in itself.
#[cfg(not(feature = "local-model"))]
async fn ensure_model(
    _caller: &Caller,
    _settings: &Settings,
    name: Option<&str>,
    _front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    Err(model::no_local_model_failure(name))
}

fn chosen_as_wished(tools: Tools, wishes: Wishes) -> ChosenDebaters {
    ChosenDebaters {
        who: DebaterKind::Tools,
        tools,
        wishes,
    }
}

fn assign_tools(
    wishes: Wishes,
    [proposer, challenger, judge]: [Option<String>; 3],
    same: bool,
) -> Wishes {
    let mut wishes = wishes;
    wishes.proposer.tool = proposer;
    wishes.challenger.tool = challenger;
    for wish in &mut wishes.judges {
        wish.tool.clone_from(&judge);
    }
    wishes.same_tool |= same;
    wishes
}
