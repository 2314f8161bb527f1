//! A server's complete answer.

use agon_record::event::{CauseCode, Class, Usage};
use genai::chat::{StopReason, StreamEnd};

use super::fault::{HttpAsk, HttpFault, broken_off_error, withheld_answer_error};
use crate::dialect::DialectError;
use crate::profile::Adapter;
use crate::transport::call::{MAX_WRITTEN, estimate};

/// A server's answer.
pub(super) struct HttpReply {
    pub(super) text: String,
    pub(super) usage: Usage,
    pub(super) stop_reason: Option<&'static str>,
}

impl HttpReply {
    /// Returns the answer of a stream that ended, if it is complete.
    pub(super) fn from_stream_end(
        end: &StreamEnd,
        text: &str,
        asked: HttpAsk<'_>,
    ) -> Result<Self, HttpFault> {
        let usage =
            usage(end).unwrap_or_else(|| estimate(asked.ask.prompt, text.len().min(MAX_WRITTEN)));
        let failed = |error: DialectError| {
            let usage = Some(usage);
            Err(DialectError { usage, ..error }.into())
        };
        match &end.captured_stop_reason {
            // With Gemini, `genai` treats the end of the connection as the end of the answer, so a
            // missing reason means that the answer is incomplete.
            None if asked.http.adapter == Adapter::Gemini => return failed(broken_off_error()),
            Some(StopReason::MaxTokens(_)) => {
                let what = "the answer was cut off at its length limit";
                return failed(DialectError::new(CauseCode::TooLarge, Class::Tool, what));
            }
            Some(StopReason::ContentFilter(_)) => return failed(withheld_answer_error()),
            _ => {}
        }
        let text = strip_thinking(text);
        if text.trim().is_empty() {
            return failed(DialectError::empty_reply());
        }
        Ok(Self {
            text: text.to_owned(),
            usage,
            stop_reason: end.captured_stop_reason.as_ref().map(stop_reason_name),
        })
    }
}

/// Returns a fixed word for why the answer ended, because the server's field may contain any text.
fn stop_reason_name(stop: &StopReason) -> &'static str {
    match stop {
        StopReason::Completed(_) => "stop",
        StopReason::MaxTokens(_) => "max_tokens",
        StopReason::ToolCall(_) => "tool_use",
        StopReason::ContentFilter(_) => "refusal",
        StopReason::StopSequence(_) => "stop_sequence",
        StopReason::Other(_) => "other",
    }
}

/// Removes the thinking that some models write before the answer.
fn strip_thinking(text: &str) -> &str {
    let thought = text.trim_start().strip_prefix("<think>");
    let rest = thought.and_then(|thought| Some(thought.split_once("</think>")?.1));
    rest.unwrap_or(text)
}

/// Returns the token usage that the server reported; `None` if it reported none.
fn usage(end: &StreamEnd) -> Option<Usage> {
    let usage = end.captured_usage.as_ref()?;
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let input = count(usage.prompt_tokens).filter(|tokens| *tokens > 0)?;
    let cached = usage.prompt_tokens_details.as_ref();
    let cached = cached.and_then(|details| count(details.cached_tokens));
    Some(Usage {
        input,
        cached: cached.unwrap_or_default().min(input),
        output: count(usage.completion_tokens).unwrap_or_default(),
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::strip_thinking;

    #[test]
    fn what_is_thought_aloud_is_no_answer() {
        assert_eq!(strip_thinking("\n<think>hm\n</think>\nYes."), "\nYes.");
        assert_eq!(
            strip_thinking("Yes <think>no</think>"),
            "Yes <think>no</think>"
        );
        assert_eq!(strip_thinking("<think>for ever"), "<think>for ever");
    }
}
