//! Runs a debate until it is closed, halted, or asked to stop.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;

use agon_record::event::{Cap, Event};
use agon_record::id::{AskKey, Stage};
use agon_record::user::Ran;
use agon_rules::plan::{self, Effect, ParsedReplies, PersonQuestion, Plan, moves_awaiting_lookup};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::call::{CallOutcome, PreparedCall, SessionAfterCall, millis};
use crate::host::Host;
use crate::observer::Observer;
use crate::run_context::RunContext;
use crate::sessions::Sessions;
use crate::spans::{self, Spans};
use crate::steer::{RequestAnswer, grant_request, grant_submitted_requests};

pub use crate::outcome::{RunEnd, RunError};

// Five checks per second are cheap, because the folder is usually empty. The command that submitted
// a request waits up to 20 s (`ANSWER_TIMEOUT` in `debates/src/steer.rs`).
/// How often to check for submitted requests.
const LOOK_EVERY: Duration = Duration::from_millis(200);

type Calls = FuturesUnordered<Pin<Box<dyn Future<Output = (AskKey, CallOutcome)> + Send>>>;

/// Runs the debate of `host` until it is closed, halted, or `cancel`led.
///
/// Every call is recorded before it is made, and every reply before anything acts on it. When a run
/// ends for any reason, all its calls and conversations have ended too.
///
/// # Errors
///
/// If the record cannot be written; the debate can then be resumed from the existing record.
pub async fn run_debate<H: Host>(
    host: &mut H,
    table: &RunContext,
    front: &mut dyn Observer,
    cancel: &CancellationToken,
) -> Result<RunEnd, RunError<H::Error>> {
    table.check_seats(host.state())?;
    let spans = Spans::begin(host.state());
    let mut run = DebateLoop {
        base_ms: host.state().spent.clock_ms,
        started: Instant::now(),
        host,
        table,
        front,
        calls: FuturesUnordered::new(),
        look_at: Instant::now(),
        tokens: BTreeMap::new(),
        sessions: Sessions::default(),
        spans,
        replies: ParsedReplies::default(),
    };
    let ended = run.run_until_end(cancel).await;
    run.drain_calls().await;
    let DebateLoop { spans, host, .. } = run;
    spans.end(host.state(), ended.as_ref().ok().copied());
    ended
}

struct DebateLoop<'a, H: Host> {
    host: &'a mut H,
    table: &'a RunContext,
    front: &'a mut dyn Observer,
    base_ms: u64,
    started: Instant,
    calls: Calls,
    /// When to check next for submitted requests.
    look_at: Instant,
    /// The running calls, each with its cancellation token.
    tokens: BTreeMap<AskKey, CancellationToken>,
    sessions: Sessions,
    spans: Spans,
    /// The stored replies that wait for a decision.
    replies: ParsedReplies,
}

