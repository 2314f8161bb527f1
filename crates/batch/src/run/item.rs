//! Runs one debate of a batch: starts it, or resumes it where it was cut off.

use std::path::Path;
use std::sync::Arc;

use agon_caller::{Caller, Code, Failure, FailureKind, find};
use agon_debates::request::{ResumeRequest, StartRequest};
use agon_debates::run::{duel, resume};
use agon_debates::status::outcome::{Ended, Outcome};
use agon_debates::steer::observer::State;
use agon_record::event::{CauseCode, Halt};
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::unusable::Unusable;
use crate::answer;
use crate::folder::{AFTER_FULL_DISK, BatchFolder, attempt_name};
use crate::front::{Live, RowFront, RowNote};
use crate::results::{BatchResult, RESULT_SCHEMA, ResultStatus};
use crate::row::RowKind;
use crate::usage::Used;
use crate::work::Item;

// The words of `agon_agents::dialect`. The tests compare them with those of a refused call.
/// What failures say if a service refuses a text because of its content.
const REFUSED_BY_POLICY: &str = "refused the request under its usage policy";

/// How the run of one debate ended.
#[derive(Debug)]
pub(super) enum ItemEnd {
    /// It ended, with or without a verdict.
    Result(Box<BatchResult>),
    /// It was stopped and can be resumed.
    Stopped,
    /// Another process is using it.
    Unavailable(Failure),
    /// The tokens of the day or month do not suffice now.
    OverBudget(Failure),
    /// It cannot continue until the user fixes a tool, and neither can others with this tool.
    Unusable(Unusable, Failure),
    /// A failure that would meet every debate.
    Fatal(Failure),
}

/// Starts or resumes a debate, and returns how it ended.
pub(super) async fn run_item(
    caller: &Caller,
    folder: &BatchFolder,
    item: &Item,
    live: &Arc<Live>,
    cancel: &CancellationToken,
    notes: &UnboundedSender<RowNote>,
) -> ItemEnd {
    if cancel.is_cancelled() {
        return ItemEnd::Stopped;
    }
    if let RowKind::Answer { sample } = item.row.kind {
        // Its notes name the tool and its tokens, which the estimate does for all.
        let mut front = RowFront::silent(cancel.clone());
        return run_answer(caller, item, sample, live, &mut front).await;
    }
    let mut front = RowFront::new(cancel.clone(), notes.clone(), Arc::clone(live));
    // Look now: this run may have begun the debate and returned it.
    let (earlier, last) = folder.latest_attempt(&item.slug);
    let mut attempt = last.max(1);
    let mut before = Used::of_attempts(folder, &item.slug, attempt - 1);
    live.set_earlier(before);
    let resumed = match &earlier {
        Some(path) => match resume_earlier(caller, path, &mut front).await {
            // The limits of this debate are spent, or it ended for good: only a new one can have a
            // verdict.
            Err(failure)
                if item.failed_before
                    && last == item.attempt
                    && may_start_again(&failure)
                    && find_unusable(path, &failure).is_none() =>
            {
                before = Used::of_attempts(folder, &item.slug, attempt);
                live.set_earlier(before);
                attempt += 1;
                None
            }
            resumed => Some(resumed),
        },
        None => None,
    };
    let ended = match resumed {
        Some(resumed) => resumed,
        None => {
            let request = StartRequest {
                slug: Some(attempt_name(&item.slug, attempt)),
                // Two rows that differ in a setting may be the same debate for a person.
                again: true,
                ..item.row.request.clone()
            };
            duel::start(caller, &request, &mut front).await
        }
    };
    // The store may have given it another name.
    let name = match &ended {
        Ok(Outcome::Ended(ended)) => ended.state.spec.slug.clone(),
        Ok(Outcome::Planned(_) | Outcome::Started(_)) | Err(_) => attempt_name(&item.slug, attempt),
    };
    let path = folder.debates().join(&name);
    let item = (item, before);
    let result = match ended {
        Ok(Outcome::Ended(ended)) => match failure_of(&ended) {
            None => done(item, &ended),
            Some(failure) => failed(item, &failure, Some(&ended.state)),
        },
        Ok(Outcome::Planned(_) | Outcome::Started(_)) => {
            let failure = Failure::new(Code::Bug, "the debate was not run");
            failed(item, &failure, None)
        }
        Err(failure) => match failure.code {
            Code::Cancelled => return ItemEnd::Stopped,
            Code::Locked | Code::Busy => return ItemEnd::Unavailable(failure),
            Code::DailyTokens | Code::MonthlyTokens => return ItemEnd::OverBudget(failure),
            Code::DiskFull => return ItemEnd::Fatal(failure.hint(AFTER_FULL_DISK)),
            Code::Configuration | Code::Entropy | Code::LimitRaised => {
                return ItemEnd::Fatal(failure);
            }
            _ => match find_unusable(&path, &failure) {
                Some(unusable) => return ItemEnd::Unusable(unusable, failure),
                None if is_refused_debate(&path) => {
                    failed(item, &failure, read_state(&path).as_ref())
                }
                None if needs_user(&failure) => return ItemEnd::Fatal(failure),
                None => failed(item, &failure, read_state(&path).as_ref()),
            },
        },
    };
    ItemEnd::Result(Box::new(BatchResult {
        attempt,
        folder: find::is_debate_folder(&path).then(|| format!("debates/{name}")),
        ..result
    }))
}

