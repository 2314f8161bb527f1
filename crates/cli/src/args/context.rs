//! The flags of `agon context`.

use agon_config::default;
use agon_debates::questions::examine::{ExamineRequest, ExaminerRequest};
use agon_debates::request::ToolName;
use agon_health::{SessionChoice, SessionRequest};
use clap::Args;

use super::complete::tool_completer;

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

    /// Let a model examine the session, and verify what it finds [default tool: one that is logged
    /// in, with its fast model]
    #[arg(long, value_name = "TOOL", num_args = 0..=1, conflicts_with_all = ["all", "watch", "handover", "statusline"])]
    #[arg(add = tool_completer())]
    pub(crate) examine: Option<Option<ToolName>>,

    /// Model of TOOL that examines
    #[arg(long, value_name = "MODEL", requires = "examine")]
    pub(crate) model: Option<String>,

    /// Try the model on 24 sessions that come with Agon, and print its precision and recall
    #[arg(long, requires = "examine", conflicts_with_all = ["session", "last", "host"])]
    pub(crate) self_test: bool,

    /// Ask the model without a question on the terminal
    #[arg(long, requires = "examine")]
    pub(crate) yes: bool,

    /// Limit an answer of the model to TIME, in seconds or as in 2m
    #[arg(
        long,
        value_name = "TIME",
        hide_short_help = true,
        requires = "examine"
    )]
    #[arg(default_value_t = default::ANSWER_TIMEOUT_S, value_parser = super::parse_timeout)]
    pub(crate) timeout: u64,
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

    /// The model that is to examine, if one is.
    pub(crate) fn examiner(&self) -> Option<ExaminerRequest> {
        let tool = self.examine.clone()?;
        Some(ExaminerRequest {
            tool,
            model: self.model.clone(),
            timeout: self.timeout,
        })
    }

    /// The examination of the session that is asked for.
    pub(crate) fn examination(&self, examiner: ExaminerRequest) -> ExamineRequest {
        ExamineRequest {
            session: self.request(),
            examiner,
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

--examine gives a model the session in numbered lines: your words, the model's, calls and outcomes,
without secrets, in parts of about 16,000 tokens. The model proposes findings, and Agon checks each of
them against the record: quotations, speakers, order, outcomes, what you withdrew or asked for later.
What cannot be verified is dropped and counted. What is verified makes the session amber, never red.
Answers are kept, so that a second look asks only about what is new.

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
  agon context --examine claude   let the fast model of Claude Code examine the session
  agon context --examine local --self-test
  agon context --statusline < status.json";
