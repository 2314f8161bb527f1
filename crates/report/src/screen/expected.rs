//! The expected time and tokens of a debate, in words.

use agon_rules::expected::Expected;

use crate::text::abbreviate_count;

/// Returns the expected time and tokens, such as `about 6–9 min, 60–150k tokens`.
pub fn describe_expected(expected: &Expected) -> String {
    let (low, high) = (expected.low, expected.high);
    format!(
        "about {}, {} tokens",
        format_time_range(low.ms, high.ms),
        format_range(
            format_two_digit_tokens(low.tokens),
            format_two_digit_tokens(high.tokens)
        )
    )
}

/// Returns a time range in seconds or minutes.
fn format_time_range(low_ms: u64, high_ms: u64) -> String {
    let (low, high) = (low_ms.div_ceil(1_000), high_ms.div_ceil(1_000));
    if high < 120 {
        return format!("{} s", format_range(low.to_string(), high.to_string()));
    }
    // At least 1, since "0 min" as the lower end would say nothing.
    let minutes = |seconds: u64| ((seconds + 30) / 60).max(1).to_string();
    format!("{} min", format_range(minutes(low), minutes(high)))
}

/// Rounds a token count to two digits: more would suggest a precision that is not there.
fn format_two_digit_tokens(count: u64) -> String {
    let digits = count.max(1).ilog10();
    let unit = 10_u64.pow(digits.saturating_sub(1));
    abbreviate_count((count + unit / 2) / unit * unit)
}

/// Returns `6–9` or `60–150k`, or a single value if both ends are the same.
fn format_range(low: String, high: String) -> String {
    if low == high {
        return high;
    }
    let unit = |text: &str| text.chars().next_back().filter(char::is_ascii_alphabetic);
    match unit(&low) {
        Some(letter) if unit(&high) == Some(letter) => {
            format!("{}–{high}", low.trim_end_matches(letter))
        }
        Some(_) | None => format!("{low}–{high}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_rules::expected::TimeAndTokens;

    #[test]
    fn both_ends_are_rounded_and_one_is_enough_where_they_are_the_same() {
        let said = |low: (u64, u64), high: (u64, u64)| {
            let takes = |(seconds, tokens): (u64, u64)| TimeAndTokens {
                ms: seconds * 1_000,
                tokens,
            };
            describe_expected(&Expected {
                low: takes(low),
                middle: takes(low),
                high: takes(high),
            })
        };
        assert_eq!(
            said((350, 61_234), (545, 148_700)),
            "about 6–9 min, 61–150k tokens"
        );
        assert_eq!(
            said((400, 50_100), (410, 50_200)),
            "about 7 min, 50k tokens"
        );
        assert_eq!(said((8, 730), (45, 9_800)), "about 8–45 s, 730–10k tokens");
        assert_eq!(said((0, 0), (0, 0)), "about 0 s, 0 tokens");
        assert_eq!(
            said((20, 999_000), (200, 2_310_000)),
            "about 1–3 min, 1.0–2.3M tokens"
        );
    }
}
