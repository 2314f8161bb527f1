//! Finds the rest of a private key after its first line.

// A full line of a key has 64 characters (RFC 7468, 2), and few words of prose have 16.
/// Minimum length of a run of the encoded key; a shorter one is its end, or prose.
const MIN_RUN: usize = 16;

// Four times the 64 characters of a key's line (RFC 7468, 2), because a file name and a line number
// may precede it.
/// Maximum distance to a line's end, so that the scan takes linear time.
const MAX_LINE: usize = 256;

/// Characters allowed at either end of a key's line: quotes of code, marks of a comment, a list or
/// a diff.
const FRAME: &[char] = &[
    '"', '\'', '`', ',', '>', '#', '*', '|', '\\', '-', '(', ')', ';',
];

/// Returns the number of bytes of `rest`, the text after a key's first line, that belong to the
/// key.
///
/// The key consists of base64 lines, after optional `Name: value` lines, and ends with a line that
/// names its end unless it is truncated. Returns 0 if no key follows, because the text only
/// mentions the format.
pub(crate) fn key_length(rest: &str) -> usize {
    let mut length = 0;
    let mut at = gap_length(rest);
    while let Some(header) = header_length(&rest[at..]) {
        at += header;
        at += gap_length(&rest[at..]);
    }
    let mut widest = 0;
    loop {
        at += label_length(&rest[at..], widest);
        let run = base64_run_length(&rest[at..]);
        if run >= MIN_RUN {
            length = at + run;
            widest = widest.max(run);
            at = length + gap_length(&rest[length..]);
            continue;
        }
        if length > 0 {
            let after = at + run + gap_length(&rest[at + run..]);
            let after = after + end_label_length(&rest[after..]);
            if let Some(end) = end_marker_length(&rest[after..]) {
                return after + end;
            }
            if widest >= 2 * MIN_RUN && is_last_key_line(&rest[length..at], &rest[at..], run) {
                return at + run;
            }
        }
        return length;
    }
}

/// Returns the length of a log's time and name before a line of a key. The key's part must be the
/// whole last word, and if no line came before it, longer than a word of prose.
fn label_length(text: &str, widest: usize) -> usize {
    let line = first_line(text);
    let Some(blank) = line.rfind(' ').filter(|_| !line.contains("-----END ")) else {
        return 0;
    };
    let run = base64_run_length(&line[blank + 1..]);
    let is_whole = blank + 1 + run == line.len();
    let least = if widest >= 2 * MIN_RUN {
        MIN_RUN / 2
    } else {
        3 * MIN_RUN
    };
    if is_whole && run >= least {
        blank + 1
    } else {
        0
    }
}

/// Returns the length of such a label before the line that names the key's end.
fn end_label_length(text: &str) -> usize {
    let line = first_line(text);
    line.find("-----END ")
        .filter(|at| line[..*at].ends_with(' '))
        .unwrap_or_default()
}

/// Returns the first line, cut at `MAX_LINE`.
fn first_line(text: &str) -> &str {
    let near = &text[..text.floor_char_boundary(MAX_LINE)];
    near.split(['\n', '\r']).next().unwrap_or_default()
}

/// Returns whether a short run on a line of its own ends a key without an end line.
fn is_last_key_line(gap: &str, text: &str, run: usize) -> bool {
    let (last, rest) = text.split_at(run);
    let alone = !rest.starts_with([' ', ':', '.', '-', '_', '(']) || rest.starts_with(" \n");
    let coded = last.ends_with('=')
        || last
            .bytes()
            .any(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'/'))
        || last.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
            && last.bytes().any(|byte| byte.is_ascii_lowercase());
    run > 0 && gap.contains('\n') && alone && coded
}

/// Returns the length of white space, quotes, comment marks and line numbers between two lines of a
/// key.
fn gap_length(text: &str) -> usize {
    let (mut at, mut dashes, mut skip) = (0, 0, 0);
    for byte in text.bytes() {
        if at < skip {
            at += 1;
            continue;
        }
        let char = char::from(byte);
        if byte == b'\n' {
            skip = at + 1 + line_number_length(&text[at + 1..]);
        }
        dashes = if byte == b'-' { dashes + 1 } else { 0 };
        if dashes > 1 {
            return at - 1;
        }
        // A `+` that joins strings is followed by white space; one that belongs to the key is not.
        let sum = byte == b'+' && text[at + 1..].starts_with([' ', '\n', '\r']);
        if !(byte.is_ascii_whitespace() || FRAME.contains(&char) || sum) {
            return at;
        }
        at += 1;
    }
    at
}

/// Returns the length of a line number, with or without a file name, before the line.
fn line_number_length(line: &str) -> usize {
    let bytes = line.as_bytes();
    let count = |from: usize, test: fn(&u8) -> bool| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter()
            .take(MAX_LINE)
            .take_while(|byte| test(byte))
            .count()
    };
    let blank = count(0, |byte| matches!(byte, b' ' | b'\t' | b'+' | b'-'));
    let name = count(blank, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b'~')
    });
    let named = bytes.get(blank + name) == Some(&b':')
        && name > 0
        && bytes.get(blank + name + 1).is_some_and(u8::is_ascii_digit);
    let start = if named { blank + name + 1 } else { blank };
    let digits = count(start, u8::is_ascii_digit);
    let after = start + digits;
    let blanks = count(after, |byte| matches!(byte, b' ' | b'\t'));
    let sign = bytes.get(after + blanks);
    if (1..=6).contains(&digits)
        && (matches!(sign, Some(b':' | b'|')) || bytes.get(after) == Some(&b'\t'))
    {
        return after + blanks + usize::from(matches!(sign, Some(b':' | b'|')));
    }
    0
}

fn base64_run_length(text: &str) -> usize {
    text.bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        .count()
}

fn header_length(text: &str) -> Option<usize> {
    [
        "Proc-Type: ",
        "DEK-Info: ",
        "Version: ",
        "Comment: ",
        "Hash: ",
        "Charset: ",
    ]
    .iter()
    .any(|name| text.starts_with(name))
    .then(|| text.bytes().take(MAX_LINE).position(|byte| byte == b'\n'))
    .flatten()
}

fn end_marker_length(text: &str) -> Option<usize> {
    const NAME: &[u8] = b"-----END ";
    const DASHES: &[u8] = b"-----";
    let named = text.as_bytes().strip_prefix(NAME)?;
    let close = named
        .windows(DASHES.len())
        .take(MAX_LINE)
        .position(|window| window == DASHES)?;
    Some(NAME.len() + close + DASHES.len())
}
