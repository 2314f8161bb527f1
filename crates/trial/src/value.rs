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

/// Returns the first number in a text, such as -1,234.5.
pub(crate) fn number_in(text: &str) -> Option<f64> {
    // A percentage alone is the number and not a confidence.
    let text = match without_percent(text) {
        "" => text,
        text => text,
    };
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let end = text[start..].find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let digits = &text[start..end.map_or(text.len(), |end| start + end)];
    let digits = digits.trim_end_matches(['.', ',']).replace(',', "");
    let value: f64 = digits.parse().ok()?;
    let is_negative = text[..start].ends_with(['-', '−']);
    Some(if is_negative { -value } else { value })
}
