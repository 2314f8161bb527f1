//! Determines whether a call failed.

use std::sync::LazyLock;

use regex::Regex;

use super::command::simple_commands;
use super::line::ExaminedLine;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallOutcome {
    Failed,
    Passed,
    /// No outcome is recorded.
    Unknown,
}

/// Programs whose exit code 1 means "nothing found" or "different".
const ANSWERS_BY_EXIT: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "which", "command",
    "pgrep", "type",
];

/// Output at the end of a failed run, even if another command sets the exit code.
#[expect(clippy::unwrap_used, reason = "a literal, which the tests compile")]
static FAILURE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?mi)^\s*(?:error(?:\[\w+\])?:|fatal:|FAILED\b|FAIL\b|npm ERR!|Traceback \(|BUILD FAILED|panicked at|--- FAIL)|test result: FAILED|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|\bexit(?:ed)?(?: with)?(?: code| status)?:? [1-9]",
    )
    .unwrap()
});

/// Returns the outcome of a line's call.
pub(super) fn outcome(line: &ExaminedLine<'_>) -> CallOutcome {
    let Some(result) = line.outcome() else {
        return CallOutcome::Unknown;
    };
    let command = line.command().unwrap_or_default();
    if let Some(failure) = result.failure {
        let answers = failure.exit == Some(1) && is_exit_code_an_answer(&command);
        return match answers {
            true => CallOutcome::Passed,
            false => CallOutcome::Failed,
        };
    }
    // The exit code is only that of the last command, so search the output for failures.
    let is_masked = command.contains('|') || command.contains(';') || command.contains('\n');
    match is_masked && FAILURE.is_match(result.text.as_str()) {
        true => CallOutcome::Failed,
        false => CallOutcome::Passed,
    }
}

/// Returns the exit code of a failed call.
pub(super) fn exit_code(line: &ExaminedLine<'_>) -> Option<i64> {
    line.outcome()?.failure?.exit
}

fn is_exit_code_an_answer(command: &str) -> bool {
    let commands = simple_commands(command);
    let last = commands.last();
    last.is_some_and(|words| {
        let program = words.first().map(String::as_str).unwrap_or_default();
        let is_git = program == "git" && words.iter().any(|it| it == "grep" || it == "diff");
        ANSWERS_BY_EXIT.contains(&program) || is_git
    })
}
