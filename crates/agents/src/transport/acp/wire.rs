//! The connection to one process that supports the protocol.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use agent_client_protocol::role::acp::Agent;
use agent_client_protocol::v1::schema::SessionId;
use agent_client_protocol::{
    Builder, Channel, Client, ConnectionTo, Dispatch, Error, Handled, TransportFrame,
    UntypedMessage,
};
use agon_files::json_text::replace_lone_surrogates;
use agon_proc::{
    ChildLine, Group, OpenChild, Program, StopTimeouts, Stopped, Watch, is_leader_running,
};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::consent::Consent;
use super::message::{AgentMessage, answer_permission_request, parse_notification};
use crate::agent::CallFailure;
use crate::breach::Breach;

// The default output limit of a turn (`CallLimits::output_bytes`), so that no single line is
// rejected while the turn is within its limit.
/// The length limit of a line, in bytes.
const LINE: usize = 16 * 1024 * 1024;

// Chosen, not measured: a shorter time loses the reason that a process printed before it ended; a
// longer one delays every turn that fails this way.
/// The time limit for handling the output that arrived before the process ended.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(500);

/// The connection to a process that supports the protocol, run by a separate task.
///
/// Dropping it ends the process at once.
#[derive(Debug)]
pub(super) struct AcpWire {
    connection: ConnectionTo<Agent>,
    group: Group,
    state: Arc<WireState>,
    messages: mpsc::UnboundedReceiver<(SessionId, AgentMessage)>,
    end: Option<oneshot::Sender<StopTimeouts>>,
    task: JoinHandle<Option<Stopped>>,
}

/// The state shared by the connection's task and its owner.
#[derive(Debug, Default)]
struct WireState {
    lost: CancellationToken,
    breach: OnceLock<Breach>,
    /// The bytes of output since the last reset.
    bytes: AtomicUsize,
}

impl WireState {
    fn mark_lost(&self, breach: Breach) {
        self.breach.get_or_init(|| breach);
        self.lost.cancel();
    }
}

impl AcpWire {
    /// Starts a program; `max_bytes` is the limit of its output between two [`AcpWire::begin_turn`] calls,
    /// in bytes.
    pub(super) async fn start(
        program: &Program,
        watch: Arc<dyn Watch>,
        consent: Consent,
        max_bytes: usize,
        ladder: StopTimeouts,
    ) -> Result<Self, CallFailure> {
        let child =
            OpenChild::start(program, LINE.min(max_bytes), watch).map_err(CallFailure::Start)?;
        let group = child.group().clone();
        let state = Arc::new(WireState::default());
        let (sender, messages) = mpsc::unbounded_channel();
        let (theirs, ours) = Channel::duplex();
        let (opened, connection) = oneshot::channel();
        let (end, ended) = oneshot::channel();
        let task = tokio::spawn(run_connection(WireTask {
            child,
            protocol: Box::pin(run_protocol(theirs, consent, sender, opened)),
            ours,
            state: Arc::clone(&state),
            max_bytes,
            ended,
            ladder,
        }));
        let connection = connection
            .await
            .map_err(|_| CallFailure::Bug("a connection that did not start"))?;
        Ok(Self {
            connection,
            group,
            state,
            messages,
            end: Some(end),
            task,
        })
    }

    /// Sends a request and returns the response unchanged.
    ///
    /// If the process ends meanwhile, the answer is an error; [`AcpWire::breach`] has the reason.
    pub(super) fn request(
        &self,
        method: &'static str,
        params: &impl Serialize,
    ) -> BoxFuture<'static, Result<Value, Error>> {
        let connection = self.connection.clone();
        let message = UntypedMessage::new(method, params);
        Box::pin(async move { connection.send_request(message?).block_task().await })
    }

    /// Sends a notification.
    pub(super) fn notify(&self, method: &'static str, params: &impl Serialize) {
        if let Ok(message) = UntypedMessage::new(method, params) {
            // Ignore an error: sending fails only if the process has ended, which is reported
            // elsewhere.
            self.connection.send_notification(message).ok();
        }
    }

    /// Resets the byte count. Returns the messages that arrived since the last turn.
    pub(super) fn begin_turn(&mut self) -> Vec<AgentMessage> {
        self.state.bytes.store(0, Ordering::Relaxed);
        let mut since = Vec::new();
        while let Ok((_, message)) = self.messages.try_recv() {
            since.push(message);
        }
        since
    }

    /// Returns the number of bytes that the agent has sent since the turn began.
    pub(super) fn bytes_received(&self) -> usize {
        self.state.bytes.load(Ordering::Relaxed)
    }

    /// Waits for the next message; `None` once the connection is lost.
    pub(super) async fn next(&mut self) -> Option<(SessionId, AgentMessage)> {
        self.messages.recv().await
    }

    /// Returns a token that is cancelled when the connection is lost.
    pub(super) fn lost_token(&self) -> CancellationToken {
        self.state.lost.clone()
    }

    /// Returns why the connection was lost.
    pub(super) fn breach(&self) -> Breach {
        self.state.breach.get().cloned().unwrap_or(Breach::Died)
    }

    /// Returns whether the process still runs and the connection works.
    pub(super) fn is_alive(&self) -> bool {
        !self.state.lost.is_cancelled() && is_leader_running(&self.group)
    }

    /// Ends the process gracefully. Returns how it ended, unless the task was aborted.
    pub(super) async fn stop(mut self, ladder: StopTimeouts) -> Option<Stopped> {
        if let Some(end) = self.end.take() {
            // Ignore an error: the receiver is gone if the process has already ended.
            end.send(ladder).ok();
        }
        (&mut self.task).await.ok().flatten()
    }
}

