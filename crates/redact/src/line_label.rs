//! Recognizes line labels: text that a log, a diff, a quotation or a line-numbering tool puts
//! before each line.

// Chosen, not measured: if fewer lines match, the characters belong to the text itself.
/// How many of ten lines need the same kind of label for a text to count as labelled.
const LABELLED_OF_TEN: usize = 6;
/// Maximum length of a label, in bytes.
const MAX_LABEL: usize = 64;

type Label = fn(&str) -> usize;

/// Returns the function that measures a line's label, if most lines of `text` have one.
pub(crate) fn detect_label_kind(text: &str) -> Option<Label> {
    memchr::memchr(b'\n', text.as_bytes())?;
    let kinds: [Label; 5] = [
        time_length,
        line_number_prefix_length,
        plus_length,
        quote_mark_length,
        service_name_length,
    ];
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    // Check the second line too, because a truncated text may begin inside a line.
    let second = text.lines().nth(1)?;
    let likely = |kind: &Label| kind(first) > 0 || kind(second) > 0;
    kinds.into_iter().find(|kind| {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let (mut all, mut labelled) = (0, 0);
        if likely(kind) {
            for line in lines {
                all += 1;
                labelled += usize::from(kind(line) > 0);
            }
        }
        labelled > 1 && labelled * 10 >= all * LABELLED_OF_TEN
    })
}

/// Returns the length of a time such as `2026-03-04T05:06:07Z ` or `05:06:07 `, also in brackets.
fn time_length(line: &str) -> usize {
    let near = &line.as_bytes()[..line.len().min(MAX_LABEL)];
    let part = |byte: &u8| byte.is_ascii_digit() || b"-:.,TZ+[]".contains(byte);
    let word = |from: usize| near[from..].iter().take_while(|byte| part(byte)).count();
    let clock = |part: &[u8]| part.iter().filter(|byte| **byte == b':').count() > 1;
    let first = word(0);
    if first < 8 || near.get(first) != Some(&b' ') {
        return 0;
    }
    if clock(&near[..first]) {
        return first + 1;
    }
    let second = word(first + 1);
    let end = first + 1 + second;
    if clock(&near[first + 1..end]) && near.get(end) == Some(&b' ') {
        end + 1
    } else {
        0
    }
}

/// Returns the length of a line number such as ` 12\t`, ` 12→`, `12: ` or `12 | `.
fn line_number_prefix_length(line: &str) -> usize {
    let digits = line.trim_start_matches(' ');
    let rest = digits.trim_start_matches(|char: char| char.is_ascii_digit());
    let signs = ["\t", "→", ": ", " | "];
    let sign = signs.iter().find(|sign| rest.starts_with(**sign));
    match sign {
        Some(sign) if rest.len() < digits.len() => line.len() - rest.len() + sign.len(),
        Some(_) | None => 0,
    }
}

fn plus_length(line: &str) -> usize {
    usize::from(line.starts_with('+'))
}

fn quote_mark_length(line: &str) -> usize {
    if line.starts_with("> ") { 2 } else { 0 }
}

/// Returns the length of a service name such as `app-1 | `.
fn service_name_length(line: &str) -> usize {
    let part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.');
    let rest = line.trim_start_matches(part);
    let sign = rest.trim_start_matches(' ');
    let name = line.len() - rest.len();
    match sign.starts_with("| ") && (1..=40).contains(&name) && rest.len() > sign.len() {
        true => line.len() - sign.len() + 2,
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::detect_label_kind;

    #[test]
    fn labels_are_found_if_most_lines_have_them() {
        for label in [
            "2026-03-04T05:06:07.123Z ",
            "[2026-03-04 05:06:07] ",
            "05:06:07 ",
            "    7\t",
            "   12→",
            "+",
            "> ",
            "app-1  | ",
        ] {
            let text = format!("{label}a: b\n{label}  c: d\n\n{label}e");
            let length = detect_label_kind(&text).map(|length| length(&text));
            assert_eq!(length, Some(label.len()), "{label}");
        }
        for text in [
            "a: b\n+c\nd",
            "- a\n- b\n",
            "> one",
            "| a | b |\n|---|---|\n",
        ] {
            assert!(detect_label_kind(text).is_none(), "{text}");
        }
    }
}
