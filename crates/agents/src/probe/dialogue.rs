//! The prompts and replies that are used while a tool is probed.

/// The responder's reply.
pub(super) const REPLY: &str = "Seven otters crossed the quiet harbour before the rain began.";
/// A prompt to test whether the tool interprets prompts itself: it begins like a command, and
/// mentions files, an agent, a skill and a word that some tools treat as a setting.
pub(super) const COMMANDS: &str = "/help or not: @~/canary.txt, @canary.txt, @., @agent-Explore, $canary, \
    ultrathink, and what crossed the harbour?";
/// The content of the files and the skill that [`COMMANDS`] mentions.
pub(super) const CANARY: &str = "Nine canaries slept through the storm.";
