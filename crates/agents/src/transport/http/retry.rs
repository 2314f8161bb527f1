//! Reads how long a service asks to wait before a retry.

use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

// A third of a debate's default time limit of 30 minutes. Checked by
// `no_wait_is_longer_than_ten_minutes_and_nonsense_is_none`.
/// The longest wait; a longer one is shortened to this.
const MAX_WAIT_MS: u64 = 10 * 60 * 1_000;

/// Returns the milliseconds to wait according to `retry-after-ms` or `retry-after`. The latter is
/// in seconds, or a time that is compared with the answer's date.
pub(super) fn retry_after_ms(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let precise = text("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok());
    let wait = precise.or_else(|| {
        let said = text(RETRY_AFTER.as_str())?;
        let seconds = said.parse::<f64>().ok().or_else(|| {
            let now = text(DATE.as_str()).and_then(parse_unix_seconds)?;
            #[expect(
                clippy::cast_precision_loss,
                reason = "the difference of two dates fits"
            )]
            Some(seconds_between(now, parse_unix_seconds(said)?) as f64)
        })?;
        Some(seconds * 1_000.0)
    })?;
    if !wait.is_finite() || wait < 0.0 {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "finite and not negative; the cast saturates"
    )]
    Some((wait.ceil() as u64).min(MAX_WAIT_MS))
}

fn seconds_between(now: i64, then: i64) -> i64 {
    then.saturating_sub(now).max(0)
}

/// Parses a time such as `Sun, 06 Nov 1994 08:49:37 GMT` into seconds since 1970.
fn parse_unix_seconds(text: &str) -> Option<i64> {
    const TIMES: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);
    Some(TIMES.parse_timestamp(text).ok()?.as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(pairs: &[(&'static str, &'static str)]) -> Option<u64> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, value.parse().unwrap());
        }
        retry_after_ms(&headers)
    }

    #[test]
    fn a_wait_is_seconds_or_a_time() {
        let now = ("date", "Tue, 29 Feb 2028 23:59:50 GMT");
        assert_eq!(wait(&[("retry-after", "7")]), Some(7_000));
        assert_eq!(wait(&[("retry-after", "1.5")]), Some(1_500));
        assert_eq!(
            wait(&[("retry-after-ms", "250"), ("retry-after", "7")]),
            Some(250)
        );
        assert_eq!(
            wait(&[now, ("retry-after", "Wed, 01 Mar 2028 00:00:20 GMT")]),
            Some(30_000)
        );
        assert_eq!(
            wait(&[now, ("retry-after", "Mon, 28 Feb 2028 00:00:00 GMT")]),
            Some(0)
        );
        assert_eq!(
            wait(&[now, ("retry-after", "Tue, 29 Feb 2028 23:59:50 GMT")]),
            Some(0)
        );
    }

    #[test]
    fn no_wait_is_longer_than_ten_minutes_and_nonsense_is_none() {
        assert_eq!(wait(&[("retry-after", "86400")]), Some(600_000));
        assert_eq!(wait(&[("retry-after", "1e300")]), Some(600_000));
        for nonsense in [
            "",
            "soon",
            "-5",
            "NaN",
            "inf",
            "Sun, 99 Foo 1994 08:49:37 GMT",
        ] {
            assert_eq!(wait(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
        // Without a clock of its own a time says nothing.
        assert_eq!(
            wait(&[("retry-after", "Wed, 01 Mar 2028 00:00:20 GMT")]),
            None
        );
    }

    #[test]
    fn a_time_is_seconds_since_1970() {
        assert_eq!(parse_unix_seconds("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(
            parse_unix_seconds("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some(784_111_777)
        );
        assert_eq!(
            parse_unix_seconds("Tue, 29 Feb 2028 23:59:50 GMT"),
            Some(1_835_481_590)
        );
    }
}
