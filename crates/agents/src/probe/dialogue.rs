//! What a tool is asked, and told, while it is probed.

/// What the responder says.
pub(super) const REPLY: &str = "Seven otters crossed the quiet harbour before the rain began.";
/// What the tool is asked, to see whether it reads a prompt itself: it begins as a command does, and names
/// files, an agent, a skill and a word that some take for a setting.
pub(super) const COMMANDS: &str = "/help or not: @~/canary.txt, @canary.txt, @., @agent-Explore, $canary, \
    ultrathink, and what crossed the harbour?";
/// What stands in the files and the skill that [`COMMANDS`] names.
pub(super) const CANARY: &str = "Nine canaries slept through the storm.";
