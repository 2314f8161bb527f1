//! What the application says to a person at a command line, in the words of a call.

use agon_caller::Failure;
use serde_json::Value;

use crate::tool::ToolSpec;

/// Stands where nothing of a hint is left.
const NOTHING_TO_GIVE: &str =
    "no parameter of this tool changes that; tools/list has what each tool takes";

/// Words of a command line that are called otherwise in a call.
const OTHERWISE: [(&str, &str, &str); 4] = [
    ("quick", "depth", "depth quick"),
    ("deep", "depth", "depth deep"),
    ("tool", "tools", "tools"),
    ("note", "text", "text"),
];

/// Commands that are a call of a tool, too.
const CALLS: [(&str, &str); 2] = [
    ("`agon team status`", "`task` with op list"),
    ("`agon team task why t", "`task` with op show: `t"),
];

/// The words of the calls of one tool.
#[derive(Clone, Debug)]
pub(crate) struct CallWords {
    parameters: Vec<String>,
}

impl CallWords {
    /// Those of the tool `spec`.
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

    /// A failure with parameters in place of flags. What a flag does that the call has not is left out
    /// of its hint.
    pub(crate) fn failure(&self, failure: Failure) -> Failure {
        let hint = failure.hint.as_deref();
        let hint = hint.map(|hint| {
            self.advice(hint)
                .unwrap_or_else(|| NOTHING_TO_GIVE.to_owned())
        });
        let parameter = failure
            .parameter
            .map(|name| self.parameter(&name).unwrap_or(name));
        Failure {
            message: self.statement(&failure.message),
            hint,
            parameter,
            ..failure
        }
    }

    /// A document whose hints and notes have parameters in place of flags.
    pub(crate) fn document(&self, mut document: Value) -> Value {
        self.translate_fields(&mut document);
        document
    }

    fn translate_fields(&self, value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match (name.as_str(), value) {
                        ("hint", Value::String(hint)) => {
                            *hint = self.advice(hint).unwrap_or_default();
                        }
                        ("notes", Value::Array(notes)) => {
                            notes.retain_mut(|note| match note {
                                Value::String(text) => match self.advice(text) {
                                    Some(advice) => {
                                        *text = advice;
                                        true
                                    }
                                    None => false,
                                },
                                _ => true,
                            });
                        }
                        (_, value) => self.translate_fields(value),
                    }
                }
            }
            Value::Array(all) => all
                .iter_mut()
                .for_each(|value| self.translate_fields(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// What is advised, without what the call cannot do; none where nothing is left.
    fn advice(&self, text: &str) -> Option<String> {
        let text = CALLS.iter().fold(text.to_owned(), |text, (typed, called)| {
            text.replace(typed, called)
        });
        let text = text.as_str();
        if !has_flag(text) {
            return Some(text.to_owned());
        }
        let clauses = text.split("; ").filter_map(|clause| {
            let ways = clause.split(", or ").filter_map(|way| {
                // A call has no command line, whatever its flags are.
                let is_command = way.contains("agon ") && has_flag(way);
                (!is_command).then(|| self.translate(way)).flatten()
            });
            let ways: Vec<_> = ways.collect();
            (!ways.is_empty()).then(|| ways.join(", or "))
        });
        let clauses: Vec<_> = clauses.collect();
        (!clauses.is_empty()).then(|| clauses.join("; "))
    }

    /// What is stated; a flag that the call does not have is named without its hyphens.
    fn statement(&self, text: &str) -> String {
        if !has_flag(text) {
            return text.to_owned();
        }
        let words = text.split(' ').map(|word| match flag_in(word) {
            None => word.to_owned(),
            Some(flag) => {
                let plain = self.parameter(flag).unwrap_or_else(|| flag.to_owned());
                word.replacen(&format!("--{flag}"), &plain, 1)
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// A clause with parameters in place of flags; none where it has a flag that the call has not.
    fn translate(&self, clause: &str) -> Option<String> {
        let mut words: Vec<String> = Vec::new();
        let mut has_one = false;
        for word in clause.split(' ') {
            let Some(flag) = flag_in(word) else {
                words.push(word.to_owned());
                continue;
            };
            let parameter = self.parameter(flag)?;
            // Of several, each with its value: a command line has blanks between them.
            if let Some(last) = words.last_mut()
                && has_one
                && word.starts_with('-')
                && last.ends_with(char::is_alphanumeric)
            {
                last.push(',');
            }
            has_one = true;
            words.push(word.replacen(&format!("--{flag}"), &parameter, 1));
        }
        Some(words.join(" "))
    }

    /// What the flag or parameter `name` is called in a call.
    fn parameter(&self, name: &str) -> Option<String> {
        let own = name.replace('-', "_");
        if self.parameters.contains(&own) {
            return Some(own);
        }
        let known = |name: &str| self.parameters.iter().any(|it| it == name);
        let mut otherwise = OTHERWISE.iter();
        let found = otherwise.find(|(flag, parameter, _)| *flag == name && known(parameter));
        found.map(|(_, _, words)| (*words).to_owned())
    }
}

fn has_flag(text: &str) -> bool {
    text.split(' ').any(|word| flag_in(word).is_some())
}

/// The name of the flag in a word, which may stand in brackets or quotes.
fn flag_in(word: &str) -> Option<&str> {
    let (before, after) = word.split_once("--")?;
    let is_start = before.chars().all(|c| !c.is_alphanumeric() && c != '-');
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '-';
    let end = after.find(ends).unwrap_or(after.len());
    let name = after.get(..end)?.trim_end_matches('-');
    (is_start && name.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name)
}

#[cfg(test)]
mod tests;
