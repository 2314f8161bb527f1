//! Cleans and stores the output of a tool.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;

use agon_agents::WorkOutcome;
use agon_team::store::{MemberToken, SessionDoc};

/// Maximum size of output that are kept of a session, in bytes.
const MAX_LOG_BYTES: usize = 512 * 1024;

/// Returns the last characters of a text.
pub(super) fn last_chars(text: &str, most: usize) -> String {
    let skipped = text.chars().count().saturating_sub(most);
    text.chars().skip(skipped).collect()
}

/// Cleans a tool's text for storage and removes the member's token.
pub(super) fn clean(text: &str, token: &MemberToken) -> String {
    crate::text::clean(&text.replace(token.reveal(), "[token]"))
}

/// Stores the end of a session's output beside the team's file, readable only by its user. Errors
/// are ignored, because they must not cost work.
pub(super) fn store_output(session: &SessionDoc, outcome: &WorkOutcome, token: &MemberToken) {
    let Some(path) = &session.log else { return };
    let whole = String::from_utf8_lossy(&outcome.stdout);
    let start = whole.len().saturating_sub(MAX_LOG_BYTES);
    let start = (start..=whole.len()).find(|&at| whole.is_char_boundary(at));
    let end = whole.get(start.unwrap_or_default()..).unwrap_or_default();
    let errors = String::from_utf8_lossy(&outcome.stderr_tail);
    let text = format!(
        "{}\n-- standard error --\n{}\n",
        clean(end, token),
        clean(&errors, token)
    );
    let opened = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(0o600)
        .open(path);
    opened
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .ok();
}
