//! Makes one call: from the planned effect to the recorded outcome.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ::agon_prompt;
use agon_agents::{Agent, AgentAnswer, AgentError, Ask, OutputListener, SchemaUse, Session};
use agon_interview::Interview;
use agon_proc::PrivatePlaces;
use agon_prompt::{PROMPT_VERSION, Prompt, Wording};
use agon_record::event::{Asked, Cause, CauseCode, Class, Event, Given, Lost, Reply};
use agon_record::id::{AskKey, Stage, TurnId};
use agon_record::state::State;
use agon_record::text::strip_control_characters;
use agon_redact::{Redactor, unescape_printable};
use agon_rules::format::requested_moves_kind;
use agon_rules::plan::{Effect, judge_timeout_ms};
use agon_rules::schema;
use serde_json::Value;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::live_text::RedactingListener;
use crate::observer::Listener;
use crate::own_folder::{strip_folder_paths, strip_private_paths};
use crate::run_context::RunContext;
use crate::seat_folders::SeatFolders;
use crate::seat_sessions::seat_findings;
use crate::sessions::{SavedSession, SessionLease, Sessions};

/// A call that is about to be made.
#[derive(Debug)]
pub(crate) struct PreparedCall {
    /// The event recorded before the call.
    pub(crate) asked: Asked,
    /// The prompt.
    pub(crate) prompt: Wording,
    /// The JSON schema for the moves of the answer, if the tool can be constrained to one.
    schema: Option<Value>,
    /// The questions asked instead of the prompt, if the seat is interviewed.
    interview: Option<Interview>,
    after: Duration,
    /// The conversation to continue; `None` for a single call.
    lent: Option<SessionLease>,
}

/// The outcome of a call, without the debate's clock.
#[derive(Debug)]
pub(crate) struct CallOutcome {
    said: CallReply,
    /// Files that the tool changed although it should only read.
    changed: Vec<String>,
    /// The state of the conversation after the call.
    pub(crate) after: SessionAfterCall,
}

/// The state of a conversation after a call.
pub(crate) enum SessionAfterCall {
    /// There was no conversation.
    None,
    /// It continues with the next call of the seat.
    On(SavedSession),
    /// It must be ended.
    Over(Box<dyn Session>),
}

impl SessionAfterCall {
    /// Ends a conversation that would continue, and waits until its tool has ended.
    async fn into_ended(self) -> Self {
        match self {
            Self::On(kept) => {
                let mut session = kept.into_session();
                session.close().await;
                Self::Over(session)
            }
            ended @ (Self::None | Self::Over(_)) => ended,
        }
    }
}

impl fmt::Debug for SessionAfterCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::On(_) => "On",
            Self::Over(_) => "Over",
        })
    }
}

#[derive(Debug)]
enum CallReply {
    Given(Given),
    Lost(Lost),
}

impl CallOutcome {
    /// Returns the events to record, with the debate's clock `clock_ms` and the time of day
    /// `at_ms`.
    pub(crate) fn into_events(self, clock_ms: u64, at_ms: Option<u64>) -> Vec<Event> {
        let (key, said) = match self.said {
            CallReply::Given(given) => {
                let given = Given {
                    clock_ms,
                    at_ms,
                    ..given
                };
                (given.key, Event::Given(given))
            }
            CallReply::Lost(lost) => (lost.key, Event::Lost(Lost { clock_ms, ..lost })),
        };
        let changed = self.changed;
        let touched = (!changed.is_empty()).then_some(Event::Touched { key, changed });
        touched.into_iter().chain([said]).collect()
    }
}

/// Returns the event and the prompt of the call for `effect`. `within` is the call's time limit if
/// it differs from the debate's own. The prompt contains only the first `user_inputs` messages of the
/// user.
pub(crate) fn prepare_ask(
    state: &State,
    effect: &Effect,
    within: Option<Duration>,
    user_inputs: u32,
) -> Option<(Asked, Prompt)> {
    let key = effect.key;
    let seating = state.seats.get(&key.turn.seat)?;
    let prompt = agon_prompt::prompt_with_user_words(state, key, user_inputs);
    let asked = Asked {
        key,
        tool: seating.tool.clone(),
        model: seating.model.clone(),
        effort: seating.effort,
        timeout_ms: ask_timeout_ms(state, effect, within),
        reserved: effect.reserve,
        parts: prompt.part_refs(),
        prompt_version: PROMPT_VERSION,
        session: None,
        sent_parts: None,
        user_inputs,
        past_onset: None,
        seat_findings: Vec::new(),
    };
    Some((asked, prompt))
}

