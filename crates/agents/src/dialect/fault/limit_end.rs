//! Finds the time at which a usage limit resets in a tool's message.
//!
//! Only numbers, units and times are used; no other text of the message is shown.

use std::fmt::Write as _;

/// Words that precede a time of day.
const BEFORE_TIMES: [&str; 5] = ["resets at ", "resets ", "reset at ", "again at ", "until "];

/// Words that precede a duration.
const BEFORE_SPANS: [&str; 4] = ["again in ", "resets in ", "reset in ", "retry in "];

/// Units of a duration: how they begin in the message, and the word to show.
const UNITS: [(&str, &str); 3] = [("d", "day"), ("h", "hour"), ("m", "minute")];

/// Returns when the limit resets, as text to follow `until`: `5pm`, `17:30` or `3 hours from now`;
/// `None` if the message (in lower case) does not say.
pub(super) fn find_limit_end(message: &str) -> Option<String> {
    let after = |lead: &&str| {
        let at = message.find(*lead)?;
        message.get(at + lead.len()..)
    };
    let span = BEFORE_SPANS.iter().filter_map(after).find_map(read_span);
    span.or_else(|| BEFORE_TIMES.iter().filter_map(after).find_map(read_time))
}

/// Reads a duration such as `3 hours 5 minutes`, as a time from now.
fn read_span(mut text: &str) -> Option<String> {
    let mut told = String::new();
    loop {
        let (number, rest) = read_number(text)?;
        let rest = rest.trim_start();
        let Some((_, unit)) = UNITS.iter().find(|(begin, _)| rest.starts_with(begin)) else {
            break;
        };
        // Ignore months, which are too long to wait for, and milliseconds.
        let word = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if rest.starts_with("mo") || rest.starts_with("ms") || rest.starts_with("mil") {
            break;
        }
        let plural = if number == 1 { "" } else { "s" };
        let blank = if told.is_empty() { "" } else { " " };
        write!(told, "{blank}{number} {unit}{plural}").ok()?;
        text = rest.get(word..)?.trim_start_matches([' ', ',']);
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
    }
    (!told.is_empty()).then(|| format!("{told} from now"))
}

/// Reads a time of day such as `5pm`, `5:42 pm` or `17:30`.
fn read_time(text: &str) -> Option<String> {
    let (hour, rest) = read_number(text)?;
    let (minute, rest) = match rest.strip_prefix(':') {
        Some(after) => {
            let (minute, rest) = read_number(after)?;
            (Some(minute), rest)
        }
        None => (None, rest),
    };
    let half = ["am", "pm"]
        .into_iter()
        .find(|half| rest.trim_start().starts_with(half));
    // An hour without minutes, `am` or `pm` is ambiguous.
    if hour > 24 || minute.is_some_and(|it| it > 59) || minute.is_none() && half.is_none() {
        return None;
    }
    let minute = minute.map(|it| format!(":{it:02}")).unwrap_or_default();
    Some(format!("{hour}{minute}{}", half.unwrap_or_default()))
}

/// Reads a number of at most four digits; also returns the rest of the text.
fn read_number(text: &str) -> Option<(u16, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=4).contains(&digits) {
        return None;
    }
    Some((text.get(..digits)?.parse().ok()?, text.get(digits..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_limit_is_read_and_no_other_word() {
        for (message, end) in [
            ("you've hit your limit · resets 5pm", Some("5pm")),
            (
                "limit reached, resets 5:42 pm (europe/berlin)",
                Some("5:42pm"),
            ),
            ("usage limit; resets at 17:05.", Some("17:05")),
            (
                "usage limit. try again in 3 hours.",
                Some("3 hours from now"),
            ),
            (
                "try again in 1 day 2 hours 5 minutes",
                Some("1 day 2 hours 5 minutes from now"),
            ),
            ("try again at 7:00 am", Some("7:00am")),
            ("resets soon", None),
            ("resets 5", None),
            ("try again in 90210 hours", None),
            ("try again in secret", None),
            ("try again in 20ms", None),
            ("resets 99:99", None),
        ] {
            assert_eq!(find_limit_end(message).as_deref(), end, "{message}");
        }
    }
}
