//! One answer of one tool, without a debate.

use agon_caller::{Caller, Code, Failure, settings};
use agon_config::Settings;
use agon_debates::questions::consult::{self, ConsultFront};
use agon_debates::request::{ConsultRequest, StartRequest, ToolName};
use agon_seats::tools;

use crate::seated::SeatedTool;
use crate::usage::Used;

// Chosen, not measured: an answer with its reasons.
/// Tokens of an answer, besides its question.
const ANSWER_TOKENS: u64 = 1_000;
/// Bytes of a question for each token, as in English.
const BYTES_OF_TOKEN: usize = 4;

/// What a tool answered.
#[derive(Debug)]
pub(crate) struct Answered {
    /// The answer, without secrets, or why there is none.
    pub(crate) text: Result<String, Failure>,
    /// What it used, even if it failed.
    pub(crate) used: Used,
}

impl Answered {
    /// Returns the result of a call that was not made.
    pub(crate) fn failed(failure: Failure) -> Self {
        Self {
            text: Err(failure),
            used: Used::default(),
        }
    }
}

/// Returns the tool that answers `request`, and the tokens that it is expected to use.
///
/// # Errors
///
/// If the request names no tool, or an unknown one.
pub(crate) fn plan(
    settings: &Settings,
    request: &StartRequest,
) -> Result<(SeatedTool, u64), Failure> {
    let (tool, model) = tool_of(request)?;
    let known = tools::profile_names(settings)?;
    if !tools::is_tool_name(&known, tool.as_str()) {
        let message = format!("unknown tool `{tool}`");
        return Err(Failure::new(Code::UnknownTool, message).parameter("seats"));
    }
    let question = request.topic.len().div_ceil(BYTES_OF_TOKEN);
    let tokens = ANSWER_TOKENS.saturating_add(question as u64);
    Ok((SeatedTool { tool, model }, tokens))
}

/// Asks the tool.
///
/// # Errors
///
/// If it cannot be asked.
pub(crate) async fn ask(
    caller: &Caller,
    request: &StartRequest,
    front: &mut dyn ConsultFront,
) -> Result<Answered, Failure> {
    let settings = settings::read_settings(caller)?;
    let (tool, model) = tool_of(request)?;
    let [side, _] = &request.seats.sides;
    let effort = side.effort.or(request.seats.effort);
    let timeout = request.bounds.timeout.unwrap_or(settings.timeout);
    let question = ConsultRequest {
        models: model.into_iter().collect(),
        tools: vec![tool],
        effort: Some(effort.unwrap_or(settings.effort)),
        allow_secrets: request.allow_secrets,
        forget: true,
        transport: request.seats.transport,
        ..ConsultRequest::new(request.topic.clone(), timeout)
    };
    let consultation = consult::ask(caller, &question, front).await?;
    let Some(answer) = consultation.answers.into_iter().next() else {
        return Err(Failure::new(Code::Bug, "the tool was not asked"));
    };
    let usage = answer.usage.unwrap_or_default();
    let used = Used {
        calls: u32::from(answer.transport.is_some()),
        tokens: usage.total_tokens(),
        cost_micros: usage.cost_micros.unwrap_or_default(),
        ms: answer.took_ms(),
    };
    let text = answer.answer;
    Ok(Answered { text, used })
}

/// Returns the tool of `request` and its model.
pub(crate) fn tool_of(request: &StartRequest) -> Result<(ToolName, Option<String>), Failure> {
    let [side, _] = &request.seats.sides;
    let named = side.tool.as_ref().and_then(|name| name.parse().ok());
    let tool = named.ok_or_else(|| {
        Failure::new(Code::MissingParameter, "an answer needs the name of a tool")
            .parameter("seats")
    })?;
    Ok((tool, side.model.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(tool: Option<&str>) -> StartRequest {
        let mut request = StartRequest {
            topic: "x".repeat(400),
            ..StartRequest::default()
        };
        let [side, _] = &mut request.seats.sides;
        (side.tool, side.model) = (tool.map(str::to_owned), Some("m".to_owned()));
        request
    }

    #[test]
    fn an_answer_needs_a_known_tool_and_about_the_tokens_of_its_question() {
        let plan = |tool| plan(&Settings::default(), &request(tool));
        let (seated, tokens) = plan(Some("claude")).unwrap();
        assert_eq!(
            (seated.tool.as_str(), seated.model.as_deref()),
            ("claude", Some("m"))
        );
        assert_eq!(tokens, ANSWER_TOKENS + 100);
        assert_eq!(plan(None).unwrap_err().code, Code::MissingParameter);
        assert_eq!(plan(Some("clod")).unwrap_err().code, Code::UnknownTool);
    }
}