/// Returns the JSON schema for the moves of the answer to `key`, if the agent should be constrained
/// to one.
fn answer_schema(state: &State, key: AskKey, agent: &dyn Agent) -> Option<Value> {
    let is_constrained = match agent.schema_constraint() {
        SchemaUse::Never => false,
        SchemaUse::Again => key.again > 0,
        SchemaUse::Always => true,
    };
    // After the swap, moves name the sides differently, so the usual schema does not fit.
    if !is_constrained || key.turn.stage == Stage::Swap {
        return None;
    }
    let budget = state.seats.get(&key.turn.seat)?.budget;
    Some(match budget {
        Some(_) => schema::compact_schema(state, key.turn),
        None => schema::strict_schema(&schema::contract_schema(state, key.turn)),
    })
}

impl PreparedCall {
    /// Prepares the call for `effect`, in the conversation of its seat if there is one.
    ///
    /// The prompt contains everything that the user has added so far.
    pub(crate) fn prepare(
        state: &State,
        effect: &Effect,
        table: &RunContext,
        sessions: &mut Sessions,
    ) -> Option<Self> {
        let user_inputs = u32::try_from(state.words.len()).unwrap_or(u32::MAX);
        let (mut asked, prompt) =
            self::prepare_ask(state, effect, table.ask_timeout(), user_inputs)?;
        let agent = table.agent(&asked.tool).map(|agent| &**agent);
        let (prompt, lent) = sessions.lend(state, &mut asked, &prompt, agent);
        let read = match &lent {
            Some(lent) => lent.tokens(),
            None => agon_prompt::estimate_tokens(prompt.len() as u64),
        };
        let onset = agent.map(|agent| agent.context_degradation(asked.model.as_deref()).onset);
        asked.past_onset = onset.filter(|onset| read > *onset);
        asked.seat_findings = seat_findings(state, asked.key);
        let kind = requested_moves_kind(state, effect.key.turn);
        Some(Self {
            asked,
            prompt,
            schema: agent.and_then(|agent| answer_schema(state, effect.key, agent)),
            interview: Interview::for_turn(state, effect.key, kind),
            after: Duration::from_millis(effect.after_ms),
            lent,
        })
    }

    /// Makes the call and returns its outcome. Takes at most the time limit plus the grace period
    /// of a stopped program.
    pub(crate) async fn perform(
        self,
        table: RunContext,
        cancel: CancellationToken,
        listens: Option<Arc<dyn Listener>>,
    ) -> CallOutcome {
        let turn = self.asked.key.turn;
        let places = table.seat_folders();
        let hearing = listens.map(|to| RedactingListener::new(table.shared_redactor(), to));
        let hears = hearing
            .as_ref()
            .map(|hearing| hearing as &dyn OutputListener);
        let (said, mut after) = self.ask_agent(&table, &cancel, hears).await;
        let changed = match places {
            None => Vec::new(),
            Some(places) => {
                if let SessionAfterCall::Over(session) = &mut after {
                    // Wait until the tool has ended, because it may change files until then.
                    session.close().await;
                }
                let changed = changed_files(&places, turn).await;
                let keeps_folder = matches!(&after, SessionAfterCall::On(_)) && changed.is_empty();
                if !keeps_folder {
                    after = after.into_ended().await;
                    return_folder(&places, turn).await;
                }
                changed
            }
        };
        let changed = redacted_changed_files(&table, changed);
        CallOutcome {
            said,
            changed,
            after,
        }
    }

