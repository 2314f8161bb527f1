//! The flags of `agon hook`.

use std::ffi::OsString;

use clap::Args;

use crate::args::hosts::join_host_names;

/// Hook entry point; AI tools call it before and after each tool use.
#[derive(Clone, Debug, Args)]
#[command(after_help = HOOK)]
pub(crate) struct HookArgs {
    #[arg(value_name = "HOST", help = format!("Calling program: git, {}", join_host_names()))]
    pub(crate) host: String,

    /// Event: pre-edit, post-tool, stop, session-start, pre-compact, plan-end or prompt; for git,
    /// pre-commit
    #[arg(value_name = "EVENT")]
    pub(crate) event: String,
}

impl HookArgs {
    /// Builds the arguments of a call with just two words, the form that hosts use.
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
Reads the tool's event from stdin, and prints the answer in the tool's format:

  pre-edit       refuses an edit of a file locked by another member, and says until when
  post-tool      reports new messages, and an amber or red context at most every ten prompts
  stop           refuses once to end a turn while a claimed task has no report, or after a
                 command wrote to a file locked by another member
  pre-compact    writes a hand-off file (`agon context --handover`), and names it
  prompt         lets the model offer a debate, if the prompt touches a topic of the key `costly`
  plan-end       lets other AI tools debate a plan, and refuses it once with their findings, if
                 `plan_review` is auto; with suggest, only offers that

If the hook itself fails, it prints a warning and lets the edit or the plan through; only `prompt`
fails silently. To set up hooks, run `agon install` with `--what team`, `--what plan-review` or
`--what suggest`.

Examples:
  agon install claude --what team
  agon hook claude session-start < call.json";
