//! Debates between two models of one tool.

use agon_caller::Hint;
use agon_record::spec::{ModelClass, ToolName};

use super::{Candidate, SeatWish, Wishes, ready_tools, two_models_flags};

/// Two models of one tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPair {
    /// The tool.
    pub tool: ToolName,
    /// Its strong model and its standard model.
    pub models: [String; 2],
}

impl ModelPair {
    /// Returns the two models of `candidate`; `None` if they are unknown or the same.
    fn of(candidate: &Candidate) -> Option<Self> {
        let classes = candidate.classes.as_ref()?;
        (classes.strong != classes.standard).then(|| Self {
            tool: candidate.tool.clone(),
            models: [classes.strong.clone(), classes.standard.clone()],
        })
    }

    /// Returns `wishes` with the tool on both sides: its strong model first, its standard model
    /// second.
    pub fn seat_on_both_sides(&self, mut wishes: Wishes) -> Wishes {
        let classes = [ModelClass::Strong, ModelClass::Standard];
        for (side, class) in wishes.sides.iter_mut().zip(classes) {
            side.tool = Some(self.tool.to_string());
            side.class = Some(class);
        }
        wishes
    }

    /// Returns the flags that seat them.
    pub(crate) fn flags(&self) -> Hint {
        let [strong, standard] = &self.models;
        two_models_flags(self.tool.as_str(), [strong, standard])
    }
}

/// Returns the two models of the only ready tool.
pub(super) fn models_of_only_ready_tool(candidates: &[Candidate]) -> Option<ModelPair> {
    let mut ready = ready_tools(candidates);
    match (ready.next(), ready.next()) {
        (Some(only), None) => ModelPair::of(only),
        (_, _) => None,
    }
}

/// Returns the two models of the only ready tool if it can take both sides: a side is open, the
/// other names no other tool, and no model is named.
pub fn models_for_open_side(wishes: &Wishes, candidates: &[Candidate]) -> Option<ModelPair> {
    let pair = models_of_only_ready_tool(candidates)?;
    let sides = &wishes.sides;
    let is_open = |side: &SeatWish| side.tool.is_none();
    let fits = |side: &SeatWish| {
        let tool = side.tool.as_deref();
        side.model.is_none() && tool.is_none_or(|tool| tool == pair.tool.as_str())
    };
    let applies = sides.iter().any(is_open) && sides.iter().all(fits) && !wishes.same_tool;
    applies.then_some(pair)
}

#[cfg(test)]
mod tests {
    use agon_agents::profile::ModelClasses;
    use agon_record::spec::FormatName;

    use super::*;
    use crate::seating::candidate;

    fn with_models(tool: &str, strong: &str, standard: &str) -> Candidate {
        Candidate {
            classes: Some(ModelClasses {
                fast: standard.to_owned(),
                standard: standard.to_owned(),
                strong: strong.to_owned(),
                as_of: "2026-11-25".to_owned(),
                by_effort: true,
            }),
            ..candidate(tool, "maker")
        }
    }

    fn named(tool: &str) -> SeatWish {
        SeatWish {
            tool: Some(tool.to_owned()),
            ..SeatWish::default()
        }
    }

    #[test]
    fn two_models_are_offered_where_one_tool_is_alone_and_nothing_else_is_named() {
        let alone = [with_models("claude", "opus", "sonnet")];
        let wishes = Wishes::empty(FormatName::Duel);
        let pair = models_for_open_side(&wishes, &alone).unwrap();
        assert_eq!(
            pair.flags().typed(),
            "--proposer claude --challenger claude --model-proposer opus --model-challenger sonnet"
        );
        let proposer = |wish| Wishes {
            sides: [wish, SeatWish::default()],
            ..wishes.clone()
        };
        assert!(models_for_open_side(&proposer(named("claude")), &alone).is_some());
        assert_eq!(
            models_for_open_side(&proposer(named("human")), &alone),
            None
        );
        let modelled = SeatWish {
            model: Some("opus".to_owned()),
            ..named("claude")
        };
        assert_eq!(models_for_open_side(&proposer(modelled), &alone), None);
        let both = [alone[0].clone(), candidate("codex", "openai")];
        assert_eq!(models_for_open_side(&wishes, &both), None);
        let one_model = [with_models("tool", "only", "only")];
        assert_eq!(models_for_open_side(&wishes, &one_model), None);
    }
}
