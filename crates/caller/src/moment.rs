//! Parses moments in the past.

use agon_record::text::sanitise_line;
use jiff::civil::Date;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};

use crate::system::now_ms;
use crate::{Code, Failure};

/// Parses a moment such as `7d` or `2026-11-01`; returns milliseconds since 1970.
pub fn parse_moment_ms(text: &str) -> Result<u64, Failure> {
    let at = moment(text).and_then(|at| u64::try_from(at.as_millisecond()).ok());
    at.ok_or_else(|| {
        let text = sanitise_line(text, 60);
        Failure::new(
            Code::InvalidParameter,
            format!("cannot read `{text}` as a time in the past"),
        )
        .parameter("since")
        .hint("use 7d, 24h, 2w, a day such as 2026-11-01, or a time such as 2026-11-01T12:00:00Z")
    })
}

fn moment(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    if let Ok(day) = text.parse::<Date>() {
        return Some(day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp());
    }
    let span: Span = text.parse().ok()?;
    let ago = span
        .abs()
        .to_duration(SpanRelativeTo::days_are_24_hours())
        .ok()?;
    let now = Timestamp::from_millisecond(i64::try_from(now_ms()).ok()?).ok()?;
    (ago > SignedDuration::ZERO).then(|| now.checked_sub(ago).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::format_time;

    #[test]
    fn a_moment_is_an_age_a_day_or_a_time() {
        let day = parse_moment_ms("2026-11-01").unwrap();
        assert_eq!(format_time(day), "2026-11-01T00:00:00Z");
        assert_eq!(
            format_time(parse_moment_ms("2026-11-01T12:30:00+01:00").unwrap()),
            "2026-11-01T11:30:00Z"
        );
        let now = now_ms();
        for (text, hours) in [("7d", 168), ("24h", 24), ("2w", 336), ("1 day 2 hours", 26)] {
            let at = parse_moment_ms(text).unwrap();
            let off = now.saturating_sub(hours * 3_600_000).abs_diff(at);
            assert!(off < 60_000, "{text}: {at}");
        }
        for text in [
            "",
            "yesterday",
            "0d",
            "7",
            "1969-01-01",
            "-",
            "9999999y",
            "2026-13-01",
        ] {
            assert_eq!(
                parse_moment_ms(text).unwrap_err().code,
                Code::InvalidParameter,
                "{text}"
            );
        }
    }
}
