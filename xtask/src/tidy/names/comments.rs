//! Refused phrases in comments and doc comments.

use std::ops::RangeInclusive;

use anyhow::{Context, Result};
use syn::{Attribute, ItemEnum, ItemStruct, spanned::Spanned, visit::Visit};

use super::{
    Refusal,
    table::{AFTER_IS_NO, BEFORE_IS_NO, IS_NO, PHRASES},
};
use crate::source::SourceText;

/// The refused phrases in the comments of one source.
///
/// # Errors
/// When it is not Rust.
pub(super) fn refusals(source: &SourceText) -> Result<Vec<Refusal>> {
    let file =
        syn::parse_file(&source.text).with_context(|| format!("{} is not Rust", source.path))?;
    let mut product = ProductText::default();
    product.visit_file(&file);
    let mut found = Vec::new();
    for block in blocks(&source.text) {
        let is_product = |word: &Word| product.lines.iter().any(|it| it.contains(&word.line));
        if block.first().is_none_or(is_product) {
            continue;
        }
        for at in 0..block.len() {
            if let Some((name, instead)) = phrase_at(&block, at) {
                found.push(Refusal {
                    line: block[at].line,
                    kind: "phrase",
                    name,
                    instead,
                });
            }
        }
    }
    Ok(found)
}

/// A word of a comment, in lower case, and its line.
struct Word {
    text: String,
    line: usize,
}

/// The words of each run of lines that are comments of one kind; quotations are left out.
fn blocks(text: &str) -> Vec<Vec<Word>> {
    let mut blocks: Vec<Vec<Word>> = Vec::new();
    let mut before = None;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"]
            .into_iter()
            .find(|it| line.starts_with(it));
        if let Some(marker) = marker {
            if before != Some(marker) {
                blocks.push(Vec::new());
            }
            if let Some(block) = blocks.last_mut() {
                let words = words(&line[marker.len()..]);
                block.extend(words.map(|text| Word { text, line: at + 1 }));
            }
        }
        before = marker;
    }
    blocks
}

fn words(line: &str) -> impl Iterator<Item = String> {
    let unquoted: Vec<&str> = line.split(['`', '"']).step_by(2).collect();
    // A quotation stands for one word that no phrase has.
    let words: Vec<String> = unquoted
        .join(" \u{2026} ")
        .split_whitespace()
        .map(|word| {
            word.trim_matches(|c: char| ",.;:()!?".contains(c))
                .to_lowercase()
        })
        .collect();
    words.into_iter()
}

fn phrase_at(block: &[Word], at: usize) -> Option<(String, &'static str)> {
    let follows = |phrase: &str| {
        let mut words = block[at..].iter();
        phrase
            .split(' ')
            .all(|part| words.next().is_some_and(|word| word.text == part))
    };
    for (phrase, instead) in PHRASES {
        if follows(phrase) {
            return Some(((*phrase).to_owned(), instead));
        }
    }
    let text = |at: Option<usize>| at.and_then(|at| block.get(at)).map(|it| it.text.as_str());
    let is_plain = |word: Option<&str>, list: &[&str]| word.is_some_and(|it| list.contains(&it));
    let (before, after) = (text(at.checked_sub(1)), text(Some(at + 2)));
    if follows("is no") && !is_plain(before, BEFORE_IS_NO) && !is_plain(after, AFTER_IS_NO) {
        return Some((format!("is no {}", after.unwrap_or_default()), IS_NO));
    }
    None
}

/// The lines of items whose doc comments are text of the product: help and schemas.
#[derive(Default)]
struct ProductText {
    lines: Vec<RangeInclusive<usize>>,
}

impl ProductText {
    const DERIVES: [&str; 5] = ["Parser", "Args", "Subcommand", "ValueEnum", "JsonSchema"];

    fn add(&mut self, item: &impl Spanned, attributes: &[Attribute]) {
        let mut is_product = false;
        for attribute in attributes.iter().filter(|it| it.path().is_ident("derive")) {
            // A list of derives that does not parse is the compiler's to refuse.
            let _ = attribute.parse_nested_meta(|derived| {
                let name = derived.path.segments.last().map(|it| it.ident.to_string());
                is_product |= name.is_some_and(|it| Self::DERIVES.contains(&it.as_str()));
                Ok(())
            });
        }
        if is_product {
            let span = item.span();
            self.lines.push(span.start().line..=span.end().line);
        }
    }
}

impl<'ast> Visit<'ast> for ProductText {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add(item, &item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add(item, &item.attrs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        let source = SourceText::new("crates/a/src/lib.rs".to_owned(), text);
        let refusals = refusals(&source).unwrap();
        refusals.into_iter().map(|it| (it.line, it.name)).collect()
    }

    #[test]
    fn each_phrase_is_found_in_every_kind_of_comment() {
        for (phrase, instead) in PHRASES {
            for marker in ["//", "///", "//!"] {
                let text = format!("{marker} It is ({phrase}), so.\n\nstruct A;\n");
                let text = text.replace("//!", "//! A.\n//!");
                let source = SourceText::new("crates/a/src/lib.rs".to_owned(), &text);
                let line = 1 + usize::from(marker == "//!");
                let refusal = Refusal {
                    line,
                    kind: "phrase",
                    name: (*phrase).to_owned(),
                    instead,
                };
                assert_eq!(refusals(&source).unwrap(), [refusal], "{text}");
            }
        }
    }

    #[test]
    fn a_phrase_is_found_where_its_line_is_wrapped() {
        let text =
            "fn a() {\n    // The task goes on\n    // by itself.\n}\n// goes\n\n// on by itself\n";
        assert_eq!(found(text), [(2, "goes on by itself".to_owned())]);
    }

    #[test]
    fn what_is_no_thing_is_refused_but_ordinary_english_is_not() {
        let text = "/// What is no address is skipped.\n/// There is no file, it is no longer there,\n\
            /// and it is no more than 3.\nstruct A;\n";
        assert_eq!(found(text), [(1, "is no address".to_owned())]);
    }

    #[test]
    fn words_in_code_strings_and_quotations_are_not_comments() {
        let text = "/// Amends what `anew` and \"nobody lies\" say; a belief.\nfn mend() -> &'static str {\n    \"anew\"\n}\n";
        assert_eq!(found(text), []);
    }

    #[test]
    fn text_of_help_and_schemas_is_left_alone() {
        let text = "/// Anew.\n#[derive(Debug, clap::Args)]\nstruct A {\n    /// Nobody.\n    a: u8,\n}\n\
            /// Anew.\n#[derive(Debug)]\nstruct B;\n";
        assert_eq!(found(text), [(7, "anew".to_owned())]);
    }
}
