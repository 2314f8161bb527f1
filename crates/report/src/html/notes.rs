//! The section on unresolved broken rules.

use std::collections::BTreeMap;

use agon_record::finding::{Finding, Severity};
use agon_record::id::TurnId;
use agon_record::state::TurnEnd;
use maud::{Markup, html};

use super::page::Page;
use crate::text::{capitalize, count_with_noun, plain_line};

/// Maximum number of findings listed for one rule; the rest are only counted.
const MOST: usize = 40;

type RuleFindings<'a> = (TurnId, &'a Finding);

/// Returns the section on broken rules; `None` before the first turn.
pub(super) fn findings_section(page: &Page<'_>) -> Option<Markup> {
    if page.state.turns.values().all(|turn| turn.end.is_none()) {
        return None;
    }
    let mut rules: BTreeMap<(std::cmp::Reverse<Severity>, &str), Vec<RuleFindings<'_>>> =
        BTreeMap::new();
    for (&id, turn) in &page.state.turns {
        let stayed = match &turn.end {
            Some(TurnEnd::Admitted(admitted)) => &admitted.findings[..],
            Some(TurnEnd::Lost { findings, .. }) => findings,
            None => &[],
        };
        for finding in stayed {
            let rule = (std::cmp::Reverse(finding.severity), finding.code.as_str());
            rules.entry(rule).or_default().push((id, finding));
        }
    }
    let back = page.state.sent_back;
    Some(html! {
        @if rules.is_empty() {
            p { "No broken rules are unresolved." }
        }
        @for ((severity, code), found) in &rules {
            (rule_findings(severity.0, code, found))
        }
        @if back > 0 {
            p.note { @if back == 1 { "1 reply was" } @else { (back) " replies were" } " sent back and asked for again." }
        }
    })
}

fn rule_findings(severity: Severity, code: &str, found: &[RuleFindings<'_>]) -> Markup {
    let more = found.len().saturating_sub(MOST);
    html! {
        details.rule open[severity > Severity::Warning] {
            summary {
                span.severity.(severity_class(severity)) { (capitalize(&severity.to_string())) }
                " " code { (plain_line(code)) } " "
                span.note { (count_with_noun(found.len() as u64, "time")) }
            }
            ul {
                @for (turn, finding) in found.iter().take(MOST) {
                    li {
                        a href={ "#turn-" (turn) } { (turn) } " "
                        span dir="auto" { (plain_line(&finding.message)) }
                        @let at = plain_line(&finding.at);
                        @if !at.is_empty() { " " code { (at) } }
                    }
                }
                @if more > 0 { li { "and " (more) " more" } }
            }
        }
    }
}

fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Warning => "mild",
        Severity::Error | Severity::Fatal => "bad",
    }
}
