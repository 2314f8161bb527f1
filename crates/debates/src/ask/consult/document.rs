//! What a consult comes to, for programs.

use agon_caller::Code;
use agon_caller::hint::Words;
use agon_record::event::Usage;
use schemars::JsonSchema;
use serde::Serialize;
use ulid::Ulid;

use super::answer::ConsultAnswer;

/// The name and version of an answer.
pub const SCHEMA: &str = "agon.consult/1";
/// The name and version of several.
pub const SCHEMA_OF_SEVERAL: &str = "agon.consultations/1";

/// What one tool answered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConsultDoc {
    schema: &'static str,
    /// The consult, for `--continue=ID`.
    id: String,
    tool: String,
    model: Option<String>,
    effort: &'static str,
    /// None when it was not spoken to.
    transport: Option<String>,
    duration_ms: u64,
    /// The answer, without secrets; none when there is an error.
    response: Option<String>,
    /// The tool's own name for the conversation.
    session_id: Option<String>,
    /// Whether `--continue` can go on with it.
    continuable: bool,
    usage: Option<UsageDoc>,
    error: Option<ErrorDoc>,
}

/// What several tools answered, in the order in which they were named.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConsultationsDoc {
    pub(super) schema: &'static str,
    pub(super) id: String,
    pub(super) answers: Vec<ConsultDoc>,
}

/// What a call cost.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct UsageDoc {
    input: u64,
    cached: u64,
    output: u64,
    /// Whether these are our guess, because the tool reports none.
    estimated: bool,
    /// US dollars, where the tool reports them.
    cost: Option<f64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ErrorDoc {
    code: Code,
    message: String,
    hint: String,
}

pub(super) fn document(
    id: Ulid,
    is_kept: bool,
    answer: &ConsultAnswer,
    words: &dyn Words,
) -> ConsultDoc {
    let conversation = answer.conversation_to_keep();
    ConsultDoc {
        schema: SCHEMA,
        id: id.to_string(),
        tool: answer.tool.to_string(),
        model: answer.model.clone(),
        effort: answer.effort.name(),
        transport: answer.transport.clone(),
        duration_ms: answer.took_ms(),
        response: answer.answer.as_ref().ok().cloned(),
        continuable: is_kept && conversation.is_some(),
        session_id: conversation.map(|conversation| conversation.session),
        usage: answer.usage.map(usage),
        error: answer.answer.as_ref().err().map(|failure| {
            let hint = failure.hint.as_ref().and_then(|hint| hint.worded(words));
            ErrorDoc {
                code: failure.code,
                message: failure.message.clone(),
                hint: hint.unwrap_or_default(),
            }
        }),
    }
}

fn usage(usage: Usage) -> UsageDoc {
    #[expect(clippy::cast_precision_loss, reason = "a sum of money for one call")]
    let dollars = |micros: u64| micros as f64 / 1e6;
    UsageDoc {
        input: usage.input,
        cached: usage.cached,
        output: usage.output,
        estimated: usage.estimated,
        cost: usage.cost_micros.map(dollars),
    }
}
