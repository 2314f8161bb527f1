//! Starts and continues the debate of a session.

use std::path::PathBuf;

use agon_caller::bounds::Bounds;
use agon_caller::{Caller, Code, Failure, find, settings};
use agon_debates::past::remove;
use agon_debates::request::{ExtendRequest, NewRequest, PlayRequest, ResumeRequest, StartRequest};
use agon_debates::run::extend::extend;
use agon_debates::run::{duel, formal_run};

use crate::front::PromptFront;
use crate::options::DebateMode;
use crate::prompt::PromptParts;
use crate::session::Session;

/// Starts the debate of a session in the background, and returns its folder.
///
/// Asks the user first if the debate would exceed the limits of their own configuration.
///
/// # Errors
///
/// Returns an error if Agon or the user refuses; nothing was started then.
pub(crate) async fn start(
    session: &Session,
    prompt: &PromptParts,
    front: &mut PromptFront,
) -> Result<PathBuf, Failure> {
    let bounds = session
        .bounds
        .bounds(&settings::read_settings(&session.caller)?);
    let started = open(session, &session.caller, prompt, bounds.clone(), front).await;
    let started = match started {
        Err(failure) if failure.code == Code::LimitRaised => {
            let watched = ask_for_bounds(&session.caller, &failure, &bounds, front).await?;
            open(session, &watched, prompt, bounds, front).await
        }
        other => other,
    };
    started?;
    let path = find::find_debate_folder(&session.caller, &session.id.to_string())?;
    Ok(session.caller.cwd.join(path))
}

async fn open(
    session: &Session,
    caller: &Caller,
    prompt: &PromptParts,
    bounds: Bounds,
    front: &mut PromptFront,
) -> Result<(), Failure> {
    if session.mode == DebateMode::Formal {
        return open_formal(session, caller, prompt, bounds, front).await;
    }
    let request = StartRequest {
        topic: prompt.text.clone(),
        quick: session.mode == DebateMode::Quick,
        deep: session.mode == DebateMode::Deep,
        context: prompt.context.clone(),
        pasted: prompt.pasted.clone(),
        id: Some(session.id),
        detach: true,
        // `again`, because each session needs a debate with its own id, even for the same topic.
        again: true,
        bounds,
        ..StartRequest::default()
    };
    duel::start(caller, &request, front).await.map(drop)
}

async fn open_formal(
    session: &Session,
    caller: &Caller,
    prompt: &PromptParts,
    bounds: Bounds,
    front: &mut PromptFront,
) -> Result<(), Failure> {
    let request = NewRequest {
        motion: Some(prompt.text.clone()),
        context: prompt.context.clone(),
        pasted: prompt.pasted.clone(),
        id: Some(session.id),
        ..NewRequest::default()
    };
    formal_run::open(caller, &request, front).await?;
    let debate = session.id.to_string();
    let request = PlayRequest {
        debate: Some(debate.clone()),
        detach: true,
        bounds,
        ..PlayRequest::default()
    };
    match formal_run::play(caller, &request, front).await {
        Ok(_) => Ok(()),
        Err(failure) => {
            // The debate could not run and has no turns, so remove it.
            remove::find_removable(caller, &debate).and_then(|one| remove::remove(&[one]))?;
            Err(failure)
        }
    }
}

/// Asks the user to allow higher limits; returns a watched caller.
///
/// # Errors
///
/// Returns an error if they refuse.
async fn ask_for_bounds(
    caller: &Caller,
    raised: &Failure,
    bounds: &Bounds,
    front: &mut PromptFront,
) -> Result<Caller, Failure> {
    let most = [
        bounds.max_calls.map(|calls| format!("{calls} calls")),
        bounds.max_tokens.map(|tokens| format!("{tokens} tokens")),
        bounds.max_cost.map(|cost| format!("${cost:.2}")),
    ];
    let most: Vec<_> = most.into_iter().flatten().collect();
    let name = raised.parameter.as_deref().unwrap_or("limit");
    let question = match most.is_empty() {
        true => format!("Start this debate? Its {name} is above the limit in your configuration."),
        false => format!(
            "Start this debate, with at most {}? That is above the limits in your configuration.",
            most.join(" and ")
        ),
    };
    match front.ask(&question).await {
        true => Ok(Caller {
            is_watched: true,
            ..caller.clone()
        }),
        false => Err(raised.clone()),
    }
}

/// Continues the debate of a session in the background with its pending turns or, after the verdict
/// and while it runs, with more rounds. Adds `note` first, and asks the user like [`start`].
///
/// # Errors
///
/// Returns an error if it cannot continue.
pub(crate) async fn continue_debate(
    session: &Session,
    rounds: Option<u16>,
    note: Option<String>,
    front: &mut PromptFront,
) -> Result<(), Failure> {
    let request = ExtendRequest {
        debate: Some(session.id.to_string()),
        rounds,
        note,
        how: ResumeRequest {
            detach: true,
            ..ResumeRequest::default()
        },
    };
    let outcome = extend(&session.caller, &request, front).await;
    match outcome {
        Err(failure) if failure.code == Code::LimitRaised => {
            let bounds = Bounds::default();
            let watched = ask_for_bounds(&session.caller, &failure, &bounds, front).await?;
            extend(&watched, &request, front).await.map(drop)
        }
        other => other.map(drop),
    }
}
