//! The review of a plan: at the end of an AI tool's plan mode, tools of other vendors debate the
//! plan, and its model gets their findings.
//!
//! A hook of the AI tool waits for the answer. Nothing may therefore take longer than the
//! configured time, and every failure lets the plan pass with a sentence that says so.

mod front;
mod log;
mod seats;
mod words;

use std::path::Path;
use std::time::Duration;

use agon_caller::{Caller, Code, Failure, settings, system};
use agon_config::PlanReview;
use agon_hosts::hook::{HookCall, HookEvent, HookOutput, HookReply, PlanCall, PlanSource};
use agon_hosts::host::{Host, is_edit_tool};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use self::front::QuietFront;
use self::log::{Decision, ReviewLog};
use crate::hook_state::{hash_of, session_key};
use crate::request::{PastedText, StartRequest};
use crate::run::duel;
use crate::status::outcome::{Ended, Outcome};
use crate::suggest;

/// The name of the event on the command line.
pub const EVENT: &str = HookEvent::PlanEnd.name();

// A plan of this size has about 16,000 tokens, and each of the three seats reads it.
/// The part of a plan that is debated, in bytes.
const MAX_PLAN_BYTES: usize = 64 * 1024;
// The limit of a hook's standard input.
/// Maximum size of a file with a plan, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;
// Stopping a tool takes less than a second; a tool that ignores SIGTERM is killed after five.
/// How long a stopped debate may take to end.
const GRACE: Duration = Duration::from_secs(10);
/// The name of the plan in the debate.
const PLAN_NAME: &str = "plan.md";
/// The topic of every review, in words of Agon: a topic may name the seats.
const TOPIC: &str =
    "Is the plan in plan.md ready to be carried out as it is, or does it need changes first?";

/// Answers the hook at the end of plan mode; `said` is what the host passed on stdin. `is_in_team`
/// returns whether the session in a folder is a member of a team, whose lead reviews its plans.
///
/// The reply refuses the plan only if there is a verdict, and never twice in a row in a session.
pub async fn answer(
    caller: &Caller,
    host: &'static Host,
    said: &str,
    is_in_team: impl FnOnce(&Path) -> bool,
) -> HookOutput {
    // A tool that takes part in a debate must not start another one.
    let reply = match caller.nesting_depth() {
        0 => reply_to(caller, host, said, is_in_team).await,
        1.. => Ok(HookReply::Pass),
    };
    let reply = reply.unwrap_or_else(|why| HookReply::Warn(words::not_reviewed(&why)));
    reply.into_output(&host.hooks, HookEvent::PlanEnd)
}

/// Returns the reply, or why the plan was not reviewed.
async fn reply_to(
    caller: &Caller,
    host: &'static Host,
    said: &str,
    is_in_team: impl FnOnce(&Path) -> bool,
) -> Result<HookReply, String> {
    let call = HookCall::read(said, is_edit_tool).map_err(|error| error.to_string())?;
    let cwd = call.cwd.clone().unwrap_or_else(|| caller.cwd.clone());
    if call.is_of_sub_agent || is_in_team(&cwd) {
        return Ok(HookReply::Pass);
    }
    let caller = &Caller {
        cwd,
        is_watched: false,
        is_hosted: true,
        ..caller.clone()
    };
    let settings = settings::read_settings(caller).map_err(|failure| failure.message)?;
    let is_off = settings.plan_review == PlanReview::Off;
    let plan = match read_plan(caller, host, said) {
        Err(_) if is_off => None,
        plan => plan?,
    };
    let Some(plan) = plan else {
        return Ok(HookReply::Pass);
    };
    let session = session_key(caller, host.name, call.session_id.as_deref());
    let suggestion = || {
        let line = || suggest::line_for_plan(caller, &settings, &session, &plan);
        can_tell(host).then(line)?.map(HookReply::Tell)
    };
    if is_off {
        return Ok(suggestion().unwrap_or(HookReply::Pass));
    }
    let project = caller.project();
    let hash = hash_of(&[project.as_os_str().as_encoded_bytes(), plan.as_bytes()]);
    let review = Review {
        caller,
        host,
        session: session.clone(),
        plan: &plan,
        hash,
        limit: Duration::from_secs(settings.plan_review_time),
    };
    let now = system::now_ms();
    let decision = ReviewLog::change(caller, now, |log| {
        log.decide(settings.plan_review, &review.session, &review.hash, now)
    })?;
    match decision {
        Decision::Unfinished => Err(words::unfinished()),
        Decision::Suggest => {
            let line = || HookReply::Tell(words::suggestion());
            Ok(suggestion().unwrap_or_else(line))
        }
        Decision::Pass(None) => Ok(HookReply::Pass),
        Decision::Pass(Some(debate)) => Ok(HookReply::Tell(words::debated_before(&debate))),
        Decision::TooMany => Err(words::too_many()),
        Decision::Start => review.hold(&settings).await,
    }
}

/// Returns whether a host shows a line of the hook to the person.
fn can_tell(host: &Host) -> bool {
    let line = HookReply::Tell(String::new());
    line.host_output(&host.hooks, HookEvent::PlanEnd).is_some()
}

