//! The document's words for patterns, cures and severities.

use agon_sessions::{Cure, Pattern, Severity};

use super::state::ContextState;

pub(super) fn severity_state(severity: Severity) -> ContextState {
    match severity {
        Severity::Amber => ContextState::Amber,
        Severity::Red => ContextState::Red,
    }
}

pub(super) fn pattern_word(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Tokens => "tokens",
        Pattern::Poisoning => "poisoning",
        Pattern::LostInTheMiddle => "lost_in_the_middle",
        Pattern::Clash => "clash",
        Pattern::Confusion => "confusion",
        Pattern::Distraction => "distraction",
    }
}

pub(super) fn cure_word(cure: Cure) -> &'static str {
    match cure {
        Cure::Write => "write",
        Cure::Select => "select",
        Cure::Compress => "compress",
        Cure::Isolate => "isolate",
    }
}
