//! The prompts and replies with which a tool is probed.

/// The reply of the test server.
pub(super) const REPLY: &str = "Seven otters crossed the quiet harbour before the rain began.";
/// A prompt that shows whether a tool interprets prompts itself. It begins like a command, and
/// mentions files, an agent, a skill and a word that some tools treat as a setting.
pub(super) const COMMANDS: &str = "/help or not: @~/canary.txt, @canary.txt, @., @agent-Explore, $canary, \
    ultrathink, and what crossed the harbour?";
/// The content of the files and the skill that [`COMMANDS`] mentions. A request to the model that
/// contains it shows that the tool expanded such a mention.
pub(super) const CANARY: &str = "Nine canaries slept through the storm.";