/// Returns the text of the plan, if the call has one.
fn read_plan(caller: &Caller, host: &Host, said: &str) -> Result<Option<String>, String> {
    let Some(hook) = &host.hooks.plan else {
        return Ok(None);
    };
    let call = PlanCall::read(said, &caller.vars).map_err(|error| error.to_string())?;
    let text = match call.plan(hook) {
        None => return Ok(None),
        Some(PlanSource::Text(text)) => text,
        Some(PlanSource::File(path)) => {
            let bytes = agon_files::read(&path, MAX_FILE_BYTES);
            let bytes = bytes.map_err(|error| format!("{}: {error}", path.display()))?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
    };
    Ok((!text.trim().is_empty()).then(|| text.replace('\0', " ")))
}

/// A review that was begun.
struct Review<'a> {
    caller: &'a Caller,
    host: &'static Host,
    session: String,
    plan: &'a str,
    hash: String,
    limit: Duration,
}

/// How a debate on a plan ended.
enum ReviewEnd {
    Ended(Box<Ended>),
    Failed(Failure),
    /// It was stopped at the time limit.
    Stopped,
}

impl Review<'_> {
    /// Lets other tools debate the plan, and returns their findings.
    async fn hold(&self, settings: &settings::Settings) -> Result<HookReply, String> {
        let cancel = CancellationToken::new();
        let mut front = QuietFront::new(cancel.clone());
        let ended = {
            let debate = self.debate(settings, &mut front);
            tokio::pin!(debate);
            tokio::select! {
                ended = &mut debate => ended,
                () = sleep(self.limit) => {
                    cancel.cancel();
                    match timeout(GRACE, debate).await {
                        Ok(ReviewEnd::Ended(ended)) => ReviewEnd::Ended(ended),
                        Ok(ReviewEnd::Failed(_) | ReviewEnd::Stopped) | Err(_) => ReviewEnd::Stopped,
                    }
                }
            }
        };
        let name = front.debate();
        let findings = match &ended {
            ReviewEnd::Ended(ended) => words::findings(&ended.document(), cut(self.plan).1),
            ReviewEnd::Failed(_) | ReviewEnd::Stopped => None,
        };
        let now = system::now_ms();
        let logged = ReviewLog::change(self.caller, now, |log| match (&name, &findings) {
            (Some(name), findings) => {
                let refused = findings.is_some().then_some(self.session.as_str());
                log.debated(&self.hash, name, refused, now);
            }
            // Nothing was spent, so the same plan may be reviewed later.
            (None, _) => log.forget(&self.hash),
        });
        // Findings are paid for. Without the log, the next plan passes with a line that says why.
        if findings.is_none() {
            logged?;
        }
        match (findings, ended) {
            (Some(findings), _) => Ok(HookReply::Refuse(findings)),
            (None, ReviewEnd::Stopped) => Err(words::stopped(self.limit, name.as_deref())),
            (None, ReviewEnd::Ended(_)) => Err(words::without_verdict(name.as_deref(), None)),
            (None, ReviewEnd::Failed(failure)) => Err(match &name {
                Some(name) => words::without_verdict(Some(name), Some(&failure)),
                None => words::failure(&failure),
            }),
        }
    }

    async fn debate(&self, settings: &settings::Settings, front: &mut QuietFront) -> ReviewEnd {
        let seats = match seats::choose(self.caller, settings, self.host.name).await {
            Ok(seats) => seats,
            Err(failure) => return ReviewEnd::Failed(failure),
        };
        let (text, _) = cut(self.plan);
        let short: String = self.hash.chars().take(8).collect();
        let request = StartRequest {
            topic: TOPIC.to_owned(),
            quick: true,
            // A project's file may set another context.
            context: Some("none".to_owned()),
            pasted: vec![PastedText {
                name: PLAN_NAME.to_owned(),
                text: text.to_owned(),
            }],
            slug: Some(format!("plan-review-{short}")),
            // Whether a plan was debated before is in the log, not in the topic.
            again: true,
            seats,
            ..StartRequest::default()
        };
        match duel::start(self.caller, &request, front).await {
            Ok(Outcome::Ended(ended)) => ReviewEnd::Ended(ended),
            Ok(Outcome::Planned(_) | Outcome::Started(_)) => {
                ReviewEnd::Failed(Failure::new(Code::Bug, "the debate was not run"))
            }
            Err(failure) => ReviewEnd::Failed(failure),
        }
    }
}

/// Returns the part of a plan that is debated, and the size of the whole plan if that is more.
fn cut(plan: &str) -> (&str, Option<usize>) {
    if plan.len() <= MAX_PLAN_BYTES {
        return (plan, None);
    }
    let part = plan.get(..plan.floor_char_boundary(MAX_PLAN_BYTES));
    let part = part.unwrap_or_default();
    let end = part.rfind('\n').filter(|end| *end > 0);
    let part = end.and_then(|end| part.get(..end)).unwrap_or(part);
    (part, Some(plan.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_plan_is_cut_at_a_line_and_never_inside_a_character() {
        assert_eq!(cut("short"), ("short", None));
        let lines = "a line\n".repeat(30_000);
        let (part, size) = cut(&lines);
        assert!(part.len() <= MAX_PLAN_BYTES && part.ends_with("a line"));
        assert_eq!(size, Some(lines.len()));
        let one = "ü".repeat(100_000);
        let (part, size) = cut(&one);
        assert!(part.len() <= MAX_PLAN_BYTES && part.len() > MAX_PLAN_BYTES - 4);
        assert_eq!(size, Some(200_000));
    }
}
