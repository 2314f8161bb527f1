//! Parses `copilot --output-format json`: events, the last of which is `result`. The token usage is
//! in a separate file.

use std::collections::BTreeMap;

use agon_record::event::Usage;
use serde::Deserialize;

use super::{
    Dialect, DialectError, RawOutput, Reply, documents, model_with_most_output, read_plain_text,
};

/// Events that Copilot CLI prints.
#[derive(Debug)]
pub(super) struct Copilot;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum CopilotEvent {
    #[serde(rename = "assistant.message")]
    Message { data: CopilotMessage },
    #[serde(rename = "session.error")]
    Error { data: CopilotError },
    #[serde(rename = "result")]
    Result(CopilotOutcome),
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct CopilotMessage {
    #[serde(default)]
    content: String,
    model: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CopilotError {
    #[serde(default)]
    error_type: String,
    #[serde(default)]
    message: String,
    status_code: Option<u16>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CopilotOutcome {
    session_id: Option<String>,
    exit_code: i32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UsageFile {
    model_metrics: BTreeMap<String, Metrics>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metrics {
    usage: CopilotTokens,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct CopilotTokens {
    input_tokens: u64,
    output_tokens: u64,
    cache_read_tokens: u64,
}

impl Dialect for Copilot {
    fn name(&self) -> &'static str {
        "copilot"
    }

    fn read(&self, output: &RawOutput<'_>) -> Result<Reply, DialectError> {
        let (mut text, mut model) = (String::new(), None);
        let mut error = None;
        let mut outcome = None;
        for event in documents::parse_documents(output.stdout) {
            match event {
                // Skip a message without text: it only calls tools.
                CopilotEvent::Message { data } if !data.content.trim().is_empty() => {
                    (text, model) = (data.content, data.model);
                }
                CopilotEvent::Error { data } => error = Some(data),
                CopilotEvent::Result(last) => outcome = Some(last),
                CopilotEvent::Message { .. } | CopilotEvent::Other => {}
            }
        }
        if let Some(error) = error {
            let message = format!("{} {}", error.error_type, error.message);
            return Err(DialectError::from_message(error.status_code, &message));
        }
        match outcome {
            Some(outcome) if outcome.exit_code == 0 && output.code == Some(0) => {
                if text.is_empty() {
                    return Err(DialectError::empty_reply());
                }
                Ok(Reply {
                    text,
                    usage: None,
                    stop_reason: None,
                    session_id: outcome.session_id,
                    model,
                })
            }
            None if text.is_empty() => read_plain_text(output),
            Some(_) | None => Err(DialectError::from_exit(output)),
        }
    }

    fn is_complete(&self, stdout: &[u8]) -> bool {
        documents::parse_documents(stdout)
            .into_iter()
            .any(|event| matches!(event, CopilotEvent::Result(_)))
    }

    fn parse_usage_file(&self, bytes: &[u8]) -> Option<Usage> {
        let file: UsageFile = serde_json::from_slice(bytes).ok()?;
        let mut sum = Usage::default();
        for Metrics { usage } in file.model_metrics.values() {
            sum.input = sum.input.saturating_add(usage.input_tokens);
            sum.cached = sum.cached.saturating_add(usage.cache_read_tokens);
            sum.output = sum.output.saturating_add(usage.output_tokens);
        }
        (sum.total_tokens() > 0).then_some(sum)
    }

    fn parse_usage_file_model(&self, bytes: &[u8]) -> Option<String> {
        let file: UsageFile = serde_json::from_slice(bytes).ok()?;
        let models = file.model_metrics.into_iter();
        model_with_most_output(models.map(|(name, model)| (name, model.usage.output_tokens)))
    }
}
