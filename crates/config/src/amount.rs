//! Parses numbers as people write them: `4000`, `64_000`, `100k`, `1.5M`, and dollar amounts.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserializer, Visitor};

/// Description of a valid number, for messages.
const NUMBERS: &str = "a whole number such as 4000, 100k or 1.5M";

/// Parses a whole number; `k` means thousand, `M` million.
///
/// # Errors
///
/// If `text` is not a number; the message describes a valid one.
pub fn parse_number(text: &str) -> Result<u64, String> {
    let wrong = || format!("expected {NUMBERS}");
    let digits = text.trim().replace('_', "");
    let (digits, zeros) = match digits.strip_suffix(['k', 'K']) {
        Some(digits) => (digits, 3),
        None => match digits.strip_suffix(['m', 'M']) {
            Some(digits) => (digits, 6),
            None => (digits.as_str(), 0),
        },
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(part) {
        return Err(wrong());
    }
    // `1.50k` is a whole number too, so remove trailing zeros before the length check.
    let part = part.trim_end_matches('0');
    if part.len() > zeros {
        return Err(wrong());
    }
    let number = format!("{whole}{part:0<zeros$}").parse();
    number.map_err(|_| wrong())
}

/// Parses an amount of US dollars greater than 0.
///
/// # Errors
///
/// If `text` is not such an amount; the message describes a valid one.
pub fn parse_dollars(text: &str) -> Result<f64, String> {
    let text = text.trim();
    let dollars = text.strip_prefix('$').unwrap_or(text).parse().ok();
    let dollars = dollars.filter(|it: &f64| it.is_finite() && *it > 0.0);
    dollars.ok_or_else(|| "expected an amount of dollars greater than 0, such as 2.50".to_owned())
}

/// Deserializes a whole number from a number or a string.
pub(crate) fn deserialize<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    from.deserialize_any(Number(PhantomData)).map(Some)
}

struct Number<T>(PhantomData<T>);

impl<T: TryFrom<u64>> Visitor<'_> for Number<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NUMBERS)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<T, E> {
        let wrong = || E::invalid_value(de::Unexpected::Unsigned(number), &self);
        T::try_from(number).map_err(|_| wrong())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<T, E> {
        let number = u64::try_from(number)
            .map_err(|_| E::invalid_value(de::Unexpected::Signed(number), &self))?;
        self.visit_u64(number)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        let number =
            parse_number(text).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))?;
        self.visit_u64(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_in_ones_thousands_and_millions() {
        let read = ["4000", " 4k", "1.5K", "2m", "0.25M", "64_000", "1.50k", "0"].map(parse_number);
        let want = [4_000, 4_000, 1_500, 2_000_000, 250_000, 64_000, 1_500, 0].map(Ok);
        assert_eq!(read, want);
        assert_eq!(parse_number("18446744073709551615"), Ok(u64::MAX));
        for text in [
            "",
            "k",
            ".5k",
            "1.k",
            "-4k",
            "4g",
            "4kk",
            "1.5",
            "1.2345k",
            "nan",
            "inf",
            "1e5",
            "+4",
            "18446744073709551616",
            "20000000000000000k",
        ] {
            assert!(parse_number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn dollars_are_more_than_nothing_and_finite() {
        let read = ["2.50", "$3", " 0.01 "].map(parse_dollars);
        assert_eq!(read, [2.5, 3.0, 0.01].map(Ok));
        for text in ["", "$", "0", "-1", "inf", "nan", "1e999", "two"] {
            assert!(parse_dollars(text).is_err(), "{text}");
        }
    }
}
