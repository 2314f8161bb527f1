//! Parses statements such as `att(a, b).`, used by formats for logic programs.

use super::ReadError;

/// One statement: a word with up to three terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement<'t> {
    pub(super) line: usize,
    pub(super) word: &'t str,
    terms: [&'t str; 3],
    count: usize,
}

impl<'t> Statement<'t> {
    pub(super) fn terms(&self) -> &[&'t str] {
        &self.terms[..self.count]
    }
}

/// An iterator over statements; the text after `%` or `#` on a line is a comment.
#[derive(Debug)]
pub(super) struct Statements<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Statements<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            rest: text,
            line: 1,
        }
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            match self.rest.as_bytes() {
                [b'\n', ..] => {
                    self.line += 1;
                    self.rest = &self.rest[1..];
                }
                [b' ' | b'\t' | b'\r', ..] => self.rest = &self.rest[1..],
                [b'%' | b'#', ..] => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                }
                _ => return,
            }
        }
    }

    fn parse_statement(&mut self) -> Result<Statement<'t>, ReadError> {
        let line = self.line;
        let malformed = || ReadError::expected(line, "a statement such as `att(a,b).`");
        let (word, rest) = self.rest.split_once('(').ok_or_else(malformed)?;
        let (inside, rest) = rest.split_once(')').ok_or_else(malformed)?;
        if word.contains('\n') || inside.contains(['\n', '(']) {
            return Err(malformed());
        }
        let mut statement = Statement {
            line,
            word: word.trim(),
            terms: [""; 3],
            count: 0,
        };
        for term in inside.split(',') {
            let place = statement.terms.get_mut(statement.count);
            let place = place.ok_or_else(malformed)?;
            *place = term.trim();
            if place.is_empty() {
                return Err(malformed());
            }
            statement.count += 1;
        }
        let rest = rest.trim_start_matches([' ', '\t']);
        self.rest = rest.strip_prefix('.').unwrap_or(rest);
        Ok(statement)
    }
}

impl<'t> Iterator for Statements<'t> {
    type Item = Result<Statement<'t>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks_and_comments();
        if self.rest.is_empty() {
            return None;
        }
        let statement = self.parse_statement();
        if statement.is_err() {
            self.rest = "";
        }
        Some(statement)
    }
}

/// Whether a character would end a term or has a special meaning inside one.
pub(super) fn is_special(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | ',' | '%' | '#')
}
