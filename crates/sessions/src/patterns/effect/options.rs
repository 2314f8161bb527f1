//! The options of a program.

use super::Program;

/// Returns the words of a program that are options, up to a `--`.
pub(super) fn options(program: &Program) -> impl Iterator<Item = &str> {
    let words = program.rest.iter().map(String::as_str);
    words
        .take_while(|it| *it != "--")
        .filter(|it| it.len() > 1 && it.starts_with('-'))
}

/// Returns whether a program has one of these options.
///
/// `-i` is also found with its value, as in `-i.bak`, and after `flags`, the letters of options
/// without a value, as in `-ni`. A longer option must be equal up to a `=`.
pub(super) fn has_option(program: &Program, wanted: &[&str], flags: &str) -> bool {
    options(program).any(|option| wanted.iter().any(|it| is_option(option, it, flags)))
}

fn is_option(option: &str, wanted: &str, flags: &str) -> bool {
    let mut letters = wanted.chars().skip(1);
    match (letters.next(), letters.next()) {
        (Some(letter), None) => {
            let cluster = option.trim_start_matches('-');
            option.len() == cluster.len() + 1
                && cluster
                    .trim_start_matches(|c| c != letter && flags.contains(c))
                    .starts_with(letter)
        }
        _ => option.split('=').next() == Some(wanted) || option == wanted,
    }
}
