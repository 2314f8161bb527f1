//! The syntax of globs, written as regular expressions.
//!
//! People write a path as it is on the disk, also where its name has the characters of a glob:
//! `app/[user-id]/page.tsx`, `{{cookiecutter.name}}/setup.py`. So a class, and braces without a comma,
//! also stand for themselves.

use unicode_normalization::UnicodeNormalization as _;

// Braces without a comma double what is in them. Templates nest them three deep at most: `{{{name}}}`.
/// The deepest that braces may stand in braces.
const MAX_DEPTH: usize = 3;

/// Any text, with `/` in it or not; a name of a file need not be UTF-8.
const ANY: &str = r"(?s-u:.)*";
/// Any text without `/`.
const ANY_OF_PART: &str = r"(?-u:[^/])*";
/// One character other than `/`.
const ONE: &str = "[^/]";

/// Characters of a glob that `\` takes their meaning from.
pub(super) const SPECIAL: [char; 6] = ['*', '?', '[', '{', '}', '\\'];

/// A path as the glob of nothing else.
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

/// The expression of what a glob names, from start to end. Both forms of a composed letter are one,
/// as they are for some file systems.
///
/// # Errors
///
/// If the glob does not parse.
pub(super) fn regex_of(glob: &str) -> Result<String, String> {
    let mut parser = Parser {
        chars: glob.nfc().collect(),
        at: 0,
    };
    let regex = parser.sequence(0)?;
    match parser.peek() {
        Some(_) => Err("it has `}` without `{`: write `\\}` where the name has it".to_owned()),
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

    /// All up to the end, or up to what ends an alternative at this depth of braces.
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
                    let next = next.ok_or("nothing is behind its last `\\`")?;
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

    /// `**` as a whole part is any folders; every other star, any text of a part.
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

    /// `[…]`: one of its characters, or what is written.
    fn class(&mut self) -> Result<String, String> {
        let begun = self.at;
        let mut at = begun + 1;
        let is_negated = matches!(self.chars.get(at), Some('!' | '^'));
        at += usize::from(is_negated);
        let first = at;
        // A `]` that comes first is one of the characters.
        let rest = self.chars.iter().skip(first + 1);
        let length = rest.into_iter().position(|c| *c == ']');
        let end = first
            + 1
            + length.ok_or("it has `[` without `]`: write `\\[` where the name has it")?;
        let inside = &self.chars[first..end];
        self.at = end + 1;
        let mut written = String::new();
        for c in &self.chars[begun..=end] {
            push_literal(*c, &mut written);
        }
        Ok(match ranges(inside) {
            Some(ranges) if is_negated => format!(r"(?:[^/{ranges}]|{written})"),
            Some(ranges) => format!("(?:[{ranges}]|{written})"),
            // `[user-id]` is a name: as a class its range would end before it begins.
            None => written,
        })
    }

    /// `{a,b}`: either. Without a comma the braces may be of the name.
    fn alternatives(&mut self, depth: usize) -> Result<String, String> {
        if depth > MAX_DEPTH {
            return Err("its braces are nested too deep".to_owned());
        }
        let mut all = Vec::new();
        loop {
            self.at += 1;
            all.push(self.sequence(depth)?);
            match self.peek() {
                Some(',') => {}
                Some(_) => break,
                None => {
                    let fault = "it has `{` without `}`: write `\\{` where the name has it";
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

/// The characters of a class in one of an expression; none if a range of them ends before it begins.
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
