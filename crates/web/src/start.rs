//! A debate to start, as a page or a program asks for it.

use agon_caller::bounds::Bounds;
use agon_debates::request::{Effort, JudgesRequest, SeatRequest, SeatsRequest, StartRequest};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::fields::Fields;

/// How deep a debate goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Depth {
    /// One round, little effort.
    Quick,
    /// The configured rounds.
    #[default]
    Default,
    /// Three rounds, high effort, three judges.
    Deep,
}

/// A debate to start.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartBody {
    /// The decision, such as "SQLite or plain files for the job store?"
    topic: String,
    #[serde(default)]
    depth: Depth,
    /// What every seat reads and may cite: none, diff, repo, file=PATH or commit=A..B
    context: Option<String>,
    /// The tool of the proposer; `human` for a person
    proposer: Option<String>,
    challenger: Option<String>,
    judge: Option<String>,
    model_proposer: Option<String>,
    model_challenger: Option<String>,
    model_judge: Option<String>,
    /// 1 to 5
    rounds: Option<u16>,
    /// low, medium, high or max
    #[schemars(with = "Option<String>")]
    effort: Option<Effort>,
    max_calls: Option<u32>,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    /// Show every seat similar earlier verdicts of the project
    #[serde(default)]
    precedents: bool,
    /// Only return the plan
    #[serde(default)]
    dry_run: bool,
    /// Start a new debate even if an identical one was started within the last hour
    #[serde(default)]
    again: bool,
}

impl StartBody {
    /// Reads the form of a new debate. A field that is missing or empty is left to Agon.
    pub(crate) fn of_form(fields: &Fields) -> Self {
        let text = |name: &str| fields.text(name).map(str::to_owned);
        Self {
            topic: text("topic").unwrap_or_default(),
            depth: match fields.get("depth") {
                Some("quick") => Depth::Quick,
                Some("deep") => Depth::Deep,
                Some(_) | None => Depth::Default,
            },
            context: text("context"),
            proposer: text("proposer"),
            challenger: text("challenger"),
            judge: text("judge"),
            model_proposer: text("model-proposer"),
            model_challenger: text("model-challenger"),
            model_judge: text("model-judge"),
            precedents: fields.get("precedents").is_some(),
            ..Self::default()
        }
    }

    /// Returns the request. The debate runs in the background, and the same request within the hour
    /// leads to the same debate, such as a second click on the button.
    pub(crate) fn into_request(self) -> StartRequest {
        let seat = |tool, model| SeatRequest {
            tool,
            model,
            ..SeatRequest::default()
        };
        StartRequest {
            topic: self.topic,
            quick: self.depth == Depth::Quick,
            deep: self.depth == Depth::Deep,
            context: self.context,
            with_precedents: self.precedents,
            rounds: self.rounds,
            dry_run: self.dry_run,
            detach: true,
            again: self.again,
            reuse: !self.again,
            seats: SeatsRequest {
                sides: [
                    seat(self.proposer, self.model_proposer),
                    seat(self.challenger, self.model_challenger),
                ],
                judges: JudgesRequest {
                    tools: self.judge.into_iter().collect(),
                    models: self.model_judge.into_iter().collect(),
                    ..JudgesRequest::default()
                },
                effort: self.effort,
                ..SeatsRequest::default()
            },
            bounds: Bounds {
                max_calls: self.max_calls,
                max_tokens: self.max_tokens,
                max_cost: self.max_cost,
                ..Bounds::default()
            },
            ..StartRequest::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_and_a_document_lead_to_the_same_request() {
        let form = "topic=+a+or+b%3F+&depth=deep&context=repo&proposer=claude&model-proposer=x\
                    &challenger=human&judge=codex&model-judge=y&precedents=yes&model-challenger=+";
        let form = StartBody::of_form(&Fields::parse(form.as_bytes()));
        let document = serde_json::json!({
            "topic": "a or b?", "depth": "deep", "context": "repo", "proposer": "claude",
            "model_proposer": "x", "challenger": "human", "judge": "codex", "model_judge": "y",
            "precedents": true,
        });
        let document: StartBody = serde_json::from_value(document).unwrap();
        let [form, document] = [form, document].map(StartBody::into_request);
        assert_eq!(format!("{form:?}"), format!("{document:?}"));
        assert!(form.deep && form.with_precedents && form.detach && form.reuse);
    }
}