/// Asks one tool for an answer. Nothing of it is stored but its result.
async fn run_answer(
    caller: &Caller,
    item: &Item,
    sample: u32,
    live: &Arc<Live>,
    front: &mut RowFront,
) -> ItemEnd {
    let answer = match answer::ask(caller, &item.row.request, front).await {
        Ok(answer) => answer,
        Err(failure) => match failure.code {
            Code::Cancelled => return ItemEnd::Stopped,
            Code::DailyTokens | Code::MonthlyTokens => return ItemEnd::OverBudget(failure),
            Code::DiskFull | Code::Configuration | Code::Entropy => return ItemEnd::Fatal(failure),
            _ => answer::Answered::failed(failure),
        },
    };
    let status = match &answer.text {
        Ok(_) => ResultStatus::Done,
        Err(failure) => match find_unusable_for_answer(item, failure) {
            Some(unusable) => return ItemEnd::Unusable(unusable, failure.clone()),
            None if failure.code == Code::Cancelled => return ItemEnd::Stopped,
            None if is_refused_answer(failure) => ResultStatus::Failed,
            None if needs_user(failure) => return ItemEnd::Fatal(failure.clone()),
            None => ResultStatus::Failed,
        },
    };
    live.begin((answer.used.tokens, answer.used.cost_micros));
    let failure = answer.text.as_ref().err();
    ItemEnd::Result(Box::new(BatchResult {
        repeat: sample,
        error: failure.map(|failure| failure.code.name().to_owned()),
        message: failure.map(|failure| failure.message.clone()),
        answer: answer.text.ok(),
        ..result((item, answer.used), status, None)
    }))
}

/// Returns the tool that would give no answer to any other request either.
fn find_unusable_for_answer(item: &Item, failure: &Failure) -> Option<Unusable> {
    let (tool, model) = answer::tool_of(&item.row.request).ok()?;
    Unusable::of_answer(tool, model, failure.code)
}

/// Returns the failure of a debate that ended without a verdict or waits for a person.
fn failure_of(ended: &Ended) -> Option<Failure> {
    if ended.failure.is_some() {
        return ended.failure.clone();
    }
    let waits = !ended.waits.is_empty();
    let message = "it waits for a person, who cannot answer in a batch";
    waits.then(|| Failure::new(Code::Unfinished, message))
}

/// Resumes an earlier attempt where it was cut off, or returns its end.
async fn resume_earlier(
    caller: &Caller,
    path: &Path,
    front: &mut RowFront,
) -> Result<Outcome, Failure> {
    let is_over = read_state(path).is_some_and(|state| state.closed.is_some());
    // Its result was lost with a killed process; a note about it would only confuse.
    let mut silent = is_over.then(|| RowFront::silent(CancellationToken::new()));
    let front = silent.as_mut().unwrap_or(front);
    let request = ResumeRequest {
        debate: Some(path.display().to_string()),
        ..ResumeRequest::default()
    };
    let outcome = resume::resume(caller, &request, front).await?;
    match outcome {
        Outcome::Ended(ended) => match failure_of(&ended) {
            Some(failure) => Err(failure),
            None => Ok(Outcome::Ended(ended)),
        },
        outcome => Ok(outcome),
    }
}

