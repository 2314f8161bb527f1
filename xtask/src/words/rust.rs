//! The texts of a Rust source: its strings, help texts and comments.

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::text::{Kind, Text};
use crate::source::SourceText;

/// The strings and comments of one source.
///
/// # Errors
/// If it is not Rust.
pub(super) fn texts(source: &SourceText) -> Result<Vec<Text>> {
    let tokens: TokenStream = source
        .text
        .parse()
        .map_err(|error| anyhow::anyhow!("{error}"))
        .with_context(|| format!("{} is not Rust", source.path))?;
    let mut texts = comments(&source.text);
    add_strings(tokens, &mut texts);
    texts.sort_by_key(|text| text.line);
    Ok(texts)
}

/// Each run of comment lines with one marker, which is also how clap and schemas read help.
fn comments(source: &str) -> Vec<Text> {
    let mut texts: Vec<Text> = Vec::new();
    let mut before = None;
    for (at, line) in source.lines().enumerate() {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"]
            .into_iter()
            .find(|marker| line.starts_with(marker));
        if let Some(marker) = marker {
            let words = line[marker.len()..].trim();
            match texts.last_mut() {
                // Only for non-blank lines: a blank comment line ends the paragraph.
                Some(text) if before == Some(marker) && !words.is_empty() => {
                    text.words.push('\n');
                    text.words.push_str(words);
                }
                _ => texts.push(Text::new(at + 1, Kind::Comment, words)),
            }
            before = (!words.is_empty()).then_some(marker);
        } else {
            before = None;
        }
    }
    texts
}

/// Adds the string literals of code and macros, and of those attributes that hold texts.
fn add_strings(tokens: TokenStream, texts: &mut Vec<Text>) {
    let mut is_attribute = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                if !is_attribute || group.delimiter() != Delimiter::Bracket || has_texts(&group) {
                    add_strings(group.stream(), texts);
                }
                is_attribute = false;
            }
            TokenTree::Literal(literal) => {
                let line = literal.span().start().line;
                if let Ok(string) = syn::parse_str::<syn::LitStr>(&literal.to_string())
                    && is_prose(&string.value())
                {
                    texts.push(Text::new(line, Kind::String, string.value()));
                }
            }
            TokenTree::Punct(mark) => {
                is_attribute = mark.as_char() == '#' || is_attribute && mark.as_char() == '!'
            }
            TokenTree::Ident(_) => is_attribute = false,
        }
    }
}

/// Returns whether people read the strings of an attribute. Doc comments do not count, because they
/// are checked as comments.
fn has_texts(attribute: &proc_macro2::Group) -> bool {
    const NAMES: [&str; 7] = [
        "arg", "clap", "command", "error", "expect", "schemars", "value",
    ];
    match attribute.stream().into_iter().next() {
        Some(TokenTree::Ident(name)) => NAMES.contains(&name.to_string().as_str()),
        _ => false,
    }
}

/// Returns whether a string has at least two words and is not a pattern or a path.
fn is_prose(value: &str) -> bool {
    const OF_PATTERNS: [&str; 5] = [r"\b", r"\s", r"\w", "(?", "[^"];
    let words = value
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic));
    words.count() > 1 && !OF_PATTERNS.iter().any(|it| value.contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, Kind, String)> {
        let source = SourceText::new("crates/a/src/lib.rs".to_owned(), text);
        let texts = texts(&source).unwrap();
        texts
            .into_iter()
            .map(|it| (it.line, it.kind, it.words))
            .collect()
    }

    fn strings(text: &str) -> Vec<String> {
        let found = found(text).into_iter();
        found
            .filter(|it| it.1 == Kind::String)
            .map(|it| it.2)
            .collect()
    }

    #[test]
    fn a_comment_is_one_text_until_its_paragraph_ends() {
        let text = "/// Returns the\n/// path.\n///\n/// More.\nfn a() {\n    // Last.\n}\n// One\n\n// two\n";
        let comment = |line, words: &str| (line, Kind::Comment, words.to_owned());
        assert_eq!(
            found(text),
            [
                comment(1, "Returns the\npath."),
                comment(3, ""),
                comment(4, "More."),
                comment(6, "Last."),
                comment(8, "One"),
                comment(10, "two"),
            ]
        );
    }

    #[test]
    fn strings_are_found_in_code_in_macros_and_in_attributes_that_hold_texts() {
        let text = "#[command(about = \"Show one debate\")]\nstruct A;\n\
            #[error(\"cannot read it\")]\nstruct B;\n\
            fn a() -> String {\n    let b = \"the file is missing\";\n    format!(\"cannot open {b}: {}\", 1)\n}\n";
        assert_eq!(
            strings(text),
            [
                "Show one debate",
                "cannot read it",
                "the file is missing",
                "cannot open {b}: {}"
            ]
        );
    }

    #[test]
    fn keys_patterns_and_names_of_the_wire_are_not_texts() {
        let text = "#[serde(rename = \"some old name\")]\nstruct A;\n\
            const KEY: &str = \"round_limit\";\nconst WORDS: &str = r\"\\bset the\\b\";\n";
        assert_eq!(strings(text), Vec::<String>::new());
    }
}
