//! Hints: what to do about an error or a finding, in steps that each front end words for its user.
//!
//! A terminal names the flag `--timeout`; a call over a protocol names the parameter `timeout`, or
//! leaves the step out if it has no such parameter. A hint therefore keeps flags and commands as
//! [parts](Hint::flag), and [`Words`] turn them into text. Plain text converts into a hint of one
//! step; it must not contain a flag.
//!
//! ```
//! use agon_hint::{Hint, flag_with};
//!
//! let hint = Hint::new("try again").or("ask another tool with ").flag("tool");
//! assert_eq!(hint.typed(), "try again, or ask another tool with --tool");
//!
//! let hint = flag_with("max-calls", 8).text(" leaves room for the whole plan");
//! assert_eq!(hint.typed(), "--max-calls 8 leaves room for the whole plan");
//! ```

mod feature;
mod part;
mod words;

use std::fmt::Display;

pub use feature::full_build;
pub use part::{Command, Flag};
pub use words::{CommandLine, Words};

use part::Part;

/// Separates two steps if the user should take both.
const THEN: &str = "; ";
/// Separates two steps if the user should take one of them.
const OR: &str = ", or ";

/// A hint, in steps. A front end leaves out each step that its user cannot take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint {
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    /// The text between the preceding step and this one.
    joint: &'static str,
    parts: Vec<Part>,
}

/// Returns a hint that starts with a flag.
pub fn flag(name: impl Into<String>) -> Hint {
    Hint::default().flag(name)
}

/// Returns a hint that starts with a flag and its value.
pub fn flag_with(name: impl Into<String>, value: impl Display) -> Hint {
    Hint::default().flag_with(name, value)
}

/// Returns a hint that starts with the command `agon {line}`.
pub fn command(line: impl Into<String>) -> Hint {
    Hint::default().command(line)
}

/// Returns a hint that starts with the command `agon {line}` in backticks.
pub fn quoted(line: impl Into<String>) -> Hint {
    Hint::default().quoted(line)
}

impl Hint {
    /// Returns a hint that starts with `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    /// Whether the hint has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Adds text to the last step.
    #[must_use]
    pub fn text(self, text: impl Into<String>) -> Self {
        self.part(Part::Text(text.into()))
    }

    /// Adds a flag to the last step. Flags in a row are given together.
    #[must_use]
    pub fn flag(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.push_flag(Flag { name, value: None })
    }

    /// Adds a flag and its value to the last step. Flags in a row are given together.
    #[must_use]
    pub fn flag_with(self, name: impl Into<String>, value: impl Display) -> Self {
        let name = name.into();
        let value = Some(value.to_string());
        self.push_flag(Flag { name, value })
    }

    /// Adds the command `agon {line}` to the last step.
    #[must_use]
    pub fn command(self, line: impl Into<String>) -> Self {
        let line = line.into();
        self.part(Part::Command(Command {
            line,
            is_quoted: false,
        }))
    }

    /// Adds the command `agon {line}` in backticks to the last step.
    #[must_use]
    pub fn quoted(self, line: impl Into<String>) -> Self {
        let line = line.into();
        self.part(Part::Command(Command {
            line,
            is_quoted: true,
        }))
    }

    /// Adds what to do next: `; next`.
    #[must_use]
    pub fn then(self, next: impl Into<Self>) -> Self {
        self.join(THEN, next)
    }

    /// Adds what to do instead: `, or other`.
    #[must_use]
    pub fn or(self, other: impl Into<Self>) -> Self {
        self.join(OR, other)
    }

    /// Adds the steps of `next`. The text `joint` separates them from the preceding step.
    #[must_use]
    pub fn join(mut self, joint: &'static str, next: impl Into<Self>) -> Self {
        let next = next.into().steps.into_iter().enumerate();
        self.steps.extend(next.map(|(at, step)| match at {
            0 => Step { joint, ..step },
            _ => step,
        }));
        self
    }

    /// Adds all parts of `more` to the last step.
    #[must_use]
    pub fn append(self, more: Self) -> Self {
        let parts = more.steps.into_iter().flat_map(|step| step.parts);
        parts.fold(self, Self::part)
    }

    /// Replaces each step that equals `step` with `text`; `step` must have exactly one step.
    #[must_use]
    pub fn replace_step(mut self, step: &Self, text: &str) -> Self {
        let [wanted] = step.steps.as_slice() else {
            return self;
        };
        for step in &mut self.steps {
            if step.parts == wanted.parts {
                step.parts = vec![Part::Text(text.to_owned())];
            }
        }
        self
    }

    /// Returns the hint in the words of a terminal.
    pub fn typed(&self) -> String {
        self.worded(&CommandLine).unwrap_or_default()
    }

    /// Returns the hint in the words of a front end; `None` if its user can take none of the steps.
    pub fn worded(&self, words: &dyn Words) -> Option<String> {
        let mut text = None;
        let mut joint: Option<&str> = None;
        for step in &self.steps {
            // If a step is left out, the next step takes over its joint, unless that is an "or".
            joint = joint
                .filter(|joint| !is_alternative(joint))
                .or(Some(step.joint));
            let Some(worded) = step.worded(words) else {
                continue;
            };
            text = Some(match text {
                None => worded,
                Some(text) => format!("{text}{}{worded}", joint.unwrap_or_default()),
            });
            joint = None;
        }
        text
    }

    fn push_flag(mut self, flag: Flag) -> Self {
        let last = self.steps.last_mut().and_then(|step| step.parts.last_mut());
        if let Some(Part::Flags(flags)) = last {
            flags.push(flag);
            return self;
        }
        self.part(Part::Flags(vec![flag]))
    }

    fn part(mut self, part: Part) -> Self {
        match self.steps.last_mut() {
            Some(step) => step.parts.push(part),
            None => self.steps.push(Step {
                joint: THEN,
                parts: vec![part],
            }),
        }
        self
    }
}

impl Step {
    fn worded(&self, words: &dyn Words) -> Option<String> {
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Flags(flags) => {
                let flags: Option<Vec<_>> = flags.iter().map(|flag| words.flag(flag)).collect();
                Some(flags?.join(words.between_flags()))
            }
            Part::Command(command) => words.command(command),
        });
        parts.collect()
    }
}

fn is_alternative(joint: &str) -> bool {
    joint.trim_end().ends_with("or")
}

impl<T: Into<String>> From<T> for Hint {
    fn from(text: T) -> Self {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests;
