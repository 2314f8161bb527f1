//! Finds command-line flags in messages of use cases.
//!
//! Each front end names flags in its own way, so a message must build them with a `Hint`.

use std::str::FromStr;

use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::source::SourceText;

/// The crates whose messages reach every front end.
const CRATES: &[&str] = &[
    "agents", "caller", "config", "debates", "engine", "evidence", "health", "install", "rules",
    "seats", "store", "team", "teamwork",
];

/// Functions with a command line as argument.
const COMMANDS: &[&str] = &["command", "quoted"];

/// Other programs, whose flags are the same in every front end, and the first word of a diff.
const PROGRAMS: &[&str] = &["git ", "cargo ", "diff "];

/// Files with command lines in texts that no call returns: the list of documents, screens, and
/// messages of a hook to a model that has a shell.
const ALLOWED: &[&str] = &[
    "documents.rs",
    "config/src/keys.rs",
    "debates/src/read/check/rule_findings.rs",
    "debates/src/seat/init.rs",
    "health/src/reminder.rs",
    "install/src/hosts/permissions.rs",
    "teamwork/src/doctor.rs",
    "teamwork/src/gate/command.rs",
    "teamwork/src/hook.rs",
    "teamwork/src/run/debate.rs",
    "teamwork/src/run/ruling.rs",
    "teamwork/src/run/waits.rs",
    "teamwork/src/worktree/missing.rs",
];

/// The messages with flags in the sources of use cases.
///
/// # Errors
/// If a source is not valid Rust.
pub(super) fn violations(sources: &[SourceText]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| is_checked(&source.path)) {
        let tokens = TokenStream::from_str(&source.text)
            .map_err(|error| anyhow!("{} is not Rust: {error}", source.path))?;
        let mut texts = Vec::new();
        collect_texts(tokens, &mut texts);
        let texts = texts.iter().filter(|(_, text)| has_flag(text));
        found.extend(texts.map(|(line, text)| {
            let path = &source.path;
            format!("{path}:{line} has a flag in `{text}`: build a `Hint` with `flag` or `command`")
        }));
    }
    Ok(found)
}

fn is_checked(path: &str) -> bool {
    let of_crate = path.strip_prefix("crates/").unwrap_or_default();
    let name = of_crate.split('/').next().unwrap_or_default();
    CRATES.contains(&name) && !ALLOWED.iter().any(|allowed| path.ends_with(allowed))
}

/// The string literals and their lines, without doc comments and arguments of [`COMMANDS`].
fn collect_texts(tokens: TokenStream, texts: &mut Vec<(usize, String)>) {
    let mut is_command = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => {
                let is_arguments = is_command && group.delimiter() == Delimiter::Parenthesis;
                if !is_arguments && !is_doc(group) {
                    collect_texts(group.stream(), texts);
                }
            }
            TokenTree::Literal(literal) => {
                if let syn::Lit::Str(text) = syn::Lit::new(literal.clone()) {
                    texts.push((literal.span().start().line, text.value()));
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
        is_command =
            matches!(&token, TokenTree::Ident(name) if COMMANDS.iter().any(|it| name == it));
    }
}

fn is_doc(group: &proc_macro2::Group) -> bool {
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket
        && matches!(first, Some(TokenTree::Ident(name)) if name == "doc")
}

/// Returns whether a text contains a flag. A single word does not count, because it is an argument
/// of a program.
fn has_flag(text: &str) -> bool {
    let Some(at) = text
        .match_indices("--")
        .map(|(at, _)| at)
        .find(|&at| is_flag(text, at))
    else {
        return false;
    };
    text.trim().contains(' ') && !PROGRAMS.iter().any(|program| text[..at].contains(program))
}

fn is_flag(text: &str, at: usize) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '-';
    let is_name = |c: char| c.is_ascii_lowercase() || c == '{';
    !text[..at].ends_with(is_word) && text[at + 2..].starts_with(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        let sources = [SourceText::new(path.to_owned(), text)];
        violations(&sources).unwrap().len()
    }

    #[test]
    fn a_flag_in_a_text_is_found_unless_it_is_part_of_a_command() {
        let path = "crates/seats/src/a.rs";
        for (text, wanted) in [
            (r#"fn a() { hint("ask with --tool"); }"#, 1),
            (r#"#[error("no model: --model-{seat}")] struct A;"#, 1),
            (r#"fn a() { hint(format!("name --{flag}")); }"#, 1),
            (r#"fn a() { flag("tool"); run(["--json", "-z"]); }"#, 0),
            (
                r#"fn a() { command(format!("show {x} --full")).text(" shows it"); }"#,
                0,
            ),
            (
                r#"fn a() { x.quoted("team run --resume").text("a --b"); }"#,
                1,
            ),
            (r#"fn a() { hint("run `git fetch --unshallow`"); }"#, 0),
            ("/// Adds --json to it.\nfn a() {}", 0),
            (r#"fn a() { text("one -- two, a--b"); }"#, 0),
        ] {
            assert_eq!(found(path, text), wanted, "{text}");
        }
        assert_eq!(
            found("crates/cli/src/a.rs", r#"const A: &str = "a --b";"#),
            0
        );
    }
}
