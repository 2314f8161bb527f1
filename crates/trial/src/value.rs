//! Numbers and expressions in answers.

mod expression;

pub(crate) use expression::expression_value;
pub(crate) use expression::numbers_of;

/// Returns the last percentage in a text, from 0 to 100, and where its number begins.
pub(crate) fn percent_in(text: &str) -> Option<(f64, usize)> {
    let mut places = text.rmatch_indices('%').map(|(at, _)| at);
    places.find_map(|end| {
        let before = text.get(..end)?.trim_end();
        let digits = before.rfind(|c: char| !c.is_ascii_digit() && c != '.');
        let start = digits.map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
        let percent: f64 = before.get(start..)?.parse().ok()?;
        (0.0..=100.0).contains(&percent).then_some((percent, start))
    })
}

/// Returns a text up to its percentage and the bracket before it.
pub(crate) fn without_percent(text: &str) -> &str {
    match percent_in(text) {
        Some((_, start)) => {
            let head = text.get(..start).unwrap_or_default().trim_end();
            head.strip_suffix('(')
                .unwrap_or(head)
                .trim_end_matches([' ', ','])
        }
        None => text.trim_end(),
    }
}

/// Returns the first number in a text, such as -1,234.5 or 3,5. A point before three digits, as in
/// 1.200, is a decimal one.
pub(crate) fn number_in(text: &str) -> Option<f64> {
    // A percentage alone is the number and not a confidence.
    let before = without_percent(text);
    let text = if before.is_empty() { text } else { before };
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let digits = &text[start..end.map_or(text.len(), |end| start + end)];
    let digits = plain_digits(digits.trim_end_matches(['.', ',']));
    let value: f64 = digits.parse().ok()?;
    let is_negative = text[..start].ends_with(['-', '−']);
    Some(if is_negative { -value } else { value })
}

/// Returns digits with a decimal point, if any, and without separators of thousands.
fn plain_digits(digits: &str) -> String {
    let is_decimal_comma = match digits.rsplit_once(',') {
        None => false,
        Some((whole, after)) if whole.contains('.') => !after.contains('.'),
        Some((whole, after)) => {
            let is_thousands = after.len() == 3 || after.contains('.');
            !is_thousands && !whole.contains(',')
        }
    };
    match is_decimal_comma {
        true => digits.replace('.', "").replace(',', "."),
        false => digits.replace(',', ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_have_a_decimal_comma_or_separators_of_thousands() {
        for (text, value) in [
            ("-1,234.5", -1234.5),
            ("1,234,567", 1_234_567.0),
            ("1,234", 1234.0),
            ("3,5", 3.5),
            ("1.200,5 Euro", 1200.5),
            ("1.200", 1.2),
            ("25% (80%)", 25.0),
        ] {
            assert_eq!(number_in(text), Some(value), "{text}");
        }
    }
}