    async fn ask_agent(
        self,
        table: &RunContext,
        cancel: &CancellationToken,
        hears: Option<&dyn OutputListener>,
    ) -> (CallReply, SessionAfterCall) {
        let started = Instant::now();
        let Self {
            asked,
            prompt,
            schema,
            interview,
            after,
            mut lent,
        } = self;
        let key = asked.key;
        let unused =
            |lent: Option<SessionLease>| match lent.and_then(SessionLease::into_unused_session) {
                Some(session) => SessionAfterCall::Over(session),
                None => SessionAfterCall::None,
            };
        tokio::select! {
            () = sleep(after) => {}
            () = cancel.cancelled() => {
                return (failed_call_reply(key, Class::Cancelled, cancelled_cause(), started), unused(lent));
            }
        }
        let Some(agent) = table.agent(&asked.tool) else {
            let detail = format!("there is no agent for {}", asked.tool);
            let cause = Cause {
                code: CauseCode::NotInstalled,
                detail,
            };
            return (
                failed_call_reply(key, Class::User, cause, started),
                unused(lent),
            );
        };
        let folder = match seat_folder(table, key).await {
            Ok(folder) => folder,
            Err(cause) => {
                let cause = redact_cause(table, cause);
                return (
                    failed_call_reply(key, Class::User, cause, started),
                    unused(lent),
                );
            }
        };
        let open = || agent.open(table.watch());
        let mut session = match &mut lent {
            Some(lent) => lent.take_or_open(open),
            None => open(),
        };
        let ask = Ask {
            prompt: &prompt,
            model: asked.model.as_deref(),
            effort: asked.effort,
            timeout: Duration::from_millis(asked.timeout_ms),
            reads: folder.as_deref(),
            hears,
            schema: schema.as_ref(),
            interview: interview.as_ref(),
        };
        let answer = session.ask(ask, cancel).await;
        let own = OwnFolders {
            reads: folder.as_deref(),
            private: agent.private_places(),
        };
        let after = match (&answer, lent) {
            (Ok(answer), Some(lent)) if session.retains_context() => {
                SessionAfterCall::On(lent.into_saved(session, &asked, answer.text.len()))
            }
            (Ok(_) | Err(_), _) => SessionAfterCall::Over(session),
        };
        (sanitized_reply(table, key, answer, started, &own), after)
    }
}

/// The folders that a tool ran in, which must not appear in the record.
struct OwnFolders<'a> {
    /// The folder that it read in.
    reads: Option<&'a Path>,
    /// The parent of other folders that it was given.
    private: Option<PrivatePlaces>,
}

impl OwnFolders<'_> {
    /// Returns `text` without the paths of these folders.
    fn remove_from(&self, text: &str) -> String {
        let text = match self.reads {
            Some(folder) => strip_folder_paths(text, folder),
            None => Cow::Borrowed(text),
        };
        match &self.private {
            Some(places) => strip_private_paths(&text, places).into_owned(),
            None => text.into_owned(),
        }
    }
}

/// Returns the outcome of a call without secrets and without the names of `own` folders.
fn sanitized_reply(
    table: &RunContext,
    key: AskKey,
    answer: Result<AgentAnswer, AgentError>,
    started: Instant,
    own: &OwnFolders<'_>,
) -> CallReply {
    match answer {
        Ok(answer) if answer.text.len() > MAX_REPLY_BYTES => CallReply::Lost(Lost {
            key,
            class: Class::Tool,
            cause: Cause {
                code: CauseCode::TooLarge,
                detail: format!(
                    "the reply is too long: {} bytes, the limit is {MAX_REPLY_BYTES}",
                    answer.text.len()
                ),
            },
            usage: Some(answer.usage),
            took_ms: millis(answer.took),
            clock_ms: 0,
        }),
        Ok(answer) => {
            let text = unescape_printable(&answer.text);
            let text = own.remove_from(&text);
            let clean = table.redactor().redact(&text);
            CallReply::Given(Given {
                key,
                redacted: u32::try_from(clean.hits.len()).unwrap_or(u32::MAX),
                reply: Reply::Text(clean.text.into_owned()),
                usage: answer.usage,
                took_ms: millis(answer.took),
                clock_ms: 0,
                at_ms: None,
                stop_reason: answer
                    .stop_reason
                    .map(|word| sanitize_word(table.redactor(), &word, MAX_WORD)),
                model: answer
                    .model
                    .map(|name| sanitize_word(table.redactor(), &name, MAX_NAME))
                    .filter(|name| !name.is_empty()),
            })
        }
        Err(error) => CallReply::Lost(Lost {
            key,
            class: error.class(),
            cause: redact_cause(table, strip_folders_from_cause(own, error.cause())),
            usage: error.usage,
            took_ms: millis(started.elapsed()),
            clock_ms: 0,
        }),
    }
}

/// Maximum length of a reply, in bytes.
///
/// About 16,000 tokens, eight times what a call reserves for its reply. The moves of a longer reply
/// would be part of every later prompt, and a few such prompts would use up all tokens of a debate.
/// Such a reply is sent back as one without moves.
pub(crate) const MAX_REPLY_BYTES: usize = 64 * 1024;

fn strip_folders_from_cause(own: &OwnFolders<'_>, cause: Cause) -> Cause {
    Cause {
        detail: own.remove_from(&cause.detail),
        ..cause
    }
}

// More than twice the length of a stop reason such as `max_output_tokens`. Tested by
// `a_tools_own_word_is_recorded_short_and_without_secrets`.
/// Maximum length of a recorded word that a tool reports, such as its stop reason, in characters.
const MAX_WORD: usize = 40;

