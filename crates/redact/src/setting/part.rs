//! Determines which part of the text beside a name is its value, and which value follows it.

use std::ops::Range;

use super::{NameScan, Tie, line_start};
use crate::name::Name;
use crate::span::quoted_span;
use crate::value::grouped_password_length;

// A description and a type may come between a key and its default.
/// Maximum number of lines below a key that are searched for its value.
const MAX_CHILDREN: usize = 6;

/// Returns the last word of the parent of the YAML key that begins at `at`, in the line above.
pub(super) fn parent_key(text: &str, at: usize) -> Option<&str> {
    let start = line_start(text, at);
    let indent = &text[start..at];
    let above = text[..start].strip_suffix('\n')?;
    let above = &above[line_start(above, above.len())..];
    let key = above.trim_end().strip_suffix(':')?;
    let deeper = indent.bytes().all(|byte| byte == b' ')
        && indent.len() > key.len() - key.trim_start().len();
    deeper.then(|| key.rsplit(['-', '_', ' ', '.']).next())?
}

impl NameScan<'_> {
    /// Returns the position of the value of `Default:` or a similar key, below the name alone in a
    /// line of YAML.
    pub(super) fn child_value(&self) -> Option<usize> {
        let start = self.line_start;
        let indent = &self.text[start..self.name.start];
        let near = self.text_near(self.name.end);
        if !near.starts_with(":\n") || !indent.bytes().all(|byte| byte == b' ') {
            return None;
        }
        let mut at = self.name.end + ":\n".len();
        for line in near[":\n".len()..].split_inclusive('\n').take(MAX_CHILDREN) {
            let key = line.trim_start_matches(' ');
            if line.len() - key.len() <= indent.len() {
                return None;
            }
            for word in ["default: ", "value: ", "plaintext: "] {
                let begin = key.get(..word.len()).unwrap_or_default();
                if begin.eq_ignore_ascii_case(word) {
                    return Some(at + line.len() - key.len() + word.len());
                }
            }
            at += line.len();
        }
        None
    }
}

impl NameScan<'_> {
    /// Returns the new value that a plan of changes shows after the old one that ends at `at`:
    /// `"old" -> "new"`.
    pub(super) fn next_value(&self, at: usize) -> Option<Range<usize>> {
        let quote = self.byte_at(at);
        let arrow = self.text.get(at + 1..)?.strip_prefix(" -> ")?;
        let is_quoted = matches!(quote, b'"' | b'\'') && arrow.as_bytes().first() == Some(&quote);
        let span = is_quoted.then(|| quoted_span(self.view, at + 1 + " -> ".len()))??;
        let value = &self.text[span.clone()];
        self.is_secret_value(Tie::Loose, true, value)
            .then_some(span)
    }

    /// Returns the part of a value before the host, if the name precedes a password in a URL.
    pub(super) fn without_host(&self, span: Range<usize>, is_quoted: bool) -> Range<usize> {
        let line = &self.text[self.line_start..self.name.start];
        let word = line.rsplit([' ', '\t', '"', '\'']).next().unwrap_or(line);
        let value = self.text.get(span.clone()).unwrap_or_default();
        match value.rfind('@') {
            Some(host) if word.ends_with("://") && !is_quoted => span.start..span.start + host,
            Some(_) | None => span,
        }
    }

    /// Extends the value by further groups of four characters that belong to a password.
    pub(super) fn with_groups(&self, span: Range<usize>, is_quoted: bool) -> Range<usize> {
        if is_quoted || self.kind != Name::Password || span.len() != 4 {
            return span;
        }
        let length = grouped_password_length(&self.text[span.start..]);
        span.start..span.end.max(span.start + length)
    }

    /// Returns the password in a value that is a user name and a password, if the name implies
    /// that.
    pub(super) fn without_user_name(&self, span: Range<usize>) -> Range<usize> {
        let name = self.text[self.name.clone()].to_ascii_lowercase();
        let value = self.text.get(span.clone()).unwrap_or_default();
        match value.find(':').filter(|_| name.ends_with("userpwd")) {
            Some(sign) => span.start + sign + 1..span.end,
            None => span,
        }
    }
}
