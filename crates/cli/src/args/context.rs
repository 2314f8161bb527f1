//! The flags of `agon context`.

use agon_health::{SessionChoice, SessionRequest};
use clap::Args;

/// Show whether the context of a session is still good.
#[derive(Clone, Debug, Args)]
#[command(after_help = CONTEXT)]
pub(crate) struct ContextArgs {
    /// The session: its id or the beginning of it, or its record; or a debate, or one seat of it as
    /// in job-store/proposer [default: the one this is run in, else the one of this project that was
    /// written last]
    #[arg(value_name = "SESSION", conflicts_with_all = ["last", "all"])]
    pub(crate) session: Option<String>,

    /// The session of this project that was written last, of any tool
    #[arg(long)]
    pub(crate) last: bool,

    /// Every session of this project and of the seats of debates, a line each, the latest 20
    #[arg(long, conflicts_with_all = ["last", "watch"])]
    pub(crate) all: bool,

    /// Only sessions of this tool: claude, codex, gemini, opencode, copilot; agon: of debates
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// Go on looking, and say how it stands whenever that has changed
    #[arg(long)]
    pub(crate) watch: bool,

    /// Print what a new session has to be told, as Markdown, and nothing else
    #[arg(long, conflicts_with_all = ["all", "watch"])]
    pub(crate) handover: bool,

    /// Print one line for the status line of Claude Code, whose JSON is read from stdin
    #[arg(long, conflicts_with_all = ["session", "last", "all", "host", "watch", "handover"])]
    pub(crate) statusline: bool,
}

impl ContextArgs {
    /// What is asked for.
    pub(crate) fn request(&self) -> SessionRequest {
        let choice = match &self.session {
            Some(name) => SessionChoice::Named(name.clone()),
            None if self.all => SessionChoice::All,
            None if self.last => SessionChoice::Last,
            None => SessionChoice::Own,
        };
        SessionRequest {
            choice,
            host: self.host.clone(),
        }
    }
}

const CONTEXT: &str = "\
Reads what Claude Code, Codex, Gemini CLI, OpenCode and Copilot record of their sessions, and writes
nothing to it. A session is green below the tokens from which on its model is expected to get worse,
amber from there on, red from where it is expected to be much worse. The figures are priors that say
where they are from; `limits` in a configuration file sets others. Where the last compaction came
after the last model call, nothing is known of the tokens.

In one session, what went wrong is looked for too: something false that is built upon, words of yours
that were lost in the middle, statements that exclude each other, calls of another task, much that was
loaded for nothing. What is found makes it amber or red, and the next step is prepared. A list and
--watch go by the tokens alone. --statusline prints the state, the tokens and the number of findings.

Of a debate the session of each seat is made from its record: what it was told, what it said, what
was looked up of it, and tokens as its tool reports them. What its tool did by itself is not recorded.
There fewer rules hold, since a debate is a dispute on purpose.

Examples:
  agon context                    the session that this is run in
  agon context --all              the sessions of this project
  agon context 4b55e364 --watch   one of them, as it goes on
  agon context job-store          the seats of a debate
  agon context --handover         what a new session has to be told
  agon context --last --json
  agon context --statusline < status.json";