// The same limit as for a requested model (`is_model_name` in `agents/src/transport/call.rs`).
/// Maximum length of a recorded model name, in characters.
const MAX_NAME: usize = 128;

/// Prepares a word that a tool reported for the record: removes secrets and control characters, and
/// cuts it to `most` characters.
fn sanitize_word(redactor: &Redactor, word: &str, most: usize) -> String {
    let shows = strip_control_characters(&unescape_printable(word));
    let clean = redactor.redact(&shows).text;
    let letters = clean.chars().filter(|c| !c.is_control());
    letters.take(most).collect()
}

// Chosen, not measured: one file is enough to distrust a tool, the others help to investigate. The
// total is recorded too.
/// Maximum number of changed files named in the record.
const MAX_NAMED_FILES: usize = 20;

/// Returns the names of changed files for the record, without secrets and limited in number.
fn redacted_changed_files(table: &RunContext, mut changed: Vec<String>) -> Vec<String> {
    let more = changed.len().saturating_sub(MAX_NAMED_FILES);
    changed.truncate(MAX_NAMED_FILES);
    for path in &mut changed {
        let clean = table.redactor().redact(path).text.into_owned();
        *path = clean
            .chars()
            .filter(|c| !c.is_control())
            .take(200)
            .collect();
    }
    if more > 0 {
        changed.push(format!("and {more} more"));
    }
    changed
}

/// Returns the files that changed in the folder of `turn`'s seat. A check that panics counts as
/// having found no changes.
async fn changed_files(places: &Arc<dyn SeatFolders>, turn: TurnId) -> Vec<String> {
    let places = Arc::clone(places);
    let check = spawn_blocking(move || places.changed_files(turn));
    check.await.unwrap_or_default()
}

/// Returns the folder of `turn`'s seat. If that panics, the copy is removed.
async fn return_folder(places: &Arc<dyn SeatFolders>, turn: TurnId) {
    let places = Arc::clone(places);
    let returned = spawn_blocking(move || places.return_folder(turn));
    returned.await.unwrap_or_default();
}

/// Returns the folder that the tool of `key`'s seat reads in; `None` if it runs in an empty one.
async fn seat_folder(table: &RunContext, key: AskKey) -> Result<Option<PathBuf>, Cause> {
    let Some(places) = table.seat_folders() else {
        return Ok(None);
    };
    let made = spawn_blocking(move || places.folder(key.turn)).await;
    let made =
        made.unwrap_or_else(|_| Err("creating its working copy failed unexpectedly".to_owned()));
    made.map(Some).map_err(|why| Cause {
        code: CauseCode::Failed,
        detail: why.chars().filter(|c| !c.is_control()).take(200).collect(),
    })
}

fn redact_cause(table: &RunContext, cause: Cause) -> Cause {
    let detail = table.redactor().redact(&cause.detail).text.into_owned();
    Cause { detail, ..cause }
}

fn failed_call_reply(key: AskKey, class: Class, cause: Cause, started: Instant) -> CallReply {
    CallReply::Lost(Lost {
        key,
        class,
        cause,
        usage: None,
        took_ms: millis(started.elapsed()),
        clock_ms: 0,
    })
}

fn cancelled_cause() -> Cause {
    Cause {
        code: CauseCode::Cancelled,
        detail: "before the call was made".to_owned(),
    }
}

/// Returns the time limit of a call; for a judge, what is left of its time, but at least a second.
fn ask_timeout_ms(state: &State, effect: &Effect, within: Option<Duration>) -> u64 {
    let ask = within.map_or(state.spec.ask_timeout_ms, millis);
    if !effect.key.turn.seat.is_judge() {
        return ask;
    }
    judge_timeout_ms(state, ask, effect.after_ms).max(1_000)
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tools_own_word_is_recorded_short_and_without_secrets() {
        let redactor = Redactor::new();
        let recorded = |word: &str| sanitize_word(&redactor, word, MAX_WORD);
        assert_eq!(recorded("end_turn"), "end_turn");
        assert_eq!(recorded("stop\u{1b}[31m\r\nred\t"), "stopred");
        let key = concat!("sk-ant-", "api03-made-up-0123456789abcdefghijABCDEFGHIJ");
        for secret in [key.to_owned(), format!("{}\u{7}{}", &key[..20], &key[20..])] {
            let told = recorded(&secret);
            assert!(!told.contains("0123456789"), "{told}");
        }
        assert_eq!(recorded(&"word ".repeat(600_000)).chars().count(), MAX_WORD);
    }
}
