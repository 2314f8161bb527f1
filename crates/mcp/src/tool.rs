//! The tools that the server offers.

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

/// The future result of a call.
pub(crate) type CallFuture<'a> = Pin<Box<dyn Future<Output = Result<Value, Failure>> + 'a>>;

/// A tool that the server offers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolSpec {
    /// Its name.
    pub(crate) name: &'static str,
    /// When to call it, and what it returns.
    pub(crate) description: &'static str,
    /// The schema of its arguments.
    pub(crate) input: fn() -> JsonObject,
    /// The top-level fields of its result.
    pub(crate) output: OutputFields,
    /// Its side effects.
    pub(crate) effect: Effect,
    /// The source of quoted text in its result, for the field `said_by`.
    pub(crate) quotes: Option<&'static str>,
    /// The maximum number of tokens of its result.
    pub(crate) max_tokens: usize,
    /// The function that runs it.
    pub(crate) call: for<'a> fn(&'a CallContext, Value) -> CallFuture<'a>,
}

/// The side effects of a tool, which hosts show when they ask for permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Only reads files on this machine.
    Reads,
    /// Calls models and writes none of the user's files.
    AsksModels,
    /// Calls models and writes a debate.
    Debates,
    /// Writes the state of a team.
    Team,
}

/// All tools, in the order of the list.
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

/// The additional tools for a member of a team.
pub(crate) const TEAM_TOOLS: &[ToolSpec] = &[task::TOOL, mail::TOOL, lock::TOOL, gate::TOOL];

/// Returns the tool with this name.
pub(crate) fn find_tool(name: &str) -> Option<&'static ToolSpec> {
    let all = TOOLS.iter().chain(TEAM_TOOLS);
    all.into_iter().find(|tool| tool.name == name)
}

/// Returns the failure for a missing parameter that the op requires.
pub(crate) fn missing_parameter(parameter: &str) -> Failure {
    let message = format!("missing `{parameter}`, which this op requires");
    Failure::new(Code::MissingParameter, message).parameter(parameter)
}

impl ToolSpec {
    /// Returns the declaration of the tool for clients.
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

/// Converts the arguments of a call to the type of the tool.
///
/// # Errors
///
/// If they are not: the failure names the parameter.
pub(crate) fn read_arguments<T: DeserializeOwned>(arguments: Value) -> Result<T, Failure> {
    T::deserialize(&arguments).map_err(|error| {
        let message = error.to_string();
        let named = wrong_parameter::<T>(&arguments, &message);
        let message = replace_rust_types(message);
        let message = match &named {
            Some(name) if !message.contains(&format!("`{name}`")) => {
                format!("`{name}`: {message}")
            }
            Some(_) | None => message,
        };
        let failure = Failure::new(Code::InvalidParameter, message)
            .hint("see the parameters of each tool in tools/list");
        match named {
            Some(name) => failure.parameter(name),
            None => failure,
        }
    })
}

/// Replaces Rust types in serde's error messages with the range of the number.
fn replace_rust_types(message: String) -> String {
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

/// Returns the parameter that `error` is about. Serde does not name it, but without that parameter
/// the error disappears or changes.
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

/// Returns a document as JSON, with the notes of the call.
///
/// # Errors
///
/// Returns an error if it cannot be written as JSON, which is a bug.
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

/// Returns the folder of the named or most likely debate; `notes` receives a note on the choice.
///
/// # Errors
///
/// Returns an error if there is none.
pub(crate) fn find_debate(
    context: &CallContext,
    named: Option<&str>,
    likely: choose::LikelyDebate,
    notes: &mut dyn Notes,
) -> Result<std::path::PathBuf, Failure> {
    choose::find_or_choose(&context.caller, named, likely, notes)
}

/// Parses the name of an AI tool.
///
/// # Errors
///
/// Returns an error if it is not a valid name.
pub(crate) fn tool_name(name: &str) -> Result<ToolName, Failure> {
    name.parse()
        .map_err(|error: <ToolName as std::str::FromStr>::Err| {
            Failure::from_error(Code::InvalidParameter, &error)
                .hint("list the tools with `status`, op tools")
        })
}
