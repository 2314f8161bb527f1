//! An editor: the protocol's own client, and what it was told.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::ConnectionTo;
use agent_client_protocol::v1::schema::{
    CancelNotification, ContentBlock, InitializeRequest, InitializeResponse, LoadSessionRequest,
    NewSessionRequest, PlanEntry, PromptRequest, PromptResponse, RequestPermissionOutcome,
    RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, SessionId,
    SessionNotification, SessionUpdate, SetSessionModeRequest, StopReason, TextContent,
};
use agent_client_protocol::{
    Agent, Channel, Client, Error, JsonRpcRequest, TransportFrame, on_receive_notification,
    on_receive_request,
};
use futures_util::StreamExt;

/// Longer than any answer here takes.
const PATIENCE: Duration = Duration::from_secs(240);

/// What an editor was told and asked.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The agent's words, joined.
    pub(super) text: String,
    /// The words of who was still speaking, joined.
    pub(super) thoughts: String,
    /// The user's words, as they were told back.
    pub(super) user: String,
    /// Each plan.
    pub(super) plans: Vec<Vec<PlanEntry>>,
    /// What permission was asked for.
    pub(super) asked: Vec<String>,
    /// Whether permission is given.
    pub(super) allows: bool,
}

/// An agent that was started, and the editor that speaks to it.
pub(super) struct Editor {
    child: Child,
    client: ConnectionTo<Agent>,
    told: Arc<Mutex<Told>>,
    pub(super) about: InitializeResponse,
}

impl Editor {
    /// Starts the agent and shakes hands.
    pub(super) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (theirs, ours) = Channel::duplex();
        let (mut rx, tx) = ours.into_parts();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { break };
                let frame = TransportFrame::parse_json(&line);
                let is_stray = matches!(frame, TransportFrame::Malformed { .. });
                assert!(!is_stray, "a stray line on stdout: {line}");
                if tx.unbounded_send(frame).is_err() {
                    break;
                }
            }
        });
        let told = Arc::new(Mutex::new(Told::default()));
        let (hears, answers) = (Arc::clone(&told), Arc::clone(&told));
        let (opened, connection) = channel();
        std::thread::spawn(move || {
            let writing = async move {
                while let Some(frame) = rx.next().await {
                    let line = format!("{}\n", frame.to_json().unwrap());
                    if stdin.write_all(line.as_bytes()).is_err() {
                        break;
                    }
                }
            };
            let speaking = Client
                .v1()
                .on_receive_notification(
                    async move |heard: SessionNotification, _: ConnectionTo<Agent>| {
                        hears.lock().unwrap().take(heard.update);
                        Ok(())
                    },
                    on_receive_notification!(),
                )
                .on_receive_request(
                    async move |asked: RequestPermissionRequest,
                                responder,
                                _: ConnectionTo<Agent>| {
                        responder.respond(answers.lock().unwrap().decide(&asked))
                    },
                    on_receive_request!(),
                )
                .connect_with(theirs, async move |client: ConnectionTo<Agent>| {
                    opened.send(client.clone()).unwrap();
                    client.incoming_closed().await;
                    Ok(())
                });
            run(async { drop(tokio::join!(writing, speaking)) });
        });
        let client: ConnectionTo<Agent> = connection.recv().unwrap();
        let hello = InitializeRequest::new(ProtocolVersion::V1);
        let about = run(client.send_request(hello).block_task()).unwrap();
        Self {
            child,
            client,
            told,
            about,
        }
    }

    /// Asks, and gives the answer.
    pub(super) fn request<R: JsonRpcRequest>(&self, request: R) -> Result<R::Response, Error> {
        let answer = self.client.send_request(request).block_task();
        run(async { tokio::time::timeout(PATIENCE, answer).await.unwrap() })
    }

    /// A session in this folder.
    pub(super) fn session(&self, cwd: &Path) -> SessionId {
        self.request(NewSessionRequest::new(cwd))
            .unwrap()
            .session_id
    }

    /// A session in this folder, in this mode.
    pub(super) fn session_in_mode(&self, cwd: &Path, mode: &'static str) -> SessionId {
        let session = self.session(cwd);
        let request = SetSessionModeRequest::new(session.clone(), mode);
        self.request(request).unwrap();
        session
    }

    /// Takes a session up again.
    pub(super) fn load(&self, session: &SessionId, cwd: &Path) -> Result<(), Error> {
        let request = LoadSessionRequest::new(session.clone(), cwd);
        self.request(request).map(drop)
    }

    /// Sends a prompt, and gives why its answer ended.
    pub(super) fn prompt(&self, session: &SessionId, text: &str) -> StopReason {
        self.request(prompt(session, text)).unwrap().stop_reason
    }

    /// Sends a prompt; its answer comes when it comes.
    pub(super) fn begin_prompt(
        &self,
        session: &SessionId,
        text: &str,
    ) -> std::thread::JoinHandle<Result<PromptResponse, Error>> {
        let sent = self.client.send_request(prompt(session, text));
        std::thread::spawn(move || run(sent.block_task()))
    }

    /// Takes the prompt of a session back.
    pub(super) fn cancel(&self, session: &SessionId) {
        let cancel = CancelNotification::new(session.clone());
        self.client.send_notification(cancel).unwrap();
    }

    /// Waits until so many turns were told.
    pub(super) fn wait_for_turns(&self, count: usize) {
        let since = Instant::now();
        while self.told().turns() < count {
            assert!(since.elapsed() < PATIENCE, "{}", self.told().text);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// What it was told so far.
    pub(super) fn told(&self) -> std::sync::MutexGuard<'_, Told> {
        self.told.lock().unwrap()
    }

    /// Forgets what it was told.
    pub(super) fn forget(&self) {
        let allows = self.told().allows;
        *self.told() = Told {
            allows,
            ..Told::default()
        };
    }

    /// Kills the agent.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Told {
    /// How many turns were told.
    pub(super) fn turns(&self) -> usize {
        self.text.matches("### ").count()
    }

    fn take(&mut self, update: SessionUpdate) {
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => self.text.push_str(&text(&chunk.content)),
            SessionUpdate::AgentThoughtChunk(chunk) => {
                self.thoughts.push_str(&text(&chunk.content));
            }
            SessionUpdate::UserMessageChunk(chunk) => self.user.push_str(&text(&chunk.content)),
            SessionUpdate::Plan(plan) => self.plans.push(plan.entries),
            _ => {}
        }
    }

    fn decide(&mut self, asked: &RequestPermissionRequest) -> RequestPermissionResponse {
        let title = asked.tool_call.fields.title.clone();
        self.asked.push(title.unwrap_or_default());
        let chosen = &asked.options[usize::from(!self.allows)].option_id;
        let selected = SelectedPermissionOutcome::new(chosen.clone());
        RequestPermissionResponse::new(RequestPermissionOutcome::Selected(selected))
    }
}

fn text(content: &ContentBlock) -> String {
    match content {
        ContentBlock::Text(text) => text.text.clone(),
        other => panic!("{other:?}"),
    }
}

fn prompt(session: &SessionId, text: &str) -> PromptRequest {
    let text = ContentBlock::Text(TextContent::new(text));
    PromptRequest::new(session.clone(), vec![text])
}

fn run<F: Future>(work: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    runtime.block_on(work)
}
