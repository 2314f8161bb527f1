//! Finds rule violations in imported arguments, with their positions.

use std::collections::BTreeSet;

use agon_record::event::ImportedArgument;
use agon_record::finding::{Finding, Severity};
use agon_record::id::{NodeId, TurnId};
use agon_record::state::State;
use agon_rules::rule::{self, DebatePoints};

use super::Contents;
use super::files::argument_path;

/// The rule that other tools state only in a prompt.
const WORDS: &str = "reply-words";

impl Contents {
    /// Returns the findings about the turns of `arguments`, which are part of `state`.
    pub(crate) fn turn_findings(
        &self,
        state: &State,
        arguments: &[ImportedArgument],
    ) -> Vec<Finding> {
        let ids = arguments.iter().map(|known| known.id);
        let turns: BTreeSet<_> = ids.map(|id| TurnId::round(id.round, id.seat)).collect();
        let points = DebatePoints::of(state);
        let mut found = Vec::new();
        for turn in turns {
            let Some(admitted) = state.admitted(turn) else {
                continue;
            };
            let mut findings = rule::check_moves_among(&points, turn, &admitted.moves);
            for finding in &mut findings {
                if finding.code == WORDS {
                    finding.severity = Severity::Warning;
                }
                self.locate_finding(&admitted.ids, finding);
            }
            found.extend(findings);
        }
        found
    }

    /// Adds the file and position to a finding about one of the arguments `ids`.
    pub(crate) fn locate_finding(&self, ids: &[NodeId], finding: &mut Finding) {
        let (place, name) = split_argument_index(&finding.at);
        let id = match place {
            Some(place) => ids.get(place),
            None => ids.first().filter(|_| ids.len() == 1),
        };
        let file = id.and_then(|id| Some((id, self.arguments.get(id)?)));
        if let Some((id, (text, parsed))) = file {
            finding.path = Some(argument_path(*id));
            finding.span = parsed.places.line_column_span(text, name);
        }
    }
}

/// Splits a position in the moves into the argument's index and the position in it.
fn split_argument_index(at: &str) -> (Option<usize>, &str) {
    let place = || {
        let rest = at.strip_prefix("arguments").unwrap_or(at);
        let (number, rest) = rest.strip_prefix('[')?.split_once(']')?;
        Some((number.parse().ok()?, rest.trim_start_matches('.')))
    };
    match place() {
        Some((number, rest)) => (Some(number), rest),
        None => (None, at),
    }
}
