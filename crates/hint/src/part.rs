//! The parts of a hint.

/// A flag of the command line, with or without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The name without leading hyphens, such as `max-calls`.
    pub name: String,
    /// The value, if there is one.
    pub value: Option<String>,
}

impl Flag {
    /// Returns the flag for the command line, such as `--max-calls 8`.
    pub fn typed(&self) -> String {
        match &self.value {
            Some(value) => format!("--{} {value}", self.name),
            None => format!("--{}", self.name),
        }
    }
}

/// A command of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The command line after `agon`, such as `resume tabs`.
    pub line: String,
    /// Whether the command is shown in backticks.
    pub is_quoted: bool,
}

impl Command {
    /// Whether the command line has a flag.
    pub fn has_flags(&self) -> bool {
        self.line.split(' ').any(|word| word.starts_with("--"))
    }

    /// Returns the command to type, such as `agon resume tabs`.
    pub fn typed(&self) -> String {
        match self.is_quoted {
            true => format!("`agon {}`", self.line),
            false => format!("agon {}", self.line),
        }
    }
}

/// A part of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Text for every reader.
    Text(String),
    /// Flags that are given together.
    Flags(Vec<Flag>),
    /// A command.
    Command(Command),
}
