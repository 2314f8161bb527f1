//! The tools that a client is offered.

mod ask;
mod consult;
mod gate;
mod lock;
mod mail;
mod output;
mod recall;
mod result;
mod start;
mod status;
mod steer;
mod task;
mod wait;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use agon_caller::{Code, Failure, Notes};
use agon_debates::request::ToolName;
use agon_debates::status::choose;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::de::DeserializeOwned;
use serde_json::Value;

use self::output::OutputFields;
use crate::context::CallContext;
use crate::front::Collected;

/// What comes of a call.
pub(crate) type CallFuture<'a> = Pin<Box<dyn Future<Output = Result<Value, Failure>> + 'a>>;

/// A tool that a client is offered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolSpec {
    /// What it is called by.
    pub(crate) name: &'static str,
    /// When to call it, and what comes back.
    pub(crate) description: &'static str,
    /// What it takes.
    pub(crate) input: fn() -> JsonObject,
    /// The top-level fields of what it gives.
    pub(crate) output: OutputFields,
    /// What it does to the world.
    pub(crate) effect: Effect,
    /// Whose words it gives, where they are of others; the result says so in `said_by`.
    pub(crate) quotes: Option<&'static str>,
    /// The most tokens of what it gives.
    pub(crate) max_tokens: usize,
    /// Does it.
    pub(crate) call: for<'a> fn(&'a CallContext, Value) -> CallFuture<'a>,
}

/// What a tool does to the world, as a host asks its user about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It only reads files of this machine.
    Reads,
    /// It asks models and writes nothing of the user's.
    AsksModels,
    /// It asks models and writes a debate.
    Debates,
    /// It writes the state of a team.
    Team,
}

/// Every tool, in the order in which they are listed.
pub(crate) const TOOLS: &[ToolSpec] = &[
    start::TOOL,
    wait::TOOL,
    result::TOOL,
    steer::TOOL,
    ask::TOOL,
    consult::TOOL,
    recall::TOOL,
    status::TOOL,
];

/// The tools that are listed besides where a team was joined.
pub(crate) const TEAM_TOOLS: &[ToolSpec] = &[task::TOOL, mail::TOOL, lock::TOOL, gate::TOOL];

/// The tool of this name.
pub(crate) fn find_tool(name: &str) -> Option<&'static ToolSpec> {
    let all = TOOLS.iter().chain(TEAM_TOOLS);
    all.into_iter().find(|tool| tool.name == name)
}

/// The failure of a call without a parameter that its op needs.
pub(crate) fn missing(parameter: &str) -> Failure {
    let message = format!("`{parameter}` is missing, which this op needs");
    Failure::new(Code::MissingParameter, message).parameter(parameter)
}

impl ToolSpec {
    /// The tool as a client lists it.
    pub(crate) fn declaration(&self) -> Tool {
        let annotations = ToolAnnotations::new()
            .read_only(self.effect == Effect::Reads)
            .destructive(false)
            .open_world(matches!(self.effect, Effect::AsksModels | Effect::Debates));
        Tool::new_with_raw(
            self.name,
            Some(self.description.into()),
            Arc::new((self.input)()),
        )
        .with_raw_output_schema(Arc::new(output::output_schema(self.output)))
        .with_annotations(annotations)
    }
}

/// The arguments of a call as their type has them.
///
/// # Errors
///
/// If they are not: the failure names the parameter.
pub(crate) fn read_arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, Failure> {
    T::deserialize(&arguments).map_err(|error| {
        let message = error.to_string();
        let named = wrong_parameter::<T>(&arguments, &message);
        let message = in_plain_words(message);
        let message = match &named {
            Some(name) if !message.contains(&format!("`{name}`")) => {
                format!("`{name}`: {message}")
            }
            Some(_) | None => message,
        };
        let failure = Failure::new(Code::InvalidParameter, message)
            .hint("tools/list has what each tool takes");
        match named {
            Some(name) => failure.parameter(name),
            None => failure,
        }
    })
}

/// What serde says of a number out of range, with the range in place of a type of Rust.
fn in_plain_words(message: String) -> String {
    let ranges = [
        ("expected u16", "expected 0 to 65535"),
        ("expected u32", "expected 0 to 4294967295"),
        ("expected u64", "expected 0 or more"),
        ("expected usize", "expected 0 or more"),
        ("expected i64", "expected a smaller number"),
    ];
    let ranges = ranges.iter();
    ranges.fold(message, |message, (rust, plain)| {
        message.replace(rust, plain)
    })
}

/// The parameter that `error` is about: what serde says of a value that does not fit does not name it,
/// but without the parameter it says something else or nothing.
fn wrong_parameter<T: DeserializeOwned>(arguments: &Value, error: &str) -> Option<String> {
    if error.starts_with("missing field") || error.starts_with("unknown field") {
        return error.split('`').nth(1).map(str::to_owned);
    }
    let names = arguments.as_object()?.keys();
    let mut names = names.filter(|name| {
        let mut rest = arguments.clone();
        if let Some(rest) = rest.as_object_mut() {
            rest.remove(*name);
        }
        T::deserialize(rest).map_or_else(|other| other.to_string() != error, |_| true)
    });
    names.next().cloned()
}

/// A document as JSON, with what is worth a word beside it.
///
/// # Errors
///
/// If it cannot be written as JSON, which is a bug.
pub(crate) fn with_notes(
    document: &impl serde::Serialize,
    front: &Collected,
) -> Result<Value, Failure> {
    let mut document =
        serde_json::to_value(document).map_err(|error| Failure::from_error(Code::Bug, &error))?;
    if !front.notes.is_empty()
        && let Value::Object(fields) = &mut document
    {
        fields.insert("notes".to_owned(), front.notes.clone().into());
    }
    Ok(document)
}

/// The folder of the debate that is meant, and a front that has what was said of the choice.
///
/// # Errors
///
/// If there is none.
pub(crate) fn find_debate(
    context: &CallContext,
    named: Option<&str>,
    likely: choose::LikelyDebate,
    notes: &mut dyn Notes,
) -> Result<std::path::PathBuf, Failure> {
    choose::find_or_choose(&context.caller, named, likely, notes)
}

/// The tool of this name.
///
/// # Errors
///
/// If a tool cannot be called that.
pub(crate) fn tool_name(name: &str) -> Result<ToolName, Failure> {
    name.parse()
        .map_err(|error: <ToolName as std::str::FromStr>::Err| {
            Failure::from_error(Code::InvalidParameter, &error)
                .hint("status with op tools lists the tools that are here")
        })
}
