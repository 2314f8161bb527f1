//! Outputs of one JSON object a line.

use serde::de::DeserializeOwned;

/// The lines that are events of type `E`; other lines are skipped.
///
/// Bytes that are no UTF-8 are read as U+FFFD, so that a reply with one is a reply.
pub(super) fn parse_json_lines<E: DeserializeOwned>(stdout: &[u8]) -> impl Iterator<Item = E> {
    stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| line.iter().any(|byte| !byte.is_ascii_whitespace()))
        .filter_map(|line| serde_json::from_str(&String::from_utf8_lossy(line)).ok())
}
