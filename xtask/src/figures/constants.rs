//! Constants with a number in them: whoever meets one wants to know why it is that number.

use std::fmt::{self, Display, Formatter};

use anyhow::{Context, Result};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, ItemConst, spanned::Spanned, visit::Visit};

use crate::source::SourceText;

/// A constant with a number in its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tuned {
    path: String,
    line: usize,
    name: String,
    value: String,
    /// Whether a comment stands above it, or its documentation says more than what it is.
    pub(super) has_reason: bool,
}

impl Display for Tuned {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mark = match self.has_reason {
            true => ' ',
            false => '!',
        };
        write!(
            f,
            "{mark} {}:{} {} = {}",
            self.path, self.line, self.name, self.value
        )
    }
}

/// Every constant with a number, in the order of the sources.
///
/// # Errors
/// When a source is not Rust.
pub(super) fn tuned(sources: &[SourceText]) -> Result<Vec<Tuned>> {
    let mut found = Vec::new();
    for source in sources {
        let file = syn::parse_file(&source.text)
            .with_context(|| format!("{} is not Rust", source.path))?;
        let mut constants = Constants {
            source,
            found: &mut found,
        };
        constants.visit_file(&file);
    }
    Ok(found)
}

struct Constants<'a> {
    source: &'a SourceText,
    found: &'a mut Vec<Tuned>,
}

impl<'ast> Visit<'ast> for Constants<'_> {
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        let value = item.expr.to_token_stream();
        if !has_number(value.clone()) {
            return;
        }
        let line = item.ident.span().start().line;
        let first = item.span().start().line;
        self.found.push(Tuned {
            path: self.source.path.clone(),
            line,
            name: item.ident.to_string(),
            value: shortened(&value.to_string()),
            has_reason: sentences(&item.attrs) > 1 || has_comment_above(&self.source.text, first),
        });
    }
}

fn has_number(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => has_number(group.stream()),
        TokenTree::Literal(literal) => literal
            .to_string()
            .starts_with(|c: char| c.is_ascii_digit()),
        TokenTree::Ident(_) | TokenTree::Punct(_) => false,
    })
}

/// How many sentences the documentation has; the first says what the constant is.
fn sentences(attributes: &[Attribute]) -> usize {
    let mut text = String::new();
    for attribute in attributes {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
        {
            text += &pair.value.to_token_stream().to_string();
            text.push(' ');
        }
    }
    text.matches([':', ';']).count() + text.matches('.').count()
}

fn has_comment_above(text: &str, line: usize) -> bool {
    let above = line.checked_sub(2).and_then(|at| text.lines().nth(at));
    above.is_some_and(super::is_comment)
}

fn shortened(value: &str) -> String {
    const MAX_CHARS: usize = 60;
    match value.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_with_a_number_is_listed_with_whether_it_says_why() {
        let text = "/// The most.\nconst A: u8 = 3;\n/// The most: beyond it a page is slow.\nconst B: u8 = 4;\n\
            // Measured.\nconst C: Duration = Duration::from_secs(5);\nconst D: &str = \"7\";\n";
        let sources = [SourceText::new("crates/a/src/lib.rs".to_owned(), text)];
        let found: Vec<_> = tuned(&sources)
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            found,
            [
                "! crates/a/src/lib.rs:2 A = 3",
                "  crates/a/src/lib.rs:4 B = 4",
                "  crates/a/src/lib.rs:6 C = Duration :: from_secs (5)",
            ]
        );
    }
}
