//! The private key after its first line.

/// A run of the encoded key is at least this long; a shorter one is its end,
/// or prose.
const RUN: usize = 16;

/// How far a line's end is looked for, so that the whole takes linear time.
const LINE: usize = 256;

/// How many bytes of `rest`, the text after a key's first line, are the key.
///
/// The key is lines of base64, with real line breaks or JSON-escaped ones, after
/// optional `Name: value` lines, up to a last line that names its end if it was
/// not cut off. 0 if no key follows: someone only mentions the form.
pub(crate) fn key_length(rest: &str) -> usize {
    let mut length = 0;
    let mut at = gap(rest);
    while let Some(header) = header_length(&rest[at..]) {
        at += header;
        at += gap(&rest[at..]);
    }
    loop {
        let run = run_length(&rest[at..]);
        if run >= RUN {
            length = at + run;
            at = length + gap(&rest[length..]);
            continue;
        }
        if length > 0 {
            // A short last line belongs to the key only if the end follows.
            let after = at + run + gap(&rest[at + run..]);
            if let Some(end) = end_length(&rest[after..]) {
                return after + end;
            }
        }
        return length;
    }
}

/// White space and JSON escapes of it.
fn gap(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += match (bytes.get(at), bytes.get(at + 1)) {
            (Some(b' ' | b'\t' | b'\r' | b'\n'), _) => 1,
            (Some(b'\\'), Some(b'n' | b'r' | b't')) => 2,
            _ => return at,
        };
    }
}

fn run_length(text: &str) -> usize {
    text.bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        .count()
}

fn header_length(text: &str) -> Option<usize> {
    ["Proc-Type: ", "DEK-Info: ", "Version: ", "Comment: "]
        .iter()
        .any(|name| text.starts_with(name))
        .then(|| {
            text.bytes()
                .take(LINE)
                .position(|byte| matches!(byte, b'\n' | b'\\'))
        })
        .flatten()
}

fn end_length(text: &str) -> Option<usize> {
    const NAME: &[u8] = b"-----END ";
    const DASHES: &[u8] = b"-----";
    let named = text.as_bytes().strip_prefix(NAME)?;
    let close = named
        .windows(DASHES.len())
        .take(LINE)
        .position(|window| window == DASHES)?;
    Some(NAME.len() + close + DASHES.len())
}
