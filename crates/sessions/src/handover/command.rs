//! The parts of a command line by which its runs are compared.

use crate::command_line::{split_at_and, unquoted};

/// Returns the command without a leading `cd` and without output redirections and pipes.
pub(super) fn core_command(command: &str) -> String {
    let parts = split_at_and(command);
    let leading = parts
        .iter()
        .take_while(|it| it.trim_start().starts_with("cd "));
    let leading = leading.count().min(parts.len().saturating_sub(1));
    // The rest as it is in the line, with the `&&` between its parts.
    let start: usize = parts.iter().take(leading).map(|it| it.len() + 2).sum();
    let rest = command.get(start..).unwrap_or_default();
    let end = pipe_start(rest).unwrap_or(rest.len());
    let words = rest.get(..end).unwrap_or(rest).split_whitespace();
    let words = words.filter(|it| !matches!(*it, "2>&1" | "2>/dev/null"));
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the commands of a line that succeeded as a whole, if all of them did.
///
/// Behind a separator other than `&&`, a command may have failed all the same.
pub(super) fn commands_of_passed(line: &str) -> Vec<String> {
    let has_other = unquoted(line).any(|(_, c)| matches!(c, ';' | '|' | '\n'));
    let parts = split_at_and(line);
    match has_other || parts.len() < 2 {
        true => Vec::new(),
        false => parts.into_iter().map(core_command).collect(),
    }
}

/// Returns whether a command line has a pipe, whose last program sets the exit code.
pub(super) fn has_pipe(line: &str) -> bool {
    pipe_start(line).is_some() && !line.contains("pipefail")
}

/// Returns the byte offset of the first pipe outside quotes.
fn pipe_start(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let is_bar = |at: Option<usize>| at.and_then(|it| bytes.get(it)) == Some(&b'|');
    unquoted(line)
        .filter(|(_, c)| *c == '|')
        .map(|(at, _)| at)
        .find(|at| !is_bar(at.checked_add(1)) && !is_bar(at.checked_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_without_its_folder_and_without_what_shows_its_output() {
        for (line, core) in [
            ("cd /p && cargo test 2>&1 | tail -3", "cargo test"),
            ("cd '/p && q' && make", "make"),
            ("cd a && cd b && make all && make c", "make all && make c"),
            ("make 'a|b' 2>/dev/null", "make 'a|b'"),
            ("cd /p", "cd /p"),
            ("", ""),
        ] {
            assert_eq!(core_command(line), core, "{line}");
        }
    }

    #[test]
    fn a_passed_line_is_split_only_outside_quotes() {
        let of = commands_of_passed;
        assert_eq!(of("git pull && make all"), ["git pull", "make all"]);
        assert_eq!(
            of("git commit -m 'a; b' && make"),
            ["git commit -m 'a; b'", "make"]
        );
        assert_eq!(of("git commit -m 'x && make'"), [""; 0]);
        assert_eq!(of("git pull && make; true"), [""; 0]);
    }
}
