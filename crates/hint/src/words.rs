//! How the reader of a hint names flags and commands.

use std::fmt::Debug;

use crate::part::{Command, Flag};

/// How a front end names flags and commands to its user.
pub trait Words: Debug + Send + Sync {
    /// Words for a flag; none if this user cannot give it.
    fn flag(&self, flag: &Flag) -> Option<String>;

    /// Words for a command; none if this user cannot run it.
    fn command(&self, command: &Command) -> Option<String>;

    /// The text between two flags that are given together.
    fn between_flags(&self) -> &'static str;
}

/// The words of a terminal: flags and commands as they are typed.
#[derive(Clone, Copy, Debug, Default)]
pub struct CommandLine;

impl Words for CommandLine {
    fn flag(&self, flag: &Flag) -> Option<String> {
        Some(flag.typed())
    }

    fn command(&self, command: &Command) -> Option<String> {
        Some(command.typed())
    }

    fn between_flags(&self) -> &'static str {
        " "
    }
}
