//! Translates globs to regular expressions.
//!
//! People write a path as it is on disk, even if its name contains glob characters:
//! `app/[user-id]/page.tsx`, `{{cookiecutter.name}}/setup.py`. A class, and braces without a comma,
//! therefore also match literally.

use unicode_normalization::UnicodeNormalization as _;

// Each level of braces without a comma doubles the size of the expression. Templates use at most
// three levels: `{{{name}}}`.
/// The deepest nesting of braces.
const MAX_DEPTH: usize = 3;

/// Any text, with or without `/`; file names need not be UTF-8.
const ANY: &str = r"(?s-u:.)*";
/// Any text without `/`.
const ANY_OF_PART: &str = r"(?-u:[^/])*";
/// One character other than `/`.
const ONE: &str = "[^/]";

/// The special characters of globs, which `\` makes literal.
pub(super) const SPECIAL: [char; 6] = ['*', '?', '[', '{', '}', '\\'];

/// Escapes a path to a glob that matches nothing else.
pub(super) fn escape(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for c in path.chars() {
        if SPECIAL.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Translates a glob to an anchored expression. Composed and decomposed letters match each other,
/// as on some file systems.
///
/// # Errors
///
/// Fails if the glob does not parse.
pub(super) fn glob_to_regex(glob: &str) -> Result<String, String> {
    let mut parser = Parser {
        chars: glob.nfc().collect(),
        at: 0,
    };
    let regex = parser.sequence(0)?;
    match parser.peek() {
        Some(_) => Err("it has `}` without `{`: write `\\}` for a literal brace".to_owned()),
        None => Ok(format!("^(?:{regex})$")),
    }
}

struct Parser {
    chars: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    /// Parses up to the end, or up to the end of an alternative at this brace depth.
    fn sequence(&mut self, depth: usize) -> Result<String, String> {
        let mut regex = String::new();
        while let Some(c) = self.peek() {
            match c {
                '}' => break,
                ',' if depth > 0 => break,
                '*' => regex.push_str(self.stars(depth)),
                '?' => {
                    self.at += 1;
                    regex.push_str(ONE);
                }
                '[' => regex.push_str(&self.class()?),
                '{' => regex.push_str(&self.alternatives(depth + 1)?),
                '\\' => {
                    let next = self.chars.get(self.at + 1);
                    let next = next.ok_or("it ends with `\\`")?;
                    push_literal(*next, &mut regex);
                    self.at += 2;
                }
                c => {
                    self.at += 1;
                    push_literal(c, &mut regex);
                }
            }
        }
        Ok(regex)
    }

    /// Parses stars: `**` as a whole part matches any folders, every other star any text within a
    /// part.
    fn stars(&mut self, depth: usize) -> &'static str {
        let begins = |c: char| c == '/' || depth > 0 && matches!(c, '{' | ',');
        let ends = |c: char| c == '/' || depth > 0 && matches!(c, '}' | ',');
        let before = self.at.checked_sub(1).map(|at| self.chars[at]);
        let begun = self.at;
        while self.peek() == Some('*') {
            self.at += 1;
        }
        let is_part =
            self.at - begun == 2 && before.is_none_or(begins) && self.peek().is_none_or(ends);
        match self.peek() {
            Some('/') if is_part => {
                self.at += 1;
                r"(?:(?s-u:.)*/)?"
            }
            _ if is_part => ANY,
            _ => ANY_OF_PART,
        }
    }

    /// Parses `[…]`, which matches one of its characters or itself literally.
    fn class(&mut self) -> Result<String, String> {
        let begun = self.at;
        let mut at = begun + 1;
        let is_negated = matches!(self.chars.get(at), Some('!' | '^'));
        at += usize::from(is_negated);
        let first = at;
        // A `]` in first place belongs to the class and does not end it.
        let rest = self.chars.iter().skip(first + 1);
        let length = rest.into_iter().position(|c| *c == ']');
        let end = first
            + 1
            + length.ok_or("it has `[` without `]`: write `\\[` for a literal bracket")?;
        let inside = &self.chars[first..end];
        self.at = end + 1;
        let mut written = String::new();
        for c in &self.chars[begun..=end] {
            push_literal(*c, &mut written);
        }
        Ok(match ranges(inside) {
            Some(ranges) if is_negated => format!(r"(?:[^/{ranges}]|{written})"),
            Some(ranges) => format!("(?:[{ranges}]|{written})"),
            // A reversed range, such as `r-i` in `[user-id]`, is not a valid class, so match the
            // text literally.
            None => written,
        })
    }

    /// Parses `{a,b}`, which matches either alternative. Braces without a comma may be part of the
    /// name.
    fn alternatives(&mut self, depth: usize) -> Result<String, String> {
        if depth > MAX_DEPTH {
            return Err("its braces are nested too deeply".to_owned());
        }
        let mut all = Vec::new();
        loop {
            self.at += 1;
            all.push(self.sequence(depth)?);
            match self.peek() {
                Some(',') => {}
                Some(_) => break,
                None => {
                    let fault = "it has `{` without `}`: write `\\{` for a literal brace";
                    return Err(fault.to_owned());
                }
            }
        }
        self.at += 1;
        if let [one] = all.as_slice() {
            return Ok(format!(r"(?:{one}|\{{(?:{one})\}})"));
        }
        all.retain(|it| !it.is_empty());
        Ok(format!("(?:{})", all.join("|")))
    }
}

/// Translates the characters of a class, or returns `None` if it contains a reversed range.
fn ranges(inside: &[char]) -> Option<String> {
    let mut ranges = String::new();
    let mut rest = inside;
    while let [first, after @ ..] = rest {
        match after {
            ['-', last, after @ ..] if first <= last => {
                ranges.push_str(&format!("{}-{}", code(*first), code(*last)));
                rest = after;
            }
            ['-', _, ..] => return None,
            _ => {
                ranges.push_str(&code(*first));
                rest = after;
            }
        }
    }
    Some(ranges)
}

fn code(c: char) -> String {
    format!(r"\x{{{:x}}}", u32::from(c))
}

fn push_literal(c: char, regex: &mut String) {
    match c.is_ascii_alphanumeric() || matches!(c, '/' | '_') {
        true => regex.push(c),
        false => regex.push_str(&code(c)),
    }
}
