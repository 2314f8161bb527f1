//! What is asked about a debate, or of tools outside any.

use agon_agents::profile::Transport;
use agon_record::id::Seat;
use agon_record::spec::{Effort, ToolName};
use serde::{Deserialize, Serialize};

/// Something is asked about a debate, to be answered from its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InquiryRequest {
    /// The debate: a folder, a name or an id.
    pub debate: String,
    /// The question.
    pub question: String,
    /// The seat whose tool and model are asked; the judge's where nothing is set.
    pub seat: Option<Seat>,
    /// The tool that is asked.
    pub tool: Option<ToolName>,
    /// Its model.
    pub model: Option<String>,
    /// How hard it thinks.
    pub effort: Option<Effort>,
    /// Seconds for one answer.
    pub timeout: u64,
    /// How it is spoken to.
    pub transport: Option<Transport>,
}

impl InquiryRequest {
    /// The question, asked of the judge's tool within so many seconds.
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

/// Several tools are asked one question at once, outside any debate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsultRequest {
    /// The question.
    pub question: String,
    /// The tools; those of the consult that goes on, else two that are logged in.
    pub tools: Vec<ToolName>,
    /// Their models, each `TOOL=MODEL`, or `MODEL` of the only tool.
    pub models: Vec<String>,
    /// How hard they think.
    pub effort: Option<Effort>,
    /// What they are given besides: `none`, `diff`, `commit=A..B`, or `file=PATH` and `dir=DIR`,
    /// several of them each in a line.
    pub context: String,
    /// Whether question and context are sent even if they seem to hold a secret.
    pub allow_secrets: bool,
    /// The consult that goes on; the last one of the project where this is empty.
    pub continued: Option<String>,
    /// Seconds for an answer.
    pub timeout: u64,
    /// How the tools are spoken to.
    pub transport: Option<Transport>,
}

impl ConsultRequest {
    /// The question, asked of two tools that are logged in, each within so many seconds.
    pub fn new(question: String, timeout: u64) -> Self {
        Self {
            question,
            tools: Vec::new(),
            models: Vec::new(),
            effort: None,
            context: "none".to_owned(),
            allow_secrets: false,
            continued: None,
            timeout,
            transport: None,
        }
    }
}
