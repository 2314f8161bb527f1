//! The document on sessions: `agon.context/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::examined_doc::ExaminedDoc;
use super::finding_doc::SessionFindingsDoc;
use super::state::ContextState;
use super::step_doc::NextStepDoc;

/// The name and version of the document.
pub const SESSION_HEALTH_SCHEMA: &str = "agon.context/1";

/// Sessions of AI tools, and whether their contexts are still good.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContextDoc {
    #[schemars(extend("const" = SESSION_HEALTH_SCHEMA))]
    schema: &'static str,
    /// The project whose sessions were looked for.
    pub project: String,
    /// The sessions, the one that was written last first.
    pub sessions: Vec<SessionHealthDoc>,
    /// Sessions that were found and not read, since there are too many.
    pub passed_over: usize,
}

impl ContextDoc {
    pub(super) fn new(
        project: String,
        sessions: Vec<SessionHealthDoc>,
        passed_over: usize,
    ) -> Self {
        Self {
            schema: SESSION_HEALTH_SCHEMA,
            project,
            sessions,
            passed_over,
        }
    }
}

/// One session.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SessionHealthDoc {
    /// The tool: `claude`, `codex`, `gemini`, `opencode`, `copilot`; `agon` for a seat of a debate.
    pub host: &'static str,
    /// The tool's id of it; of a seat the debate and the seat, such as `job-store/proposer`.
    pub id: String,
    /// How good its context is: the worst of its reasons.
    pub state: ContextState,
    /// Why, the worst first; with `green` nothing.
    pub reasons: Vec<ReasonDoc>,
    /// What the tool calls it.
    pub title: Option<String>,
    /// Its record.
    pub file: String,
    /// The folder it was held in.
    pub project: Option<String>,
    /// The tool's version.
    pub version: Option<String>,
    /// Models that answered, in the order in which they first did, those of sub-agents too.
    pub models: Vec<String>,
    /// The one that answered the main agent last: its limits hold.
    pub model: Option<String>,
    /// `new`, `fork` or `sub_agent`.
    pub origin: &'static str,
    /// The session that it is a fork or a sub-agent of.
    pub parent: Option<String>,
    /// When it began.
    pub started: Option<String>,
    /// When the last thing in it happened.
    pub last: Option<String>,
    /// Tokens that the context holds, as the tool counted them with its last model call, or as its
    /// record states them for a compaction since; none where it does not. Of a seat
    /// whose tool says only what a whole answer took, what Agon told it and was answered, about.
    pub fill: Option<u64>,
    /// What its model bears.
    pub limits: LimitsDoc,
    /// The user's prompts.
    pub turns: u32,
    /// Model calls of its main agent.
    pub calls: u32,
    /// What they took.
    pub tokens: SessionTokensDoc,
    /// Of a fork: what the calls took that it has from its parent; not in `tokens`.
    pub copied_tokens: u64,
    /// What summaries of compactions took, where the tool records it; not in `tokens`.
    pub compaction_tokens: u64,
    /// What sub-agents took that are in the same record; not in `tokens`.
    pub sub_agent_tokens: u64,
    /// Sub-agents it started.
    pub sub_agents: usize,
    /// Tool calls.
    pub tool_calls: u64,
    /// Those of them that failed.
    pub failures: u64,
    /// Those of the failures that the record has as a success, such as a command with an exit code.
    pub hidden_failures: u64,
    /// Its compactions.
    pub compactions: Vec<CompactionDoc>,
    /// How often its context was begun anew, and all told again: only of a seat of a debate.
    pub renewals: u32,
    /// Tokens in the context after model calls, at most 200 of them evenly over the session; none in
    /// a list.
    pub curve: Vec<CurvePointDoc>,
    /// What went wrong in it; nothing where that was not looked for: in a list, and where a session
    /// is followed.
    pub findings: Option<SessionFindingsDoc>,
    /// What a model found in it and Agon verified; nothing if it was not examined.
    pub examined: Option<ExaminedDoc>,
    /// What to do next; nothing where all is well or was not looked at.
    pub next_step: Option<NextStepDoc>,
    /// What a new session has to be told, as Markdown; only where it was asked for.
    pub handover: Option<String>,
    /// Its list of things to do, where the tool keeps one.
    pub plan: Vec<PlanItemDoc>,
    /// What could not be read.
    pub problems: Vec<ProblemDoc>,
    /// Bytes of the record that were read.
    pub bytes: u64,
    /// Bytes of a last line that is being written, or was cut off.
    pub unfinished: u64,
}

/// Why a context is not green.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReasonDoc {
    /// What was found: `tokens`, `stale`, or the pattern of a finding.
    pub pattern: &'static str,
    /// How bad it is.
    pub severity: ContextState,
    /// In words.
    pub words: String,
    /// Where it shows in the record: a line, or a row.
    pub place: Option<String>,
    /// The turn it shows in.
    pub turn: Option<u32>,
}

/// What a model bears.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LimitsDoc {
    /// The row that was taken: the beginning of a model's name, its family, or `*` for any other.
    pub model: String,
    /// Tokens of its window.
    pub window: u64,
    /// Whether that is known, from the record or the row.
    pub is_window_known: bool,
    /// Tokens from which on it gets worse.
    pub onset: u64,
    /// Tokens from which on it is much worse.
    pub severe: u64,
    /// Whether `severe` is a guess: past it a context is amber, not red.
    pub is_guess: bool,
    /// Where the figures are from.
    pub source: String,
    /// As of which day; of the configuration empty, unless it says one.
    pub as_of: String,
    /// How far to trust them: `low` of what was published, `guess` for a model that is not known; of the
    /// configuration the word that it gives, or `set` if it gives none.
    pub confidence: String,
}

impl LimitsDoc {
    /// How good a context with so many tokens is; by a guess amber at most.
    pub(crate) fn judge(&self, fill: u64) -> ContextState {
        let state = ContextState::of_fill(fill, self.onset, self.severe);
        match self.is_guess {
            true => state.min(ContextState::Amber),
            false => state,
        }
    }
}

/// Tokens of model calls; what was cached is part of the input, reasoning of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionTokensDoc {
    /// Sent.
    pub input: u64,
    /// Of it cached.
    pub cached: u64,
    /// Came back.
    pub output: u64,
    /// Of it reasoning, where the tool says so.
    pub reasoning: u64,
}

/// A compaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompactionDoc {
    /// Where it stands in the record.
    pub place: String,
    /// The model calls that came before it.
    pub after_call: u32,
}

/// Tokens in the context after a model call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CurvePointDoc {
    /// Which call, from 1.
    pub call: u32,
    /// The turn it belongs to.
    pub turn: u32,
    /// The tokens.
    pub fill: u64,
}

/// A thing to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlanItemDoc {
    /// What is to be done.
    pub text: String,
    /// `pending`, `in_progress`, `done`, `dropped` or `unknown`.
    pub state: &'static str,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProblemDoc {
    /// `damaged`, `too_long`, `unknown_kind`, `newer_version`, `tokens`, `missing_file` or
    /// `unreadable`.
    pub kind: &'static str,
    /// Where it was first met.
    pub place: Option<String>,
    /// What more is known of it.
    pub detail: Option<String>,
    /// How often it was met.
    pub count: u64,
}
