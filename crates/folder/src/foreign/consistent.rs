//! Checks that the files of a folder agree on the state of the debate.

use std::collections::BTreeSet;

use agon_record::spec::FormatName;

use super::files::{DEBATE, argument_path};
use super::{Contents, ForeignError};
use crate::formal_files::{FormalFault, scores};

const FINISH: &str = "finish or undo the operation in the tool that began it";

impl Contents {
    /// Checks that every exchange before the current one has both sides and scores, that the
    /// current one matches its phase, and that nothing follows it.
    pub(super) fn check_consistency(&self) -> Result<(), ForeignError> {
        self.check_arguments_complete()?;
        self.check_scores_complete()
    }

    fn check_arguments_complete(&self) -> Result<(), ForeignError> {
        let opening = &self.opening;
        let argued = u32::from(opening.exchange) + u32::from(opening.judging);
        let expected = format!(
            "awaits the {} of exchange {}",
            if opening.judging {
                "judgment"
            } else {
                "arguments"
            },
            opening.exchange
        );
        if let Some(id) = self.argument_ids().find(|id| u32::from(id.round) >= argued) {
            let what = format!("belongs to exchange {}, but debate.md {expected}", id.round);
            return Err(inconsistency_error(&argument_path(id), None, what));
        }
        for side in FormatName::Formal.sides() {
            let rounds: BTreeSet<u32> = self
                .argument_ids()
                .filter(|id| id.seat == side)
                .map(|id| id.round.into())
                .collect();
            if let Some(round) = (0..argued).find(|round| !rounds.contains(round)) {
                let what =
                    format!("{expected}, but the {side} has no argument of exchange {round}");
                return Err(inconsistency_error(DEBATE, Some(opening.line), what));
            }
        }
        Ok(())
    }

    fn check_scores_complete(&self) -> Result<(), ForeignError> {
        let due = self.opening.exchange;
        for id in self.scores.keys() {
            if !self.arguments.contains_key(id) {
                let what = format!("scores {id}, which has no file in arguments/");
                return Err(inconsistency_error(scores::FILE, None, what));
            }
            if id.round >= due {
                let what =
                    format!("scores {id}, but debate.md awaits the judgment of exchange {due}");
                return Err(inconsistency_error(scores::FILE, None, what));
            }
        }
        let open = self
            .argument_ids()
            .find(|id| id.round < due && !self.scores.contains_key(id));
        match open {
            None => Ok(()),
            Some(id) => {
                let what = format!(
                    "does not score {id}, although debate.md says that exchange {} is over",
                    id.round
                );
                Err(inconsistency_error(scores::FILE, None, what))
            }
        }
    }
}

fn inconsistency_error(file: &str, line: Option<u32>, what: String) -> ForeignError {
    ForeignError::in_file(file, FormalFault::new(line, what, FINISH))
}