impl<H: Host> DebateLoop<'_, H> {
    async fn run_until_end(
        &mut self,
        cancel: &CancellationToken,
    ) -> Result<RunEnd, RunError<H::Error>> {
        if self.handle_submitted_requests()? {
            return Ok(RunEnd::Stopped);
        }
        loop {
            match plan::plan_with_replies(self.host.state(), &mut self.replies) {
                Plan::Decide(events) => {
                    self.record(&events)?;
                    self.host.publish_documents().map_err(RunError::Host)?;
                    continue;
                }
                Plan::Resolve(keys) => {
                    for key in keys {
                        tokio::select! {
                            looked = self.resolve_citations(key) => looked?,
                            () = cancel.cancelled() => return Ok(RunEnd::Stopped),
                        }
                    }
                    continue;
                }
                Plan::Wait(wanted) => {
                    let stop = tokio::select! {
                        stop = self.front.answer_yes_or_no(&wanted) => stop,
                        () = cancel.cancelled() => return Ok(RunEnd::Stopped),
                        found = wait_for_requests(&mut *self.host) => {
                            found.map_err(RunError::Host)?;
                            if self.handle_submitted_requests()? {
                                return Ok(RunEnd::Stopped);
                            }
                            continue;
                        }
                    };
                    let PersonQuestion::StopOnAgreement { .. } = wanted;
                    self.record(&[Event::Agreement { stop }])?;
                    continue;
                }
                Plan::Perform(effects) => {
                    self.start_calls(&effects)?;
                    if self.calls.is_empty() {
                        if self.handle_submitted_requests()? {
                            return Ok(RunEnd::Stopped);
                        }
                        if plan::asks_awaiting_only_person(self.host.state()).is_empty() {
                            continue;
                        }
                        self.host.publish_documents().map_err(RunError::Host)?;
                        return Ok(RunEnd::Awaits);
                    }
                }
                Plan::Close if self.calls.is_empty() => {
                    // Answer requests that arrived at the last moment, even if only with a
                    // rejection.
                    if self.handle_submitted_requests()? {
                        return Ok(RunEnd::Stopped);
                    }
                    self.host.publish_documents().map_err(RunError::Host)?;
                    return Ok(RunEnd::Settled);
                }
                // Calls are still running. Wait for them, because they are paid for even if they
                // are too late.
                Plan::Close => {}
            }
            if self.handle_next(cancel).await? {
                return Ok(RunEnd::Stopped);
            }
        }
    }

    /// Checks the citations of the stored reply to `key`.
    async fn resolve_citations(&mut self, key: AskKey) -> Result<(), RunError<H::Error>> {
        let moves = moves_awaiting_lookup(self.host.state(), key, &mut self.replies);
        let Some(moves) = moves else {
            return Ok(());
        };
        let evidence = self.table.evidence();
        let runs: Vec<Ran> = self.host.state().command_runs().cloned().collect();
        let known = u32::try_from(runs.len()).unwrap_or(u32::MAX);
        let found =
            tokio::task::spawn_blocking(move || evidence.look_up_citations(&moves, &runs)).await;
        let found = found.map_err(|_| RunError::LookUp { key })?;
        for bytes in found
            .rests_on
            .values()
            .map(|bytes| &**bytes)
            .chain(found.commits.as_deref())
        {
            self.host.store_blob(bytes).map_err(RunError::Host)?;
        }
        let commits = found
            .commits
            .map(|said| blake3::hash(&said).to_hex().to_string());
        self.record(&[Event::Stamped {
            key,
            stamps: found.stamps,
            commits,
            runs: known,
        }])
    }

    /// Waits for the next event. Returns true if asked to stop.
    async fn handle_next(
        &mut self,
        cancel: &CancellationToken,
    ) -> Result<bool, RunError<H::Error>> {
        let deadline = self.debaters_deadline();
        let listens = self.host.can_receive_requests();
        tokio::select! {
            biased;
            Some((key, outcome)) = self.calls.next() => {
                let events = self.finish_call(key, outcome);
                self.record(&events)?;
                Ok(false)
            }
            () = cancel.cancelled() => Ok(true),
            () = sleep_until(deadline.unwrap_or_else(far_future)), if deadline.is_some() => {
                self.record(&[Event::Capped { cap: Cap::Time }])?;
                self.cancel_all_calls();
                Ok(false)
            }
            item = self.front.next_request() => {
                let answer = grant_request(self.host, &item).map_err(RunError::Host)?;
                self.handle_request_answer(answer)
            }
            () = sleep_until(self.look_at), if listens => self.handle_submitted_requests(),
        }
    }

    /// Handles the requests that other processes submitted. Returns true if asked to stop.
    fn handle_submitted_requests(&mut self) -> Result<bool, RunError<H::Error>> {
        self.look_at = Instant::now() + LOOK_EVERY;
        let mut stop = false;
        for (_, answer) in grant_submitted_requests(self.host).map_err(RunError::Host)? {
            stop |= self.handle_request_answer(answer)?;
        }
        Ok(stop)
    }

    /// Acts on the answer to a request and reports it. Returns true if asked to stop.
    fn handle_request_answer(&mut self, answer: RequestAnswer) -> Result<bool, RunError<H::Error>> {
        match answer {
            RequestAnswer::Stop => return Ok(true),
            RequestAnswer::Known => {}
            RequestAnswer::Refused(why) => self.front.on_request_refused(self.host.state(), &why),
            RequestAnswer::Granted(event) => {
                self.front.on_events_recorded(self.host.state(), &[event]);
                self.host.publish_documents().map_err(RunError::Host)?;
                if self.host.state().is_judge_order_in_effect() {
                    self.cancel_debater_calls();
                }
            }
        }
        Ok(false)
    }

    fn start_calls(&mut self, effects: &[Effect]) -> Result<(), RunError<H::Error>> {
        let mut calls = Vec::new();
        for effect in effects
            .iter()
            .filter(|effect| !self.tokens.contains_key(&effect.key))
            .filter(|effect| !plan::is_answered_by_person(self.host.state(), effect.key))
        {
            let call =
                PreparedCall::prepare(self.host.state(), effect, self.table, &mut self.sessions);
            calls.push(call.ok_or(RunError::NoSeat { key: effect.key })?);
        }
        if calls.is_empty() {
            return Ok(());
        }
        if calls
            .iter()
            .any(|call| call.asked.key.turn.stage == Stage::Verdict)
        {
            // A verdict is asked for, so the debaters have finished.
            self.sessions.end_all();
        }
        let asked: Vec<_> = calls
            .iter()
            .map(|call| Event::Asked(call.asked.clone()))
            .collect();
        self.record(&asked)?;
        for call in calls {
            let key = call.asked.key;
            let traced_prompt = self.table.traces_content();
            let traced_prompt =
                traced_prompt.then(|| spans::redact_prompt(self.table.redactor(), &call.prompt));
            self.spans
                .begin_call(self.host.state(), &call.asked, traced_prompt.as_deref());
            let token = CancellationToken::new();
            self.tokens.insert(key, token.clone());
            let table = self.table.clone();
            self.front.on_call_started(self.host.state(), key);
            let listener = self.front.listener(key);
            self.calls.push(Box::pin(async move {
                (key, call.perform(table, token, listener).await)
            }));
        }
        Ok(())
    }

    /// Returns the events of a finished call, and keeps or ends its conversation.
    fn finish_call(&mut self, key: AskKey, mut outcome: CallOutcome) -> Vec<Event> {
        self.tokens.remove(&key);
        match std::mem::replace(&mut outcome.after, SessionAfterCall::None) {
            SessionAfterCall::None => {}
            SessionAfterCall::On(kept) => self.sessions.save(key.turn.seat, kept),
            SessionAfterCall::Over(session) => self.sessions.end(session),
        }
        let events = outcome.into_events(self.clock_ms(), self.host.now_ms());
        self.trace_outcome(&events);
        events
    }

    /// Adds the outcome of a call to the traces.
    fn trace_outcome(&mut self, events: &[Event]) {
        for event in events {
            self.spans.end_call(event, self.table.traces_content());
        }
    }

    fn record(&mut self, events: &[Event]) -> Result<(), RunError<H::Error>> {
        self.host.record(events).map_err(RunError::Host)?;
        for event in events {
            if let Event::TurnLost { turn, .. } = event {
                // A lost turn is not part of the debate, but the conversation contains it, so end
                // that.
                self.sessions.end_for_seat(turn.seat);
            }
        }
        self.spans.end_turns(events);
        self.front.on_events_recorded(self.host.state(), events);
        Ok(())
    }

    /// Returns when the debaters' time is over; `None` if no seat is limited by it.
    fn debaters_deadline(&self) -> Option<Instant> {
        let state = self.host.state();
        let bound = self.tokens.keys().any(|key| !key.turn.seat.is_judge());
        if state.capped.is_some() || state.halted.is_some() || !bound {
            return None;
        }
        let left = plan::debater_deadline_ms(state).saturating_sub(self.base_ms);
        self.started.checked_add(Duration::from_millis(left))
    }

    fn clock_ms(&self) -> u64 {
        self.base_ms.saturating_add(millis(self.started.elapsed()))
    }

    /// Cancels the calls that the judge does not wait for.
    fn cancel_debater_calls(&self) {
        let debaters = self.tokens.iter();
        let debaters = debaters.filter(|(key, _)| !key.turn.seat.is_judge());
        debaters.for_each(|(_, token)| token.cancel());
    }

    fn cancel_all_calls(&self) {
        self.tokens.values().for_each(CancellationToken::cancel);
    }

    /// Cancels all running calls, records their replies anyway, and ends every conversation.
    ///
    /// A failure to record is not reported, since the run already ends for another reason; a call
    /// without an outcome is repeated on resume.
    async fn drain_calls(&mut self) {
        self.cancel_all_calls();
        while let Some((key, outcome)) = self.calls.next().await {
            let events = self.finish_call(key, outcome);
            if self.record(&events).is_err() {
                continue;
            }
        }
        self.sessions.shutdown().await;
    }
}

/// Handles submitted requests while the debate waits, and returns when one of them stops it.
///
/// Dropping the future loses nothing.
///
/// # Errors
///
/// If requests cannot be read, or the record cannot be written.
pub async fn wait_for_stop_request<H: Host>(host: &mut H) -> Result<(), RunError<H::Error>> {
    loop {
        wait_for_requests(&mut *host)
            .await
            .map_err(RunError::Host)?;
        let answers = grant_submitted_requests(host).map_err(RunError::Host)?;
        host.publish_documents().map_err(RunError::Host)?;
        if answers
            .iter()
            .any(|(_, answer)| *answer == RequestAnswer::Stop)
        {
            return Ok(());
        }
    }
}

/// Waits until a request is submitted; forever if none can be.
async fn wait_for_requests<H: Host>(host: &mut H) -> Result<(), H::Error> {
    if !host.can_receive_requests() {
        return std::future::pending().await;
    }
    while host.pending_requests()?.is_empty() {
        sleep(LOOK_EVERY).await;
    }
    Ok(())
}

fn far_future() -> Instant {
    Instant::now() + Duration::from_secs(86_400)
}
