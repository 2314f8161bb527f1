//! Times in files: UTC with milliseconds.

use jiff::Timestamp;

/// Formats milliseconds since 1970 as `2026-11-21T20:00:00.000Z`.
pub fn to_text(at_ms: u64) -> String {
    let at = i64::try_from(at_ms)
        .ok()
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(Timestamp::MAX);
    format!("{at:.3}")
}

/// Formats milliseconds since 1970 as `2026-11-21T20:00:00.000000+00:00`, like other tools.
pub fn to_text_with_offset(at_ms: u64) -> String {
    let text = to_text(at_ms);
    format!("{}000+00:00", text.trim_end_matches('Z'))
}

/// Parses milliseconds since 1970; `None` if the text is not a time, or is earlier.
pub fn from_text(text: &str) -> Option<u64> {
    let at: Timestamp = text.parse().ok()?;
    u64::try_from(at.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_reads_back_as_it_was_written() {
        assert_eq!(to_text(1_795_291_200_042), "2026-11-21T20:00:00.042Z");
        assert_eq!(
            from_text("2026-11-21T20:00:00.042Z"),
            Some(1_795_291_200_042)
        );
        let offset = to_text_with_offset(1_795_291_200_042);
        assert_eq!(offset, "2026-11-21T20:00:00.042000+00:00");
        assert_eq!(from_text(&offset), Some(1_795_291_200_042));
        assert_eq!(from_text("1969-12-31T23:59:59Z"), None);
        assert_eq!(from_text("yesterday"), None);
    }

    #[test]
    fn a_time_beyond_the_calendar_is_the_last_one() {
        assert_eq!(to_text(u64::MAX), format!("{:.3}", Timestamp::MAX));
    }
}
