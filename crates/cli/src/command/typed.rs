//! The command line that was typed, to be copied with more words.

use agon_debates::seat::substitute::substitute_flag_hint;

use crate::edge::Surroundings;
use crate::error::Failure;

/// The command line that asks for the same: what was typed, and what was said since.
pub(super) fn command_line(typed: &[String], said: &[String]) -> String {
    let words = typed.iter().chain(said).map(|word| quote_for_shell(word));
    let words: Vec<_> = std::iter::once("agon".to_owned()).chain(words).collect();
    words.join(" ")
}

/// The failure with the whole command in place of the flag that lets a substitute take a seat.
pub(super) fn with_substitute_command(edge: &Surroundings, failure: Failure) -> Failure {
    let command = command_line(&edge.typed, &["--substitute".to_owned()]);
    let way = format!("let another tool take the seat: {command}");
    let hint = failure
        .hint
        .map(|hint| hint.replace_step(&substitute_flag_hint(), &way));
    Failure { hint, ..failure }
}

/// `word` as a shell reads it.
fn quote_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:@/=,+-".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        // An exclamation mark is the shell's history where a person types it.
        let escaped = word.replace('\'', r"'\''").replace('!', r"'\!'");
        format!("'{escaped}'")
    }
}
