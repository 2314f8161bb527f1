//! The machine-readable documents of `agon consult`.

use agon_caller::Code;
use agon_caller::hint::Words;
use agon_record::event::Usage;
use schemars::JsonSchema;
use serde::Serialize;
use ulid::Ulid;

use super::answer::ConsultAnswer;

/// The schema id of the answer of one tool.
pub const SCHEMA: &str = "agon.consult/1";
/// The schema id of the answers of several tools.
pub const SCHEMA_OF_SEVERAL: &str = "agon.consultations/1";

/// The answer of one tool.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConsultDoc {
    schema: &'static str,
    /// The id of the consult, for `--continue=ID`.
    id: String,
    tool: String,
    model: Option<String>,
    effort: &'static str,
    /// The transport; null if the tool was not called.
    transport: Option<String>,
    duration_ms: u64,
    /// The answer, without secrets; null if there is an error.
    response: Option<String>,
    /// The tool's own name for the conversation.
    session_id: Option<String>,
    /// Whether `--continue` can resume the conversation.
    continuable: bool,
    usage: Option<UsageDoc>,
    error: Option<ErrorDoc>,
}

/// The answers of several tools, in the order the tools were named.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConsultationsDoc {
    pub(super) schema: &'static str,
    pub(super) id: String,
    pub(super) answers: Vec<ConsultDoc>,
}

/// The usage of one call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct UsageDoc {
    input: u64,
    cached: u64,
    output: u64,
    /// Whether these are estimates, because the tool does not report usage.
    estimated: bool,
    /// US dollars, if the tool reports them.
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
    #[expect(clippy::cast_precision_loss, reason = "the cost of one call is small")]
    let dollars = |micros: u64| micros as f64 / 1e6;
    UsageDoc {
        input: usage.input,
        cached: usage.cached,
        output: usage.output,
        estimated: usage.estimated,
        cost: usage.cost_micros.map(dollars),
    }
}
