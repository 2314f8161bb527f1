//! Requests for questions about a debate, and for questions without a debate.

use agon_agents::profile::Transport;
use agon_record::id::Seat;
use agon_record::spec::{Effort, ToolName};
use serde::{Deserialize, Serialize};

/// A question about a debate, answered from its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InquiryRequest {
    /// The debate: a folder, a name or an id.
    pub debate: String,
    /// The question.
    pub question: String,
    /// The seat whose tool and model are asked; `None` means the judge.
    pub seat: Option<Seat>,
    /// The tool to ask.
    pub tool: Option<ToolName>,
    /// Its model.
    pub model: Option<String>,
    /// The reasoning effort.
    pub effort: Option<Effort>,
    /// Seconds for one answer.
    pub timeout: u64,
    /// The transport.
    pub transport: Option<Transport>,
}

impl InquiryRequest {
    /// Returns the question to the judge's tool, with a time limit in seconds.
    pub fn new(debate: String, question: String, timeout: u64) -> Self {
        Self {
            debate,
            question,
            seat: None,
            tool: None,
            model: None,
            effort: None,
            timeout,
            transport: None,
        }
    }
}

/// One question to several tools at once, without a debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsultRequest {
    /// The question.
    pub question: String,
    /// The tools; if empty, the tools of the continued consult, otherwise two that are logged in.
    pub tools: Vec<ToolName>,
    /// Their models, each `TOOL=MODEL`, or `MODEL` for a single tool.
    pub models: Vec<String>,
    /// The reasoning effort.
    pub effort: Option<Effort>,
    /// The context: `none`, `diff`, `commit=A..B`, or `file=PATH`, `dir=DIR` and `session` or
    /// `session=ID`, several of them separated by
    /// [`CONTEXT_SEPARATOR`](super::CONTEXT_SEPARATOR).
    pub context: String,
    /// Whether to send a question or context that seems to contain a secret.
    pub allow_secrets: bool,
    /// The consult to continue; an empty text means the project's last one.
    pub continued: Option<String>,
    /// Whether to store nothing, so that it cannot be continued.
    #[serde(skip)]
    pub forget: bool,
    /// Seconds for an answer.
    pub timeout: u64,
    /// The transport.
    pub transport: Option<Transport>,
}

impl ConsultRequest {
    /// Returns the question to two logged-in tools, with a time limit for each answer in seconds.
    pub fn new(question: String, timeout: u64) -> Self {
        Self {
            question,
            tools: Vec::new(),
            models: Vec::new(),
            effort: None,
            context: "none".to_owned(),
            allow_secrets: false,
            continued: None,
            forget: false,
            timeout,
            transport: None,
        }
    }
}
