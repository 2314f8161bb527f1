//! The flags of `agon context`.

use agon_config::default;
use agon_debates::questions::examine::{ExamineRequest, ExaminerRequest};
use agon_debates::request::ToolName;
use agon_health::{SessionChoice, SessionRequest};
use clap::Args;

use super::complete::tool_completer;

/// Check whether the context of an AI tool's session is still good.
#[derive(Clone, Debug, Args)]
#[command(after_help = CONTEXT)]
pub(crate) struct ContextArgs {
    /// Session: id or its beginning, file, debate, or seat such as job-store/proposer [default:
    /// the session that runs this command, else the latest]
    #[arg(value_name = "SESSION", conflicts_with_all = ["last", "all"])]
    pub(crate) session: Option<String>,

    /// Check the latest session of this project, of any tool
    #[arg(long)]
    pub(crate) last: bool,

    /// List the latest 20 sessions of this project, including seats of debates, one per line
    #[arg(long, conflicts_with_all = ["last", "watch"])]
    pub(crate) all: bool,

    /// Check only sessions of this tool: claude, codex, gemini, opencode or copilot; agon for
    /// debates
    #[arg(long, value_name = "HOST")]
    pub(crate) host: Option<String>,

    /// Keep watching, and report every change of state
    #[arg(long)]
    pub(crate) watch: bool,

    /// Print only the hand-off to a new session, as Markdown
    #[arg(long, conflicts_with_all = ["all", "watch"])]
    pub(crate) handover: bool,

    /// Print one line for Claude Code's status line; reads its JSON from stdin
    #[arg(long, conflicts_with_all = ["session", "last", "all", "host", "watch", "handover"])]
    pub(crate) statusline: bool,

    /// Let a model examine the session, and verify its findings [default: the fast model of a
    /// logged-in tool]
    #[arg(long, value_name = "TOOL", num_args = 0..=1, conflicts_with_all = ["all", "watch", "handover", "statusline"])]
    #[arg(add = tool_completer())]
    pub(crate) examine: Option<Option<ToolName>>,

    /// Model of TOOL that examines
    #[arg(long, value_name = "MODEL", requires = "examine")]
    pub(crate) model: Option<String>,

    /// Test the model on 24 sessions included with Agon, and print its precision and recall
    #[arg(long, requires = "examine", conflicts_with_all = ["session", "last", "host"])]
    pub(crate) self_test: bool,

    /// Call the model without asking first
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
    /// Returns the chosen session.
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

    /// Returns the model that examines the session, if one is requested.
    pub(crate) fn examiner(&self) -> Option<ExaminerRequest> {
        let tool = self.examine.clone()?;
        Some(ExaminerRequest {
            tool,
            model: self.model.clone(),
            timeout: self.timeout,
        })
    }

    /// Returns the request to examine the chosen session.
    pub(crate) fn examination(&self, examiner: ExaminerRequest) -> ExamineRequest {
        ExamineRequest {
            session: self.request(),
            examiner,
        }
    }
}

const CONTEXT: &str = "\
Reads the session files of Claude Code, Codex, Gemini CLI, OpenCode and Copilot, and never writes
to them. Each model has two limits in tokens. A session is amber from the first, where the model
is expected to get worse, and red from the second, where it is expected to be much worse. The
built-in limits are estimates with sources; `limits` in a configuration file changes them. After a
compaction, the tokens are unknown until the next model call.

For a single session, Agon also reports false claims the model built on, forgotten instructions,
contradictions, off-task work and unused context. A finding makes the session amber or red, and
Agon prepares the next step. Lists and --watch use only the tokens. --statusline prints the state,
the tokens and the number of findings.

--examine sends a model the session in numbered lines, without secrets, in parts of about 16,000
tokens: your words, the model's words, calls and results. The model proposes findings, and Agon
checks each one against the record: quotations, speakers, order, results, and later requests of
yours. Findings that cannot be verified are dropped and counted. Verified ones make the session
amber, never red. Agon stores the answers, so a second check only asks about new lines.

For a debate, Agon builds the session of each seat from the debate's record: prompts, replies,
checked citations, and the tokens that the tool reports. The tool's own actions are not recorded.
Fewer rules apply, because the sides of a debate are supposed to disagree.

Examples:
  agon context                    the session that runs this command
  agon context --all              the sessions of this project
  agon context 4b55e364 --watch   one session, while it continues
  agon context job-store          the seats of a debate
  agon context --handover         the hand-off to a new session
  agon context --last --json
  agon context --examine claude   let the fast model of Claude Code examine the session
  agon context --examine local --self-test
  agon context --statusline < status.json";
