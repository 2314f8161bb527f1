//! The words of a front end for flags and commands.

use std::fmt::Debug;

use crate::part::{Command, Flag};

/// The words of a front end for flags and commands.
pub trait Words: Debug + Send + Sync {
    /// Returns the words for a flag; `None` if this user cannot give it.
    fn flag(&self, flag: &Flag) -> Option<String>;

    /// Returns the words for a command; `None` if this user cannot run it.
    fn command(&self, command: &Command) -> Option<String>;

    /// Returns the text between two flags of a group.
    fn between_flags(&self) -> &'static str;
}

/// The words of a terminal: flags and commands as the user types them.
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
