//! The findings of a debate: which rules it breaks.

use std::collections::BTreeMap;

use agon_record::finding::{Finding, Severity};
use agon_record::state::State;
use agon_rules::rule;

use crate::read::findings;

// Two real debates have 12 and 6 findings of the same rule about words; listed one by one, they
// hide all others. Tested by `a_rule_broken_often_is_told_once`.
/// Findings of one rule are collapsed if there are more than this.
const MAX_OF_A_RULE: usize = 5;

/// Returns the findings recorded when turns were admitted, and the findings of the rules now.
pub(super) fn recorded_and_new_findings(state: &State) -> Vec<Finding> {
    let mut findings = findings::recorded_findings(state);
    for (turn, admitted) in state.admitted_turns() {
        for found in rule::check_moves(state, turn, &admitted.moves) {
            let known = |old: &Finding| {
                (old.turn, &old.code, &old.at) == (found.turn, &found.code, &found.at)
            };
            if !findings.iter().any(known) {
                findings.push(found);
            }
        }
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