/// Returns whether a debate that failed like this is worth another one, instead of another result.
fn may_start_again(failure: &Failure) -> bool {
    !needs_user(failure)
        && !matches!(
            failure.code,
            Code::Cancelled
                | Code::Locked
                | Code::Busy
                | Code::DailyTokens
                | Code::MonthlyTokens
                | Code::DiskFull
                | Code::Configuration
        )
}

/// Returns whether a debate could not be started or resumed until the user does something: it must
/// then be neither abandoned nor stored as failed.
fn needs_user(failure: &Failure) -> bool {
    failure.kind == FailureKind::Tool || failure.code == Code::ConsentNeeded
}

/// Returns whether a service refused what the debate in `path` asked, and may answer others.
fn is_refused_debate(path: &Path) -> bool {
    let state = read_state(path);
    let halted = state.and_then(|state| state.halted);
    halted.is_some_and(|halt| match halt {
        Halt::User { cause, .. } => {
            cause.code == CauseCode::TooLarge || cause.detail.contains(REFUSED_BY_POLICY)
        }
        _ => false,
    })
}

/// Returns whether a service refused the question, and may answer others.
fn is_refused_answer(failure: &Failure) -> bool {
    failure.code == Code::TooLarge || failure.message.contains(REFUSED_BY_POLICY)
}

/// Returns the tool that would halt every debate as it halted the one in `path` with `failure`.
fn find_unusable(path: &Path, failure: &Failure) -> Option<Unusable> {
    Unusable::of(&read_state(path)?, failure.code)
}

fn read_state(path: &Path) -> Option<State> {
    let view = find::read(path).ok()?;
    Some(view.state)
}

fn done(item: (&Item, Used), ended: &Ended) -> BatchResult {
    let document = ended.document();
    BatchResult {
        answer: document.answer,
        winner: document.winner.map(|seat| seat.to_string()),
        winner_tool: document.winner_tool.map(|tool| tool.to_string()),
        authority: ended.authority.map(|authority| authority.name().to_owned()),
        ..result(item, ResultStatus::Done, Some(&ended.state))
    }
}

fn failed(item: (&Item, Used), failure: &Failure, state: Option<&State>) -> BatchResult {
    BatchResult {
        error: Some(failure.code.name().to_owned()),
        message: Some(failure.message.clone()),
        ..result(item, ResultStatus::Failed, state)
    }
}

/// Returns a result of the debate `state`. `before` is what earlier attempts at it used.
fn result(
    (item, before): (&Item, Used),
    status: ResultStatus,
    state: Option<&State>,
) -> BatchResult {
    let used = before.plus(state.map(Used::of).unwrap_or_default());
    BatchResult {
        schema: RESULT_SCHEMA.to_owned(),
        identity: item.identity.as_str().to_owned(),
        id: item.row.id.clone(),
        tags: item.row.tags.clone(),
        line: item.row.line,
        repeat: item.repeat,
        attempt: 1,
        status,
        error: None,
        message: None,
        topic: item.row.request.topic.clone(),
        answer: None,
        winner: None,
        winner_tool: None,
        authority: None,
        calls: used.calls,
        tokens: used.tokens,
        cost_usd: dollars(used.cost_micros),
        seconds: seconds(used.ms),
        folder: None,
    }
}

/// Converts milliseconds; a division gives the shortest number, such as 1.128.
#[expect(clippy::cast_precision_loss, reason = "far less than 2^52 ms")]
fn seconds(millis: u64) -> f64 {
    millis as f64 / 1e3
}

/// Converts millionths of a dollar.
#[expect(clippy::cast_precision_loss, reason = "far less than 2^52 dollars")]
pub(super) fn dollars(micros: u64) -> f64 {
    micros as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debate_that_needs_the_user_is_not_abandoned_for_a_new_one() {
        for code in [
            Code::Tool,
            Code::ToolMissing,
            Code::ToolLoggedOut,
            Code::ConsentNeeded,
            Code::DailyTokens,
        ] {
            assert!(!may_start_again(&Failure::new(code, "")), "{code:?}");
        }
        for code in [Code::Unfinished, Code::Limit] {
            assert!(may_start_again(&Failure::new(code, "")), "{code:?}");
        }
    }
}
