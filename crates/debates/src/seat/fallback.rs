//! Who debates where the user names no tool and no AI tool is installed.

use agon_agents::profile::LOCAL;
#[cfg(feature = "local-model")]
use agon_caller::Code;
use agon_caller::{Caller, Failure};
use agon_config::{Fallback, Settings};
use agon_seats::model;
use agon_seats::seating::{Candidate, Ready, Wishes};
use agon_seats::tools::Tools;

#[cfg(feature = "local-model")]
use crate::front::BuiltInOffer;
use crate::front::FrontEnd;
use crate::seat::keyed::KeyedSeats;

/// Note on the built-in model in place of a question.
const INTRODUCED: &str = "A small built-in model debates instead, as a demonstration.";

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
/// model in the program, also where tools are logged out and a person or the request permits it.
///
/// # Errors
///
/// If the configuration makes a profile unusable.
pub(crate) async fn choose_participants(
    caller: &Caller,
    settings: &Settings,
    tools: Tools,
    wishes: Wishes,
    may_download: bool,
    front: &mut dyn FrontEnd,
) -> Result<ChosenDebaters, Failure> {
    let stays = settings.fallback == Fallback::None || wishes.name_anybody();
    let alone = settings
        .context
        .as_deref()
        .is_none_or(|given| given == "none");
    let installed = Installed::of(tools.candidates());
    if stays || !alone || installed == Installed::Usable {
        return Ok(chosen_as_wished(tools, wishes));
    }
    if installed == Installed::LoggedOut {
        // Without permission, the error says how to log in.
        let is_permitted = cfg!(feature = "local-model") && (may_download || front.has_person());
        return Ok(match is_permitted {
            true => ChosenDebaters {
                who: DebaterKind::Local,
                tools,
                wishes,
            },
            false => chosen_as_wished(tools, wishes),
        });
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

/// Which AI tools are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Installed {
    /// Nothing.
    Nothing,
    /// Tools, all of which are logged out.
    LoggedOut,
    /// A tool that is ready, or lacks something else.
    Usable,
}

impl Installed {
    fn of(candidates: &[Candidate]) -> Self {
        let tools = candidates.iter().filter(|candidate| candidate.is_tool);
        tools.fold(Self::Nothing, |known, tool| match (known, &tool.ready) {
            (_, Ready::Yes | Ready::OtherWay(_) | Ready::Unlisted(..)) => Self::Usable,
            (Self::Nothing, Ready::LoggedOut(_)) => Self::LoggedOut,
            (known, Ready::Missing(_) | Ready::LoggedOut(_)) => known,
        })
    }
}

/// Why no AI tool debates, and how to get one that does.
pub(crate) fn describe_absence(candidates: &[Candidate]) -> String {
    let tools = candidates.iter().filter(|candidate| candidate.is_tool);
    let logged_out = tools.filter_map(|tool| match &tool.ready {
        Ready::LoggedOut(command) => Some((tool.tool.as_str(), command.as_str())),
        _ => None,
    });
    let (names, commands): (Vec<_>, Vec<_>) = logged_out.unzip();
    let are = if names.len() > 1 { "are" } else { "is" };
    match names.is_empty() {
        true => "No AI tool was found: `agon tools` says how to install one.".to_owned(),
        false => format!(
            "{} {are} installed but not logged in: run {}.",
            names.join(" and "),
            commands
                .iter()
                .map(|command| format!("`{command}`"))
                .collect::<Vec<_>>()
                .join(" or ")
        ),
    }
}

/// What a request says of the built-in model.
pub(crate) struct BuiltInWanted {
    /// Why no AI tool debates.
    pub because: String,
    /// Whether it debates, and is downloaded, without a question.
    pub may_download: bool,
    /// Whether nothing is started.
    pub dry_run: bool,
}

/// The model in the program on both sides and as the judge, once it is here.
///
/// # Errors
///
/// If it cannot be had, or its download is not permitted, or the person wants something else, or API
/// keys are set that could be used.
pub(crate) async fn seat_local_model(
    caller: &Caller,
    settings: &Settings,
    wishes: Wishes,
    wanted: BuiltInWanted,
    front: &mut dyn FrontEnd,
) -> Result<(Tools, Wishes), Failure> {
    let keyed = KeyedSeats::find(caller);
    match &keyed {
        Some(keyed) if wanted.may_download => front.note(&format!("note: {}", keyed.way_to_use())),
        // A person was asked already, with the price.
        _ if front.has_person() => {}
        Some(keyed) => return Err(keyed.not_asked_failure()),
        None => {}
    }
    require_permission(caller, settings, &wanted, front).await?;
    ensure_model(caller, settings, None, front).await?;
    let names: Vec<_> = LOCAL.parse().into_iter().collect();
    let tools = Tools::detect_requested(caller, settings, &names, &names, &[]).await?;
    let wishes = assign_tools(wishes, [(); 3].map(|()| Some(LOCAL.to_owned())), true);
    Ok((tools, wishes))
}

/// Says why the built-in model debates, and asks for leave where the request does not give it.
///
/// # Errors
///
/// If the person wants something else, or none is there and it would have to be downloaded.
#[cfg(feature = "local-model")]
async fn require_permission(
    caller: &Caller,
    settings: &Settings,
    wanted: &BuiltInWanted,
    front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    let because = &wanted.because;
    if wanted.may_download {
        front.note(&format!("{because} {INTRODUCED}"));
        return Ok(());
    }
    let missing = model::describe_missing_default(caller, settings).await?;
    let is_free = wanted.dry_run && missing.is_none();
    match (front.has_person() && !is_free, missing) {
        (true, missing) => {
            let offer = BuiltInOffer {
                because: because.clone(),
                download: missing,
            };
            match front.accepts_built_in_model(&offer).await {
                true => Ok(()),
                false => Err(Failure::new(
                    Code::Cancelled,
                    "stopped; nothing was started",
                )),
            }
        }
        (false, Some(missing)) => Err(download_failure(&missing)),
        (false, None) => {
            front.note(&format!("{because} {INTRODUCED}"));
            Ok(())
        }
    }
}

/// Permits nothing and refuses nothing: this program was built without a model in itself.
#[cfg(not(feature = "local-model"))]
async fn require_permission(
    _caller: &Caller,
    _settings: &Settings,
    _wanted: &BuiltInWanted,
    _front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    Ok(())
}

/// The failure where the download of the model that `missing` describes is not permitted.
#[cfg(feature = "local-model")]
fn download_failure(missing: &str) -> Failure {
    let message =
        format!("no AI tool is installed, and the built-in model ({missing}) is not downloaded");
    Failure::new(Code::DownloadNotPermitted, message).hint(
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
    fn a_person_is_told_how_to_log_in_to_what_is_installed() {
        let missing = || candidate("gemini", Ready::Missing("npm install".to_owned()));
        let codex = || candidate("codex", Ready::LoggedOut("codex login".to_owned()));
        let claude = || candidate("claude", Ready::LoggedOut("claude /login".to_owned()));
        for (candidates, installed, told) in [
            (
                vec![missing()],
                Installed::Nothing,
                "No AI tool was found: `agon tools` says how to install one.",
            ),
            (
                vec![missing(), codex()],
                Installed::LoggedOut,
                "codex is installed but not logged in: run `codex login`.",
            ),
            (
                vec![claude(), missing(), codex()],
                Installed::LoggedOut,
                "claude and codex are installed but not logged in: run `claude /login` or `codex \
                 login`.",
            ),
        ] {
            assert_eq!(Installed::of(&candidates), installed);
            assert_eq!(describe_absence(&candidates), told);
        }
        let other = Ready::OtherWay("leave out --transport".to_owned());
        for ready in [Ready::Yes, other] {
            let candidates = [codex(), candidate("gemini", ready), claude()];
            assert_eq!(Installed::of(&candidates), Installed::Usable);
        }
    }
}
