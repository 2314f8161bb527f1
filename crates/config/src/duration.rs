//! Parses durations as people write them: `90`, `90s`, `10m`, `1h30m`.

use std::fmt;

use jiff::SignedDuration;
use serde::de::{self, Deserializer, Visitor};

/// Parses a duration to whole seconds: a number of seconds, or numbers with `s`, `m` or `h`.
///
/// # Errors
///
/// If `text` is not a duration; the message describes a valid one.
pub fn parse_seconds(text: &str) -> Result<u64, String> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Ok(seconds);
    }
    let parsed = text.parse::<SignedDuration>().ok();
    let seconds = parsed.and_then(|duration| u64::try_from(duration.as_secs()).ok());
    seconds.ok_or_else(|| "expected a time such as 90s, 10m or 1h30m".to_owned())
}

/// Deserializes seconds from a number or a string.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    from.deserialize_any(Seconds).map(Some)
}

struct Seconds;

impl Visitor<'_> for Seconds {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time such as 90s, 10m or 1h30m, or a number of seconds")
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<u64, E> {
        Ok(seconds)
    }

    fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<u64, E> {
        u64::try_from(seconds).map_err(|_| E::invalid_value(de::Unexpected::Signed(seconds), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<u64, E> {
        parse_seconds(text).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_people_write_it() {
        let read = ["90", "90s", "10m", "1h30m", "1h 30m"].map(parse_seconds);
        assert_eq!(read, [90, 90, 600, 5_400, 5_400].map(Ok));
        for text in ["", "soon", "10x", "-5m", "-5"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
