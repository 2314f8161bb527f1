//! What a consult comes to: for people a section each, for programs a document.

use agon_record::event::Usage;
use agon_report::text::clock;
use schemars::JsonSchema;
use serde::Serialize;
use ulid::Ulid;

use super::asked::Came;
use crate::args::Global;
use crate::edge::Edge;
use crate::error::{Exit, Failure};
use crate::output::{DIM, Out, STRONG, styled};

/// The name and version of an answer.
pub(crate) const SCHEMA: &str = "agon.consult/1";
/// The name and version of several.
pub(crate) const SCHEMA_OF_SEVERAL: &str = "agon.consultations/1";

/// What one tool answered.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ConsultDoc {
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
#[derive(Serialize, JsonSchema)]
pub(crate) struct ConsultationsDoc {
    schema: &'static str,
    id: String,
    answers: Vec<ConsultDoc>,
}

/// What a call cost.
#[derive(Serialize, JsonSchema)]
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
#[derive(Serialize, JsonSchema)]
struct ErrorDoc {
    code: &'static str,
    message: String,
    hint: String,
}

/// Prints what came, and says how the program ends.
///
/// # Errors
///
/// If it cannot be printed; or with what kept the only tool from answering.
pub(super) fn print(
    edge: &Edge,
    global: &Global,
    (id, kept): (Ulid, bool),
    came: &[Came],
    out: &mut Out,
) -> Result<Exit, Failure> {
    let exit = exit(came);
    if global.json {
        let answers: Vec<_> = came.iter().map(|came| document(id, kept, came)).collect();
        match answers.as_slice() {
            [only] => out.json(only)?,
            _ => out.json(&ConsultationsDoc {
                schema: SCHEMA_OF_SEVERAL,
                id: id.to_string(),
                answers,
            })?,
        }
        return Ok(exit);
    }
    if let [only] = came {
        match &only.answer {
            Ok(text) => out.line(&format!("\n{text}"))?,
            Err(failure) => {
                let hint = failure.hint.clone();
                let failure = Failure::new(exit, failure.code, failure.message.clone());
                return Err(Failure { hint, ..failure }.parameter("tool"));
            }
        }
    } else {
        for came in came {
            out.line(&section(edge, came))?;
        }
    }
    if kept && came.iter().any(|came| came.kept().is_some()) {
        out.note(&styled(
            DIM,
            "\nagon consult --continue \"…\" goes on with it",
        ));
    }
    Ok(exit)
}

fn section(edge: &Edge, came: &Came) -> String {
    let took = clock(millis(came));
    let model = came.model.iter().map(|model| format!("{model} · "));
    let head = format!("━━ {} ━━", came.tool);
    let about = format!("{}{} · {took}", model.collect::<String>(), came.effort);
    let taken = head.chars().count() + about.chars().count() + 2;
    let rule = "━".repeat(edge.width.saturating_sub(taken).max(2));
    let body = match &came.answer {
        Ok(text) => text.clone(),
        Err(failure) => {
            let hint = failure.hint.iter().map(|hint| format!("\n  hint: {hint}"));
            format!("no answer: {}{}", failure.message, hint.collect::<String>())
        }
    };
    format!("\n{}{rule} {about}\n{body}", styled(STRONG, &head))
}

fn document(id: Ulid, kept: bool, came: &Came) -> ConsultDoc {
    let conversation = came.kept();
    ConsultDoc {
        schema: SCHEMA,
        id: id.to_string(),
        tool: came.tool.to_string(),
        model: came.model.clone(),
        effort: came.effort.name(),
        transport: came.transport.clone(),
        duration_ms: millis(came),
        response: came.answer.as_ref().ok().cloned(),
        continuable: kept && conversation.is_some(),
        session_id: conversation.map(|conversation| conversation.session),
        usage: came.usage.map(usage),
        error: came.answer.as_ref().err().map(|failure| ErrorDoc {
            code: failure.code,
            message: failure.message.clone(),
            hint: failure.hint.clone().unwrap_or_default(),
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

fn millis(came: &Came) -> u64 {
    u64::try_from(came.took.as_millis()).unwrap_or(u64::MAX)
}

/// 0 when somebody answered; 4 when there is nobody to ask.
fn exit(came: &[Came]) -> Exit {
    let failures = || came.iter().filter_map(|came| came.answer.as_ref().err());
    let nobody = |failure: &Failure| matches!(failure.code, "not_installed" | "logged_out");
    if failures().any(|failure| failure.exit == Exit::Cancelled) {
        Exit::Cancelled
    } else if failures().count() < came.len() {
        Exit::Done
    } else if failures().all(nobody) {
        Exit::Tool
    } else {
        Exit::NoVerdict
    }
}
