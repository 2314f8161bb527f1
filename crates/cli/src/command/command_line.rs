//! The typed command line, extended with more arguments.

use agon_debates::seat::substitute::substitute_flag_hint;

use crate::error::Failure;
use crate::surroundings::Surroundings;

/// Returns the command line of the typed arguments and the added ones, quoted for a shell.
pub(super) fn command_line(typed: &[String], added: &[String]) -> String {
    let words = typed.iter().chain(added).map(|word| quote_for_shell(word));
    let words: Vec<_> = std::iter::once("agon".to_owned()).chain(words).collect();
    words.join(" ")
}

/// Replaces the flag `--substitute` in the failure's hint with the whole command.
pub(super) fn with_substitute_command(edge: &Surroundings, failure: Failure) -> Failure {
    let command = command_line(&edge.typed, &["--substitute".to_owned()]);
    let step = format!("let another tool take the seat: {command}");
    let hint = failure
        .hint
        .map(|hint| hint.replace_step(&substitute_flag_hint(), &step));
    Failure { hint, ..failure }
}

/// Quotes `word` for a shell, if needed.
fn quote_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:@/=,+-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        // Escape exclamation marks, which some interactive shells replace even between quotes.
        let escaped = word.replace('\'', r"'\''").replace('!', r"'\!'");
        format!("'{escaped}'")
    }
}
