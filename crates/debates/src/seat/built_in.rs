//! Seats the built-in model on both sides and as the judge if no AI tool can debate.

use agon_agents::profile::LOCAL;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_seats::model;
use agon_seats::seating::{Candidate, Ready, Wishes};
use agon_seats::tools::Tools;

use crate::front::{BuiltInOffer, FrontEnd};
use crate::seat::api_models::KeyedSeats;
use crate::seat::duel::ResolvedDuel;
use crate::seat::interviewed;

/// The note that introduces the built-in model if no question is asked.
const INTRODUCED: &str = "A small built-in model debates instead, as a demonstration.";

/// Downloads the model and seats it everywhere; none of the AI tools in `candidates` is ready.
///
/// # Errors
///
/// If the model cannot debate the topic or be downloaded; if its download is not permitted, the
/// person declines, or API keys are set that could be used.
pub(crate) async fn seat_built_in(
    caller: &Caller,
    duel: &mut ResolvedDuel<'_>,
    candidates: &[Candidate],
    front: &mut dyn FrontEnd,
) -> Result<(Wishes, Tools), Failure> {
    // Reject an unsuitable question before the model is downloaded.
    interviewed::require_options(&duel.topic.text)?;
    duel.make_quick();
    match KeyedSeats::find(caller) {
        Some(keyed) if duel.request.allow_download => {
            caller.advise(&keyed.usage_hint(), front);
        }
        // The person was already offered models behind API keys, with the price, and declined.
        _ if front.has_person() => {}
        Some(keyed) => return Err(keyed.not_asked_failure()),
        None => {}
    }
    require_permission(caller, duel, describe_missing_tools(candidates), front).await?;
    let settings = &duel.settings;
    model::pull(caller, settings, None, front).await?;
    let names: Vec<_> = LOCAL.parse().into_iter().collect();
    let tools = Tools::detect_requested(caller, settings, &names, &names, &[]).await?;
    let wishes = Wishes {
        same_tool: true,
        ..duel.wishes.clone().with_tools([LOCAL; 3])
    };
    Ok((wishes, tools))
}

/// Explains why the built-in model debates, and asks for permission unless the request gives it.
///
/// # Errors
///
/// If the person declines, or no person can be asked about the download.
async fn require_permission(
    caller: &Caller,
    duel: &ResolvedDuel<'_>,
    because: String,
    front: &mut dyn FrontEnd,
) -> Result<(), Failure> {
    if duel.request.allow_download {
        front.note(&format!("{because} {INTRODUCED}"));
        return Ok(());
    }
    let missing = model::describe_missing_default(caller, &duel.settings).await?;
    let is_free = duel.request.dry_run && missing.is_none();
    match (front.has_person() && !is_free, missing) {
        (true, missing) => {
            let offer = BuiltInOffer {
                because,
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

/// Returns the failure for a model whose download is not permitted; `missing` describes the model.
fn download_failure(missing: &str) -> Failure {
    let message =
        format!("no AI tool is installed, and the built-in model ({missing}) is not downloaded");
    Failure::new(Code::DownloadNotPermitted, message).hint(
        Hint::new(
            "install an AI tool (`agon tools` lists them), or set an API key such as \
             ANTHROPIC_API_KEY",
        )
        .then(Hint::new("for a demonstration, allow the download with ").flag("allow-download"))
        .or("download the model first: agon model pull"),
    )
}

/// Returns a sentence that says why no AI tool debates, and how to get one ready.
fn describe_missing_tools(candidates: &[Candidate]) -> String {
    let tools = candidates.iter().filter(|candidate| candidate.is_tool);
    let logged_out = tools.filter_map(|tool| match &tool.ready {
        Ready::LoggedOut(command) => Some((tool.tool.as_str(), command.as_str())),
        _ => None,
    });
    let (names, commands): (Vec<_>, Vec<_>) = logged_out.unzip();
    let are = if names.len() > 1 { "are" } else { "is" };
    match names.is_empty() {
        true => "No AI tool was found; run `agon tools` to see how to install one.".to_owned(),
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
        for (candidates, told) in [
            (
                vec![missing()],
                "No AI tool was found; run `agon tools` to see how to install one.",
            ),
            (
                vec![missing(), codex()],
                "codex is installed but not logged in: run `codex login`.",
            ),
            (
                vec![claude(), missing(), codex()],
                "claude and codex are installed but not logged in: run `claude /login` or `codex \
                 login`.",
            ),
        ] {
            assert_eq!(describe_missing_tools(&candidates), told);
        }
    }
}
