//! Parses `codex exec --json`: events; `turn.completed` means success.

use agon_record::event::{CauseCode, Usage};
use serde::Deserialize;

use super::{Dialect, DialectError, RawOutput, Reply, documents, read_plain_text};

/// Events that Codex prints.
#[derive(Debug)]
pub(super) struct Codex;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum CodexEvent {
    #[serde(rename = "thread.started")]
    Started { thread_id: String },
    #[serde(rename = "item.completed")]
    Item { item: CodexItem },
    #[serde(rename = "turn.completed")]
    Completed { usage: Option<CodexTokens> },
    #[serde(rename = "turn.failed")]
    Failed { error: CodexMessage },
    // Codex sends this for each retry, and repeats the last one as `turn.failed`.
    #[serde(rename = "error")]
    Error(CodexMessage),
    #[serde(other)]
    Other,
}

/// A finished item. One of type `error` is only a warning, such as a model without metadata.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum CodexItem {
    AgentMessage {
        text: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct CodexMessage {
    #[serde(default)]
    message: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct CodexTokens {
    input_tokens: u64,
    cached_input_tokens: u64,
    output_tokens: u64,
}

#[derive(Default)]
struct CodexTurn {
    thread: Option<String>,
    text: Option<String>,
    completed: bool,
    usage: Option<Usage>,
    error: Option<String>,
}

impl CodexTurn {
    fn is_empty(&self) -> bool {
        self.thread.is_none() && self.text.is_none() && !self.completed
    }
}

impl Dialect for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError> {
        let turn = parse_turn(output.stdout);
        if output.code == Some(0) && turn.completed {
            let text = turn.text.unwrap_or_default();
            if text.trim().is_empty() {
                return Err(DialectError::empty_reply().with_usage(turn.usage));
            }
            return Ok(Reply {
                text,
                usage: turn.usage,
                stop_reason: None,
                session_id: turn.thread,
                // Codex does not report the model in this format.
                model: None,
            });
        }
        let error = match turn.error {
            Some(message) => DialectError::from_message(None, &message),
            None if is_prompt_missing(output) => DialectError::bug("it was given no prompt"),
            None if turn.is_empty() => return read_plain_text(output),
            None => DialectError::from_exit(output),
        };
        Err(error.with_usage(turn.usage))
    }

    fn is_complete(&self, stdout: &[u8]) -> bool {
        let ends = |event| {
            matches!(
                event,
                CodexEvent::Completed { .. } | CodexEvent::Failed { .. }
            )
        };
        documents::parse_documents(stdout).into_iter().any(ends)
    }

    fn diagnose_timeout(&self, output: &RawOutput<'_>) -> Option<DialectError> {
        let error = DialectError::from_message(None, &parse_turn(output.stdout).error?);
        (error.code != CauseCode::Failed).then_some(error)
    }
}

fn parse_turn(stdout: &[u8]) -> CodexTurn {
    let mut turn = CodexTurn::default();
    for event in documents::parse_documents(stdout) {
        match event {
            CodexEvent::Started { thread_id } => turn.thread = Some(thread_id),
            CodexEvent::Item {
                item: CodexItem::AgentMessage { text },
            } => turn.text = Some(text),
            CodexEvent::Completed { usage } => {
                turn.completed = true;
                turn.usage = usage.map(|tokens| Usage {
                    input: tokens.input_tokens,
                    cached: tokens.cached_input_tokens,
                    output: tokens.output_tokens,
                    cost_micros: None,
                    estimated: false,
                });
            }
            CodexEvent::Failed { error } | CodexEvent::Error(error) => {
                turn.error = Some(error.message)
            }
            CodexEvent::Item { .. } | CodexEvent::Other => {}
        }
    }
    turn
}

fn is_prompt_missing(output: &RawOutput<'_>) -> bool {
    String::from_utf8_lossy(output.stderr_tail).contains("No prompt provided")
}
