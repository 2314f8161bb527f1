//! Permissions that a skill gives itself.

use std::borrow::Cow;

/// Tools that a skill may allow itself, because they change and start nothing. With a pattern, such as
/// `Read(~/.ssh/**)`, they could reach outside the project.
const HARMLESS_TOOLS: [&str; 4] = ["Read", "Grep", "Glob", "LS"];

/// Front matter key that allows tools.
pub(super) const ALLOWED_TOOLS: &str = "allowed-tools";

/// Returns whether every tool in an `allowed-tools` value is harmless.
pub(super) fn are_harmless(tools: &str) -> bool {
    let mut tools = tools
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|tool| !tool.is_empty());
    tools.all(|tool| HARMLESS_TOOLS.contains(&tool))
}

/// Marks of commands that Claude Code runs when it loads a skill, and their harmless forms.
const COMMAND_MARKS: [(&str, &str); 2] = [("!`", "! `"), ("```!", "``` !")];

/// Returns the text with harmless marks, so that no host runs commands in it.
pub(super) fn without_commands(body: &str) -> Cow<'_, str> {
    let mut body = Cow::Borrowed(body);
    for (mark, harmless) in COMMAND_MARKS {
        if body.contains(mark) {
            body = Cow::Owned(body.replace(mark, harmless));
        }
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tools_that_read_without_a_pattern_are_harmless() {
        for tools in ["Read", "Read, Grep", "Read Glob\tLS", ""] {
            assert!(are_harmless(tools), "{tools}");
        }
        for tools in [
            "Bash(*)",
            "*",
            "Bash",
            "Read, Bash(git:*)",
            "Read(~/.ssh/**)",
            "read",
            "WebFetch",
            "Read,mcp__x__y",
            "Task",
            "Edit",
        ] {
            assert!(!are_harmless(tools), "{tools}");
        }
    }

    #[test]
    fn a_command_that_a_host_would_run_becomes_text() {
        for (body, expected) in [
            ("Now: !`date`.", "Now: ! `date`."),
            ("```!\ndate\n```", "``` !\ndate\n```"),
            ("!`a` and !`b`", "! `a` and ! `b`"),
            ("Stop! Use `date`.", "Stop! Use `date`."),
        ] {
            assert_eq!(without_commands(body), expected);
        }
    }
}
