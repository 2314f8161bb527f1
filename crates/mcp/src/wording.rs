//! Wording of flags and commands in tool calls: as parameters of the tool and as other calls.

use agon_caller::hint::{Command, Flag, Hint, Words};
use agon_caller::{ErrorDoc, Failure};
use serde_json::Value;

use crate::tool::ToolSpec;

/// The hint of a failure if no step of the original hint is possible for the client.
const NOTHING_TO_GIVE: &str =
    "no parameter of this tool can fix that; tools/list shows the parameters of each tool";

/// Flags whose parameter has another name, with the text for that parameter.
const RENAMED: [(&str, &str, &str); 4] = [
    ("quick", "depth", "depth quick"),
    ("deep", "depth", "depth deep"),
    ("tool", "tools", "tools"),
    ("note", "text", "text"),
];

/// The wording for calls of one tool.
#[derive(Clone, Debug)]
pub(crate) struct CallWords {
    parameters: Vec<String>,
}

impl CallWords {
    /// Returns the wording for the tool `spec`.
    pub(crate) fn of_tool(spec: &ToolSpec) -> Self {
        let schema = (spec.input)();
        let properties = schema.get("properties").and_then(Value::as_object);
        Self {
            parameters: properties
                .into_iter()
                .flat_map(|all| all.keys().cloned())
                .collect(),
        }
    }

    /// Returns the document of a failure, in terms of the call's parameters.
    pub(crate) fn error_document(&self, mut failure: Failure) -> ErrorDoc {
        if failure
            .hint
            .as_ref()
            .is_some_and(|hint| hint.worded(self).is_none())
        {
            failure.hint = Some(Hint::new(NOTHING_TO_GIVE));
        }
        failure.parameter = failure
            .parameter
            .map(|name| self.parameter(&name).unwrap_or(name));
        failure.document(self)
    }

    /// Returns the wording of the flag `name` as a parameter of the tool.
    fn parameter(&self, name: &str) -> Option<String> {
        let own = name.replace('-', "_");
        if self.parameters.contains(&own) {
            return Some(own);
        }
        let known = |name: &str| self.parameters.iter().any(|it| it == name);
        let mut renamed = RENAMED.iter();
        let found = renamed.find(|(flag, parameter, _)| *flag == name && known(parameter));
        found.map(|(_, _, words)| (*words).to_owned())
    }
}

impl Words for CallWords {
    fn flag(&self, flag: &Flag) -> Option<String> {
        let parameter = self.parameter(&flag.name)?;
        Some(match &flag.value {
            Some(value) => format!("{parameter} {value}"),
            None => parameter,
        })
    }

    fn command(&self, command: &Command) -> Option<String> {
        if command.line == "team status" {
            return Some("`task` with op list".to_owned());
        }
        if let Some(task) = command.line.strip_prefix("team task why ") {
            return Some(format!("`task` with op show: `{task}`"));
        }
        // A call cannot pass command-line flags, so a command with flags is left out.
        (!command.has_flags()).then(|| command.typed())
    }

    fn between_flags(&self) -> &'static str {
        ", "
    }
}

#[cfg(test)]
mod tests;
