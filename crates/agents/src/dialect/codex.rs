//! `codex exec --json`: events, of which `turn.completed` is the sign of success.

use agon_record::event::{CauseCode, Usage};
use serde::Deserialize;

use super::{Dialect, DialectError, RawOutput, Reply, lines};

/// Codex's events.
#[derive(Debug)]
pub(super) struct Codex;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Event {
    #[serde(rename = "thread.started")]
    Started { thread_id: String },
    #[serde(rename = "item.completed")]
    Item { item: Item },
    #[serde(rename = "turn.completed")]
    Completed { usage: Option<Tokens> },
    #[serde(rename = "turn.failed")]
    Failed { error: Message },
    // One for each retry, and the last again as `turn.failed`.
    #[serde(rename = "error")]
    Error(Message),
    #[serde(other)]
    Other,
}

/// An item of type `error` is a warning, such as a model without metadata.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Item {
    AgentMessage {
        text: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    message: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Tokens {
    input_tokens: u64,
    cached_input_tokens: u64,
    output_tokens: u64,
}

#[derive(Default)]
struct Turn {
    thread: Option<String>,
    text: Option<String>,
    completed: bool,
    usage: Option<Usage>,
    error: Option<String>,
}

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError> {
        let turn = turn(output.stdout);
        if output.code == Some(0) && turn.completed {
            let text = turn.text.unwrap_or_default();
            if text.trim().is_empty() {
                return Err(DialectError::empty().with_usage(turn.usage));
            }
            return Ok(Reply {
                text,
                usage: turn.usage,
                stop_reason: None,
                session_id: turn.thread,
                // It does not say in this form.
                model: None,
            });
        }
        let error = match turn.error {
            Some(message) => DialectError::said(None, &message),
            None if no_prompt(output) => DialectError::bug("it was given no prompt"),
            None => DialectError::of_exit(output),
        };
        Err(error.with_usage(turn.usage))
    }

    fn is_complete(&self, stdout: &[u8]) -> bool {
        let ends = |event| match event {
            Event::Completed { .. } | Event::Failed { .. } => true,
            Event::Started { .. } | Event::Item { .. } | Event::Error(_) | Event::Other => false,
        };
        lines::events(stdout).any(ends)
    }

    fn stalled(&self, output: &RawOutput<'_>) -> Option<DialectError> {
        let error = DialectError::said(None, &turn(output.stdout).error?);
        (error.code != CauseCode::Failed).then_some(error)
    }
}

fn turn(stdout: &[u8]) -> Turn {
    let mut turn = Turn::default();
    for event in lines::events(stdout) {
        match event {
            Event::Started { thread_id } => turn.thread = Some(thread_id),
            Event::Item {
                item: Item::AgentMessage { text },
            } => turn.text = Some(text),
            Event::Completed { usage } => {
                turn.completed = true;
                turn.usage = usage.map(|tokens| Usage {
                    input: tokens.input_tokens,
                    cached: tokens.cached_input_tokens,
                    output: tokens.output_tokens,
                    cost_micros: None,
                    estimated: false,
                });
            }
            Event::Failed { error } | Event::Error(error) => turn.error = Some(error.message),
            Event::Item { item: Item::Other } | Event::Other => {}
        }
    }
    turn
}

fn no_prompt(output: &RawOutput<'_>) -> bool {
    String::from_utf8_lossy(output.stderr_tail).contains("No prompt provided")
}
