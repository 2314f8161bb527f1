//! What is to be measured.

use agon_agents::profile::Transport;
use agon_record::spec::{Effort, ToolName};

/// A model is to be measured.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationRequest {
    /// The tool, as a seat names it.
    pub tool: ToolName,
    /// Its model; the tool chooses where none is named.
    pub model: Option<String>,
    /// How hard it thinks.
    pub effort: Option<Effort>,
    /// How it is spoken to.
    pub transport: Option<Transport>,
    /// Seconds for an answer.
    pub timeout: u64,
    /// Lengths of prompts, in tokens; by what is known of the model where none is named.
    pub lengths: Vec<u64>,
    /// Depths at which facts stand.
    pub depths: usize,
    /// Repetitions with other texts.
    pub seeds: u32,
    /// The most tokens of this run.
    pub max_tokens: Option<u64>,
    /// The most money of this run, in US dollars.
    pub max_cost: Option<f64>,
    /// Whether what was measured so far is dropped.
    pub again: bool,
}

impl CalibrationRequest {
    /// A measurement of 9 depths and 3 seeds at lengths by what is known of the model.
    pub fn new(tool: ToolName, timeout: u64) -> Self {
        Self {
            tool,
            model: None,
            effort: None,
            transport: None,
            timeout,
            lengths: Vec::new(),
            depths: Self::DEPTHS,
            seeds: Self::SEEDS,
            max_tokens: None,
            max_cost: None,
            again: false,
        }
    }

    /// Depths where none are named.
    pub const DEPTHS: usize = 9;
    /// Seeds where none are named.
    pub const SEEDS: u32 = 3;

    /// The model, as far as it is named: by itself, or in the name of a tool that is a model.
    pub(super) fn model_name(&self) -> Option<&str> {
        let named = self.model.as_deref();
        let named = named.filter(|it| !matches!(*it, "" | "auto" | "omit"));
        named.or_else(|| {
            let (_, model) = self.tool.as_str().split_once(':')?;
            model.split("@http").next().filter(|it| !it.is_empty())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_the_one_that_is_named_or_that_the_tool_is() {
        let name = |tool: &str, model: Option<&str>| {
            let mut request = CalibrationRequest::new(tool.parse().unwrap(), 60);
            request.model = model.map(str::to_owned);
            request.model_name().map(str::to_owned)
        };
        assert_eq!(name("claude", Some("opus")).as_deref(), Some("opus"));
        assert_eq!(name("claude", Some("auto")), None);
        assert_eq!(name("claude", None), None);
        assert_eq!(name("local:smol", None).as_deref(), Some("smol"));
        let at = "openai:m.x@http://127.0.0.1:1/v1";
        assert_eq!(name(at, None).as_deref(), Some("m.x"));
    }
}
