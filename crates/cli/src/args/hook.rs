//! The flags of `agon hook`.

use std::ffi::OsString;

use clap::Args;

use crate::args::hosts::host_choice;

/// Answer an AI tool before and after its model's acts.
#[derive(Clone, Debug, Args)]
#[command(after_help = HOOK)]
pub(crate) struct HookArgs {
    #[arg(value_name = "HOST", help = format!("The tool that asks: git, {}", host_choice()))]
    pub(crate) host: String,

    /// When: pre-edit, post-tool, stop, session-start or pre-compact; of git, pre-commit
    #[arg(value_name = "EVENT")]
    pub(crate) event: String,
}

impl HookArgs {
    /// The words of a bare call, as a host makes it.
    pub(crate) fn of_words(host: &OsString, event: &OsString) -> Option<Self> {
        let is_plain = |word: &&OsString| word.to_str().is_some_and(|word| !word.starts_with('-'));
        let text = |word: &OsString| word.to_string_lossy().into_owned();
        [host, event].iter().all(is_plain).then(|| Self {
            host: text(host),
            event: text(event),
        })
    }
}

const HOOK: &str = "\
It reads what the tool says on stdin, and prints what the tool takes for an answer: an edit of what
another member has locked is refused, with who has it and until when; after a tool it says how many
messages wait, and when the context of the session is amber or red, at most every ten prompts; the
end of a turn is refused once while a task is held and nothing is said of it, or after a command
wrote what another member has locked. Before the context is compacted it writes the hand-over of the
session (`agon context --handover`) to a file and names that file.
Where it fails itself it says so, and the edit is made. `agon install --what team` sets it up.

Examples:
  agon install claude --what team
  agon hook claude session-start < call.json";
