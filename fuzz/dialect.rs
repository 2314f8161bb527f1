//! What every dialect's target does.

use agon_agents::dialect::{RawOutput, find_dialect};

/// Reads `data` as the output of a program in the dialect `name`.
///
/// The first byte is the exit code, the second the share of stderr.
pub fn read(name: &str, data: &[u8]) {
    let [code, share, output @ ..] = data else {
        return;
    };
    let at = output.len() * usize::from(*share) / 255;
    let (stderr_tail, stdout) = output.split_at(at);
    let raw = RawOutput {
        stdout,
        stderr_tail,
        code: Some(i32::from(*code)),
    };
    let dialect = find_dialect(name).expect("every dialect is registered");
    if let Ok(reply) = dialect.read(&raw) {
        assert!(!reply.text.trim().is_empty(), "an empty reply is no reply");
    }
}
