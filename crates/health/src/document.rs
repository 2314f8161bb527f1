//! The document about sessions: `agon.context/1`.

use schemars::JsonSchema;
use serde::Serialize;

use super::examined_doc::ExaminedDoc;
use super::finding_doc::SessionFindingsDoc;
use super::state::ContextState;
use super::step_doc::NextStepDoc;

/// The name and version of the document.
pub const SESSION_HEALTH_SCHEMA: &str = "agon.context/1";

/// Sessions of AI tools and the health of their contexts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContextDoc {
    #[schemars(extend("const" = SESSION_HEALTH_SCHEMA))]
    schema: &'static str,
    /// The project whose sessions are listed.
    pub project: String,
    /// The sessions, latest first.
    pub sessions: Vec<SessionHealthDoc>,
    /// Number of further sessions that were found but not read.
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

/// A session.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SessionHealthDoc {
    /// The tool: `claude`, `codex`, `gemini`, `opencode` or `copilot`; `agon` for a debate seat.
    pub host: &'static str,
    /// The tool's id; for a seat, the debate and the seat, such as `job-store/proposer`.
    pub id: String,
    /// The state of its context: the worst of its reasons.
    pub state: ContextState,
    /// The reasons, worst first; empty if `green`.
    pub reasons: Vec<ReasonDoc>,
    /// The tool's title.
    pub title: Option<String>,
    /// Its record file.
    pub file: String,
    /// Its working folder.
    pub project: Option<String>,
    /// The tool's version.
    pub version: Option<String>,
    /// Models that answered, in order of first use, including those of sub-agents.
    pub models: Vec<String>,
    /// The last model of the main agent, whose limits apply.
    pub model: Option<String>,
    /// `new`, `fork` or `sub_agent`.
    pub origin: &'static str,
    /// The session that it was forked or started from.
    pub parent: Option<String>,
    /// Its start time.
    pub started: Option<String>,
    /// The time of its last entry.
    pub last: Option<String>,
    /// Tokens in the context, by the tool's count after its last model call or a later compaction;
    /// null if unknown. For a seat whose tool reports only totals per answer, an estimate from the
    /// prompts and answers.
    pub fill: Option<u64>,
    /// The limits of its model.
    pub limits: LimitsDoc,
    /// Prompts of the user.
    pub turns: u32,
    /// Model calls of its main agent.
    pub calls: u32,
    /// Tokens of these calls.
    pub tokens: SessionTokensDoc,
    /// Tokens that a fork copied from its parent; not in `tokens`.
    pub copied_tokens: u64,
    /// Tokens of compaction summaries, if recorded; not in `tokens`.
    pub compaction_tokens: u64,
    /// Tokens of sub-agents in the same record; not in `tokens`.
    pub sub_agent_tokens: u64,
    /// Sub-agents that it started.
    pub sub_agents: usize,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tool calls that failed.
    pub failures: u64,
    /// Failed calls that the record calls a success, such as a command with a nonzero exit code.
    pub hidden_failures: u64,
    /// Its compactions.
    pub compactions: Vec<CompactionDoc>,
    /// Number of times the context was started again; only for debate seats.
    pub renewals: u32,
    /// Tokens in the context after model calls, at most 200 points across the session; empty in a
    /// list.
    pub curve: Vec<CurvePointDoc>,
    /// Findings of the rules; null in a list and with `--watch`.
    pub findings: Option<SessionFindingsDoc>,
    /// Verified findings of a model; null without an examination.
    pub examined: Option<ExaminedDoc>,
    /// The next step; null if the context is healthy or was not checked.
    pub next_step: Option<NextStepDoc>,
    /// The hand-over for a new session, as Markdown; only with `--handover`.
    pub handover: Option<String>,
    /// Its to-do list, if the tool has one.
    pub plan: Vec<PlanItemDoc>,
    /// Parts of the record that could not be read.
    pub problems: Vec<ProblemDoc>,
    /// Bytes read of the record.
    pub bytes: u64,
    /// Bytes of an incomplete last line.
    pub unfinished: u64,
}

/// A reason why a context is not green.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReasonDoc {
    /// `tokens`, `stale`, or the pattern of a finding.
    pub pattern: &'static str,
    /// Its severity.
    pub severity: ContextState,
    /// A sentence about it.
    pub words: String,
    /// Its line or row in the record.
    pub place: Option<String>,
    /// Its turn.
    pub turn: Option<u32>,
}

/// The token limits of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LimitsDoc {
    /// The matching row: the beginning of a model's name, its family, or `*` for any other.
    pub model: String,
    /// Tokens of its context window.
    pub window: u64,
    /// Whether the window is known from the record or the row.
    pub is_window_known: bool,
    /// Tokens from which results begin to get worse.
    pub onset: u64,
    /// Tokens from which results are unreliable.
    pub severe: u64,
    /// Whether `severe` is a guess. Beyond a guess, a context is amber instead of red.
    pub is_guess: bool,
    /// The source of the figures.
    pub source: String,
    /// The date of the figures; empty if the configuration gives none.
    pub as_of: String,
    /// The confidence in the figures: `low` for published figures, `guess` for an unknown model, or
    /// the word in the configuration (`set` without one).
    pub confidence: String,
}

impl LimitsDoc {
    /// Returns the state of a context with `fill` tokens; at most amber by a guess.
    pub(crate) fn judge(&self, fill: u64) -> ContextState {
        let state = ContextState::from_fill(fill, self.onset, self.severe);
        match self.is_guess {
            true => state.min(ContextState::Amber),
            false => state,
        }
    }
}

/// Tokens of model calls. Input includes cached tokens; output includes reasoning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionTokensDoc {
    /// Input tokens.
    pub input: u64,
    /// Cached input tokens.
    pub cached: u64,
    /// Output tokens.
    pub output: u64,
    /// Reasoning tokens, if the tool reports them.
    pub reasoning: u64,
}

/// A compaction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CompactionDoc {
    /// Its place in the record.
    pub place: String,
    /// Number of model calls before it.
    pub after_call: u32,
}

/// Tokens in the context after a model call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CurvePointDoc {
    /// The number of the call, from 1.
    pub call: u32,
    /// The turn it belongs to.
    pub turn: u32,
    /// The tokens.
    pub fill: u64,
}

/// A to-do item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlanItemDoc {
    /// The task.
    pub text: String,
    /// `pending`, `in_progress`, `done`, `dropped` or `unknown`.
    pub state: &'static str,
}

/// A part of the record that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProblemDoc {
    /// `damaged`, `too_long`, `unknown_kind`, `newer_version`, `tokens`, `missing_file` or
    /// `unreadable`.
    pub kind: &'static str,
    /// The place of its first occurrence.
    pub place: Option<String>,
    /// A detail.
    pub detail: Option<String>,
    /// Number of occurrences.
    pub count: u64,
}
