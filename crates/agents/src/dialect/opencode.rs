//! Parses `opencode run --format json`: events. On success, the last `step_finish` has the reason
//! "stop".

use agon_record::event::Usage;
use serde::Deserialize;

use super::{
    Dialect, DialectError, RawOutput, Reply, documents, dollars_to_micros, read_plain_text,
};

/// Events that OpenCode prints.
#[derive(Debug)]
pub(super) struct Opencode;

#[derive(Deserialize)]
struct OpencodeLine {
    #[serde(rename = "sessionID")]
    session_id: Option<String>,
    #[serde(flatten)]
    event: OpencodeEvent,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OpencodeEvent {
    StepStart,
    Text {
        part: OpencodeText,
    },
    StepFinish {
        part: Finish,
    },
    Error {
        error: OpencodeError,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct OpencodeText {
    text: String,
}

#[derive(Deserialize)]
struct Finish {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    tokens: OpencodeTokens,
    cost: Option<f64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct OpencodeTokens {
    input: u64,
    output: u64,
    reasoning: u64,
    cache: Cache,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Cache {
    read: u64,
    write: u64,
}

#[derive(Deserialize)]
struct OpencodeError {
    #[serde(default)]
    name: String,
    #[serde(default)]
    data: Details,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Details {
    message: String,
    status_code: Option<u16>,
}

#[derive(Default)]
struct OpencodeTurn {
    session: Option<String>,
    texts: Vec<String>,
    finish: Option<String>,
    usage: Option<Usage>,
    error: Option<OpencodeError>,
}

impl Dialect for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError> {
        let turn = parse_turn(output.stdout);
        if let Some(error) = turn.error {
            let message = format!("{} {}", error.name, error.data.message);
            let error = DialectError::from_message(error.data.status_code, &message);
            return Err(error.with_usage(turn.usage));
        }
        let Some(finish) = turn.finish else {
            return match turn.texts.is_empty() {
                true => read_plain_text(output),
                false => Err(DialectError::from_exit(output)),
            };
        };
        if output.code != Some(0) {
            return Err(DialectError::from_exit(output).with_usage(turn.usage));
        }
        let text = turn.texts.join("\n\n");
        // "length" means that the model reached its own limit. The truncated reply still counts,
        // and its stop reason is passed on.
        if !matches!(finish.as_str(), "stop" | "length") {
            let error = DialectError::unreadable_output("it ended in the middle of an answer");
            return Err(error.with_usage(turn.usage));
        }
        if text.trim().is_empty() {
            return Err(DialectError::empty_reply().with_usage(turn.usage));
        }
        Ok(Reply {
            text,
            usage: turn.usage,
            stop_reason: Some(finish),
            session_id: turn.session,
            // OpenCode does not report the model in this format.
            model: None,
        })
    }

    fn is_complete(&self, stdout: &[u8]) -> bool {
        let ended = |ended, OpencodeLine { event, .. }| match event {
            OpencodeEvent::StepFinish { part } => matches!(part.reason.as_str(), "stop" | "length"),
            OpencodeEvent::StepStart | OpencodeEvent::Text { .. } => false,
            OpencodeEvent::Error { .. } | OpencodeEvent::Other => ended,
        };
        documents::parse_documents(stdout)
            .into_iter()
            .fold(false, ended)
    }

    /// Finds the cause of an endless retry: the service's responses are invalid.
    fn diagnose_timeout(&self, output: &RawOutput<'_>) -> Option<DialectError> {
        let turn = parse_turn(output.stdout);
        match turn.finish?.as_str() {
            "unknown" | "other" => Some(
                DialectError::unreadable_output(
                    "the service's responses are invalid, and the tool keeps retrying",
                )
                .with_usage(turn.usage),
            ),
            _ => None,
        }
    }
}

fn parse_turn(stdout: &[u8]) -> OpencodeTurn {
    let mut turn = OpencodeTurn::default();
    for OpencodeLine { session_id, event } in documents::parse_documents(stdout) {
        turn.session = session_id.or(turn.session);
        match event {
            OpencodeEvent::Text { part } => turn.texts.push(part.text),
            OpencodeEvent::StepFinish { part } => {
                add_step_usage(turn.usage.get_or_insert_default(), &part);
                turn.finish = Some(part.reason);
            }
            OpencodeEvent::Error { error } => turn.error = Some(error),
            OpencodeEvent::StepStart | OpencodeEvent::Other => {}
        }
    }
    turn.usage = turn.usage.filter(|usage| usage.total_tokens() > 0);
    turn
}

fn add_step_usage(sum: &mut Usage, step: &Finish) {
    let tokens = &step.tokens;
    let input = tokens
        .input
        .saturating_add(tokens.cache.read)
        .saturating_add(tokens.cache.write);
    sum.input = sum.input.saturating_add(input);
    sum.cached = sum.cached.saturating_add(tokens.cache.read);
    sum.output = sum
        .output
        .saturating_add(tokens.output)
        .saturating_add(tokens.reasoning);
    if let Some(cost) = step.cost.and_then(dollars_to_micros) {
        sum.cost_micros = Some(sum.cost_micros.unwrap_or(0).saturating_add(cost));
    }
}
