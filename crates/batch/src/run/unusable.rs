//! A tool that only the user can make usable again, so that more debates with it would only fail.

use agon_caller::Code;
use agon_debates::steer::observer::State;
use agon_record::event::{CauseCode, Halt};
use agon_record::spec::ToolName;

use crate::seated::SeatedTool;

/// A tool that cannot be used, or one of its models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unusable {
    tool: ToolName,
    /// The model, if the tool has others that may be usable; `None` inside for its default.
    only: Option<Option<String>>,
}

impl Unusable {
    /// Returns the tool that halted a debate with `code`, if it would halt every debate: it is not
    /// installed or logged in, its limit is used up, or the model does not exist.
    pub(super) fn of(state: &State, code: Code) -> Option<Self> {
        let Some(Halt::User { turn, cause }) = &state.halted else {
            return None;
        };
        // A debate that halted earlier may have failed for another reason now.
        if Code::from(cause.code) != code {
            return None;
        }
        let seating = state.seats.get(&turn.seat)?;
        let only = match cause.code {
            CauseCode::NotInstalled | CauseCode::LoggedOut | CauseCode::RateLimited => None,
            CauseCode::NoSuchModel => Some(seating.model.clone()),
            // About this debate, such as a text that is too long for the model.
            _ => return None,
        };
        let tool = seating.tool.clone();
        Some(Self { tool, only })
    }

    /// Returns the tool that could not give an answer with `code`, if it can give none.
    pub(super) fn of_answer(tool: ToolName, model: Option<String>, code: Code) -> Option<Self> {
        let only = match code {
            Code::NotInstalled | Code::LoggedOut | Code::RateLimited => None,
            Code::NoSuchModel => Some(model),
            _ => return None,
        };
        Some(Self { tool, only })
    }

    /// Returns whether it is the tool, and not only one of its models.
    pub(super) fn is_whole_tool(&self) -> bool {
        self.only.is_none()
    }

    /// Returns whether a debate with this tool in a seat would halt too.
    pub(super) fn is_in(&self, seated: &SeatedTool) -> bool {
        let SeatedTool { tool, model } = seated;
        *tool == self.tool && self.only.as_ref().is_none_or(|only| only == model)
    }
}

#[cfg(test)]
mod tests {
    use agon_record::event::Cause;
    use agon_record::id::{Seat, TurnId};
    use agon_samples::duel;

    use super::*;

    fn halted(code: CauseCode) -> State {
        let turn = TurnId::round(1, Seat::Proposer);
        let mut state = duel::job_store(2, turn);
        let detail = String::new();
        let cause = Cause { code, detail };
        state.halted = Some(Halt::User { turn, cause });
        let seating = state.seats.get_mut(&Seat::Proposer).unwrap();
        seating.tool = "claude".parse().unwrap();
        seating.model = Some("small".to_owned());
        state
    }

    fn seated(tool: &str, model: &str) -> SeatedTool {
        SeatedTool {
            tool: tool.parse().unwrap(),
            model: Some(model.to_owned()),
        }
    }

    #[test]
    fn a_tool_that_is_logged_out_or_has_no_quota_is_unusable_with_every_model() {
        for code in [CauseCode::LoggedOut, CauseCode::RateLimited] {
            let found = Unusable::of(&halted(code), code.into()).unwrap();
            assert!(found.is_in(&seated("claude", "large")));
            assert!(!found.is_in(&seated("codex", "small")));
            assert_eq!(Unusable::of(&halted(code), Code::Limit), None);
        }
    }

    #[test]
    fn a_missing_model_leaves_the_other_models_of_its_tool() {
        let code = CauseCode::NoSuchModel;
        let found = Unusable::of(&halted(code), code.into()).unwrap();
        assert!(found.is_in(&seated("claude", "small")));
        assert!(!found.is_in(&seated("claude", "large")));
    }

    #[test]
    fn a_tool_without_quota_or_model_gives_no_other_answer() {
        let tool: ToolName = "claude".parse().unwrap();
        let found = |code| Unusable::of_answer(tool.clone(), Some("m".to_owned()), code);
        assert!(found(Code::RateLimited).unwrap().is_whole_tool());
        assert!(
            found(Code::NoSuchModel)
                .unwrap()
                .is_in(&seated("claude", "m"))
        );
        assert_eq!(found(Code::Timeout), None);
    }

    #[test]
    fn a_text_that_is_too_long_is_no_fault_of_the_tool() {
        for code in [CauseCode::TooLarge, CauseCode::Failed] {
            assert_eq!(Unusable::of(&halted(code), code.into()), None);
        }
    }
}
