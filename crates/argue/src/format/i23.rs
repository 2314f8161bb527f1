//! Attacks between numbers: `p af 3`, then `1 2` for each attack, arguments counted from 1.
//!
//! Lines that start with `#` and empty lines are ignored.

use std::fmt::Write as _;

use super::ReadError;
use crate::csr::Csr;
use crate::{Af, ArgId, GraphError, MAX_ARGUMENTS};

/// Reads a framework; argument 1 of the file becomes 0.
///
/// # Errors
///
/// If a line has another form, or names an argument beyond the first line's count.
///
/// ```
/// use agon_argue::{ArgId, format::i23};
///
/// let af = i23::read("p af 3\n# a chain\n1 2\n2 3\n")?;
/// assert_eq!(af.targets(ArgId(0)), [ArgId(1)]);
/// assert_eq!(i23::read("p af 3\n1 4\n").unwrap_err().line, 2);
/// # Ok::<(), agon_argue::format::ReadError>(())
/// ```
pub fn read(text: impl AsRef<[u8]>) -> Result<Af, ReadError> {
    let mut cursor = Cursor {
        rest: text.as_ref(),
        line: 1,
    };
    let n = cursor.read_argument_count()?;
    // Estimate eight bytes per attack; the shortest line has four.
    let mut targets = Csr::builder(n as usize, cursor.rest.len() / 8);
    while cursor.skip_blanks_and_comments() {
        let from = cursor.read_argument(n)?;
        let to = cursor.read_argument(n)?;
        cursor.expect_line_end()?;
        targets.push(from, to);
    }
    if targets.pair_count() >= u32::MAX as usize {
        return Err(ReadError::invalid_graph(cursor.line, GraphError::TooLarge));
    }
    Ok(Af::from_target_rows(targets.finish()))
}

/// Writes a framework.
pub fn write(af: &Af) -> String {
    let mut text = format!("p af {}\n", af.len());
    for (from, to) in af.attacks() {
        // Writing to a string cannot fail.
        _ = writeln!(text, "{} {}", from.0 + 1, to.0 + 1);
    }
    text
}

/// Writes a set of arguments in the competitions' format: `w 1 3`.
pub fn write_witness(set: &[ArgId]) -> String {
    let mut text = String::from("w");
    for a in set {
        _ = write!(text, " {}", a.0 + 1);
    }
    text
}

struct Cursor<'t> {
    rest: &'t [u8],
    line: usize,
}

impl Cursor<'_> {
    fn read_argument_count(&mut self) -> Result<u32, ReadError> {
        const WHAT: &str = "`p af N`, with N the number of arguments";
        let line = |it: &Self| ReadError::expected(it.line, WHAT);
        self.skip_blanks_and_comments();
        for word in [&b"p"[..], b"af"] {
            self.rest = self.rest.strip_prefix(word).ok_or_else(|| line(self))?;
            if !self.skip_blanks() {
                return Err(line(self));
            }
        }
        let n = self.read_number().ok_or_else(|| line(self))?;
        if n > MAX_ARGUMENTS as u64 {
            return Err(ReadError::invalid_graph(self.line, GraphError::TooLarge));
        }
        self.expect_line_end()?;
        Ok(n as u32)
    }

    /// Skips spaces, empty lines and comments; returns false at the end of the text.
    #[inline]
    fn skip_blanks_and_comments(&mut self) -> bool {
        loop {
            match self.rest {
                [b'0'..=b'9', ..] => return true,
                [b'\n', rest @ ..] => {
                    self.line += 1;
                    self.rest = rest;
                }
                [b' ' | b'\t' | b'\r', rest @ ..] => self.rest = rest,
                [b'#', ..] => {
                    let end = self.rest.iter().position(|&byte| byte == b'\n');
                    self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
                }
                [] => return false,
                [_, ..] => return true,
            }
        }
    }

    #[inline]
    fn skip_blanks(&mut self) -> bool {
        let start = self.rest.len();
        while let [b' ' | b'\t' | b'\r', rest @ ..] = self.rest {
            self.rest = rest;
        }
        self.rest.len() < start
    }

    /// Reads a number of at most ten digits.
    #[inline]
    fn read_number(&mut self) -> Option<u64> {
        if let Some((value, digits)) = parse_few_digits(self.rest) {
            self.rest = &self.rest[digits..];
            return Some(value);
        }
        let mut value = 0_u64;
        let mut digits = 0;
        while let Some(&byte) = self.rest.get(digits) {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 || digits == 10 {
                break;
            }
            value = value * 10 + u64::from(digit);
            digits += 1;
        }
        self.rest = &self.rest[digits..];
        (digits > 0).then_some(value)
    }

    #[inline]
    fn read_argument(&mut self, n: u32) -> Result<u32, ReadError> {
        self.skip_blanks();
        let line = self.line;
        let number = self
            .read_number()
            .ok_or_else(|| ReadError::expected(line, "two numbers of arguments"))?;
        if number == 0 {
            return Err(ReadError::expected(line, "a number from 1"));
        }
        if number > u64::from(n) {
            let index = u32::try_from(number - 1).unwrap_or(u32::MAX);
            let len = n as usize;
            return Err(ReadError::invalid_graph(
                line,
                GraphError::NoSuchArgument { index, len },
            ));
        }
        Ok((number - 1) as u32)
    }

    #[inline]
    fn expect_line_end(&mut self) -> Result<(), ReadError> {
        self.skip_blanks();
        match self.rest {
            [b'\n', rest @ ..] => {
                self.line += 1;
                self.rest = rest;
                Ok(())
            }
            [] => Ok(()),
            [_, ..] => Err(ReadError::expected(self.line, "the end of the line")),
        }
    }
}

/// Parses one to seven digits at once, from eight bytes with a non-digit after the digits.
#[inline]
fn parse_few_digits(text: &[u8]) -> Option<(u64, usize)> {
    // Turns digits into their values; below, the high bit of each other byte is set.
    let bytes = u64::from_le_bytes(*text.first_chunk()?) ^ 0x3030_3030_3030_3030;
    let others = (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080;
    let digits = (others.trailing_zeros() / 8) as usize;
    if digits == 0 || digits == 8 {
        return None;
    }
    // Adds leading zeros, then combines neighbouring digits into groups of two, four and eight.
    let all = bytes << (64 - 8 * digits);
    let pairs = all.wrapping_mul(10).wrapping_add(all >> 8);
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let high = ((pairs >> 16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    Some((low.wrapping_add(high) >> 32, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_read_alike_at_once_and_by_digit(
            number in prop_oneof![0..10_u64, 0..20_000_000_u64, any::<u64>()],
            after in prop::collection::vec(any::<u8>(), 0..10),
        ) {
            let mut text = number.to_string().into_bytes();
            text.extend(after.iter().map(|byte| if byte.is_ascii_digit() { b' ' } else { *byte }));
            if let Some((value, digits)) = parse_few_digits(&text) {
                prop_assert_eq!((value, digits), (number, number.to_string().len()));
            }
            let mut cursor = Cursor { rest: &text, line: 1 };
            let few = number.to_string().len() <= 10;
            prop_assert_eq!(cursor.read_number() == Some(number), few);
        }

        #[test]
        fn what_starts_with_no_digit_is_no_number(first in any::<u8>(), rest in any::<[u8; 9]>()) {
            prop_assume!(!first.is_ascii_digit());
            let text = [[first].as_slice(), &rest].concat();
            prop_assert_eq!(parse_few_digits(&text), None);
        }
    }
}
