//! `debate_result`: returns the verdict, or a section of the record.

use agon_debates::read::evidence::{EvidenceRequest, evidence};
use agon_debates::read::section::Section;
use agon_debates::read::show;
use agon_tokens::count_tokens;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::output::OutputFields;
use super::{CallFuture, Effect, ToolSpec, read_arguments, with_notes};
use crate::context::CallContext;
use crate::fit::MAX_TOKENS;
use crate::front::Collected;
use crate::schema::input_schema;

/// The fields of the verdict; a section has some of them.
const FIELDS: OutputFields = &[
    "schema",
    "id",
    "debate",
    "topic",
    "format",
    "phase",
    "fixed_line",
    "answer",
    "headline",
    "winner",
    "winner_tool",
    "one_sided",
    "replaced",
    "why",
    "do_next",
    "unless",
    "decided",
    "hangs_on",
    "graph_hangs_on",
    "conceded",
    "open",
    "agreements",
    "disagreements",
    "quality",
    "rigor",
    "authority",
    "stability",
    "citations",
    "citations_wrong",
    "support",
    "unsupported",
    "findings",
    "usage",
    "totals",
    "arguments",
    "left_out",
    "awaits",
    "paths",
    "reused",
    "said_by",
    "notes",
];

pub(super) const TOOL: ToolSpec = ToolSpec {
    name: "debate_result",
    description: "Get the verdict: answer, why, do_next, unless, what it depends on, concessions, \
        authority (trust only `full` without checking), stability, wrong citations. Or get a \
        section of the record, from an entry on.",
    input: input_schema::<Want>,
    output: FIELDS,
    effect: Effect::Reads,
    quotes: Some("the tools in the seats of the debate, its topic and the files that they cite"),
    max_tokens: MAX_TOKENS,
    call: |context, arguments| -> CallFuture<'_> { Box::pin(result(context, arguments)) },
};

/// A section of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum RecordSection {
    Transcript,
    Evidence,
    Findings,
    Arguments,
    Synthesis,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Want {
    /// Name or id [default: the latest]
    debate: Option<String>,
    section: Option<RecordSection>,
    /// The first entry of the section, from 0
    #[serde(default)]
    from: usize,
    #[expect(dead_code, reason = "read by the service, in `folder::choose_project`")]
    project: Option<String>,
}

async fn result(context: &CallContext, arguments: Value) -> Result<Value, agon_caller::Failure> {
    let want: Want = read_arguments(arguments)?;
    let mut front = Collected::new(context.cancel.clone());
    let debate = want.debate.as_deref();
    let section = match want.section {
        None => {
            let shown = show::show(&context.caller, debate, &mut front)?;
            return with_notes(&shown.ended.document(), &front);
        }
        Some(RecordSection::Evidence) => {
            let request = EvidenceRequest {
                debate: debate.map(str::to_owned),
                ..EvidenceRequest::default()
            };
            let found = evidence(&context.caller, request, &mut front)?;
            return Ok(page(with_notes(&found.document(), &front)?, want.from));
        }
        Some(RecordSection::Transcript) => Section::Transcript,
        Some(RecordSection::Findings) => Section::Findings,
        Some(RecordSection::Arguments) => Section::Arguments,
        Some(RecordSection::Synthesis) => Section::Synthesis,
    };
    let shown = show::show(&context.caller, debate, &mut front)?;
    Ok(page(
        with_notes(&shown.section(section, None), &front)?,
        want.from,
    ))
}

/// Tokens reserved for the fields with the start of a page, the remaining entries and the quoted
/// source.
const PAGE_TOKENS: usize = 70;

/// Returns the entries of a section that fit into a result, starting at `from`, and the number of
/// remaining entries.
fn page(mut document: Value, from: usize) -> Value {
    let Some(Value::Array(entries)) = document.get_mut("entries") else {
        return document;
    };
    let all = entries.len();
    let entries = std::mem::take(entries);
    let mut room = MAX_TOKENS.saturating_sub(count_tokens(&document.to_string()) + PAGE_TOKENS);
    let mut taken = Vec::new();
    for entry in entries.into_iter().skip(from) {
        let tokens = count_tokens(&entry.to_string());
        if tokens > room && !taken.is_empty() {
            break;
        }
        room = room.saturating_sub(tokens);
        taken.push(entry);
    }
    let left = all.saturating_sub(from + taken.len());
    document["entries"] = taken.into();
    document["from"] = from.into();
    document["left"] = left.into();
    document
}
