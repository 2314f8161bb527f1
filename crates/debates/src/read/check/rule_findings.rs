//! The findings of a debate: which rules it breaks.

use std::collections::{BTreeMap, BTreeSet};

use agon_record::finding::{Finding, Severity};
use agon_record::state::State;
use agon_rules::rule::{self, DebatePoints};

use crate::read::findings;

// Two real debates have 12 and 6 findings of the same rule about words; listed one by one, they
// hide all others. Tested by `a_rule_broken_often_is_told_once`.
/// Findings of one rule are collapsed if there are more than this.
const MAX_OF_A_RULE: usize = 5;

/// Returns the findings recorded when turns were admitted, and the findings of the rules now.
pub(super) fn recorded_and_new_findings(state: &State) -> Vec<Finding> {
    let mut findings = findings::recorded_findings(state);
    let key = |it: &Finding| (it.turn, it.code.clone(), it.at.clone());
    let mut known: BTreeSet<_> = findings.iter().map(key).collect();
    let points = DebatePoints::of(state);
    for (turn, admitted) in state.admitted_turns() {
        let found = rule::check_moves_among(&points, turn, &admitted.moves);
        findings.extend(found.into_iter().filter(|it| known.insert(key(it))));
    }
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

/// Collapses all findings of one rule and severity into one if there are more than `MAX_OF_A_RULE`.
pub(super) fn collapse_repeated_findings(state: &State, findings: &[Finding]) -> Vec<Finding> {
    let mut by_rule: BTreeMap<(&str, Severity), usize> = BTreeMap::new();
    for finding in findings {
        *by_rule
            .entry((&finding.code, finding.severity))
            .or_default() += 1;
    }
    let mut kept: Vec<Finding> = Vec::new();
    for finding in findings {
        let key = (finding.code.as_str(), finding.severity);
        match by_rule.get(&key) {
            Some(&many) if many > MAX_OF_A_RULE => {
                by_rule.insert(key, 0);
                kept.push(Finding {
                    message: format!(
                        "{} (first of {many} findings of this rule)",
                        finding.message
                    ),
                    hint: format!(
                        "list all with `agon check {} --rule {}`",
                        state.command_name(),
                        finding.code
                    ),
                    ..finding.clone()
                });
            }
            Some(0) | None => {}
            Some(_) => kept.push(finding.clone()),
        }
    }
    kept
}