impl Drop for AcpWire {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The values that the connection's task needs.
struct WireTask {
    child: OpenChild,
    protocol: BoxFuture<'static, ()>,
    ours: Channel,
    state: Arc<WireState>,
    max_bytes: usize,
    ended: oneshot::Receiver<StopTimeouts>,
    ladder: StopTimeouts,
}

/// Forwards lines in both directions until the process or the conversation ends. Then ends the
/// process.
async fn run_connection(task: WireTask) -> Option<Stopped> {
    let WireTask {
        child,
        mut protocol,
        ours: Channel { mut rx, tx, .. },
        state,
        max_bytes,
        ended,
        ladder,
    } = task;
    let sending = async {
        while let Some(frame) = rx.next().await {
            let Ok(line) = frame.to_json() else { continue };
            if child.send_line(line.as_bytes()).await.is_err() {
                // Wait a moment: if the process is about to end, that is reported as the reason
                // instead.
                tokio::time::sleep(DRAIN_TIMEOUT).await;
                return Breach::Deaf;
            }
        }
        Breach::Died
    };
    let outcome = tokio::select! {
        biased;
        ladder = ended => Ok(ladder),
        breach = forward_output(&child, move |frame| tx.unbounded_send(frame).is_ok(), &state.bytes, max_bytes) => Err(breach),
        breach = sending => Err(breach),
        () = &mut protocol => Err(Breach::Died),
    };
    match outcome {
        Ok(Ok(ladder)) => Some(child.stop(&ladder).await),
        // The `AcpWire` was dropped, which also ends the process.
        Ok(Err(_)) => None,
        Err(breach) => {
            // Handle the messages that arrived before the process ended.
            if breach == Breach::Died {
                timeout(DRAIN_TIMEOUT, protocol).await.ok();
            }
            state.mark_lost(breach);
            Some(child.stop(&ladder).await)
        }
    }
}

/// Forwards the process's output until it ends or breaks a rule.
async fn forward_output(
    child: &OpenChild,
    tx: impl Fn(TransportFrame) -> bool,
    bytes: &AtomicUsize,
    max_bytes: usize,
) -> Breach {
    loop {
        let line = match child.next_line().await {
            ChildLine::Text(line) => line,
            ChildLine::TooLong => {
                return Breach::LongLine {
                    limit: LINE.min(max_bytes),
                };
            }
            ChildLine::Eof => return Breach::Died,
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if bytes.fetch_add(line.len(), Ordering::Relaxed) + line.len() > max_bytes {
            return Breach::TooMuch { limit: max_bytes };
        }
        let line = String::from_utf8_lossy(&line);
        let frame = TransportFrame::parse_json(&replace_lone_surrogates(&line));
        if matches!(frame, TransportFrame::Malformed { .. }) {
            return Breach::NoMessage;
        }
        if !tx(frame) {
            return Breach::Died;
        }
    }
}

/// Runs the protocol: matches responses to requests, and handles the agent's notifications and
/// requests.
async fn run_protocol(
    channel: Channel,
    consent: Consent,
    sender: mpsc::UnboundedSender<(SessionId, AgentMessage)>,
    opened: oneshot::Sender<ConnectionTo<Agent>>,
) {
    let take = async move |message: Dispatch, _: ConnectionTo<Agent>| {
        match message {
            Dispatch::Request(request, responder) => {
                let answer = match answer_permission_request(&request, &consent) {
                    Some((session, asked, answer)) => {
                        // Ignore an error: the receiver is gone if the conversation was stopped.
                        sender.send((session, asked)).ok();
                        Ok(answer)
                    }
                    // Agon does not give agents access to files or terminals, so reject all other
                    // requests.
                    None => Err(Error::method_not_found()),
                };
                // Fails only if the process has ended.
                responder.respond_with_result(answer).ok();
            }
            Dispatch::Notification(notification) => {
                for message in parse_notification(&notification) {
                    // The receiver is gone if the conversation was stopped.
                    sender.send(message).ok();
                }
            }
            Dispatch::Response(result, router) => {
                return Ok(Handled::No {
                    message: Dispatch::Response(result, router),
                    retry: false,
                });
            }
        }
        Ok(Handled::Yes)
    };
    let connection = Builder::new(Client)
        .name("agon")
        .on_receive_dispatch(take, agent_client_protocol::on_receive_dispatch!());
    let whole = connection.connect_with(channel, async move |connection: ConnectionTo<Agent>| {
        // Ignore an error: the receiver is gone only if opening was cancelled.
        opened.send(connection.clone()).ok();
        connection.incoming_closed().await;
        Ok(())
    });
    // Ignore the result: `mark_lost` records why a connection ended.
    whole.await.ok();
}
