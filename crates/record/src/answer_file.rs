//! The file in which a person writes the answer of a turn.

use crate::id::{AskKey, Stage};

// Sixteen times the longest reply of a tool. No typed answer comes near it, so a larger file is a
// mistake and is refused.
/// Maximum size of a person's answer, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Returns the path in the debate's folder of the answer to `key` while it is being written.
///
/// ```
/// # use agon_record::answer_file::answer_file_path;
/// let path = answer_file_path("r1.cha#1".parse()?);
/// assert_eq!(path, ".agon/answer/challenger-round-1-again.md");
/// # Ok::<(), agon_record::id::IdError>(())
/// ```
pub fn answer_file_path(key: AskKey) -> String {
    let stage = match key.turn.stage {
        Stage::Theses => "theses".to_owned(),
        Stage::Round(round) => format!("round-{round}"),
        Stage::Verdict => "verdict".to_owned(),
        Stage::Swap => "swap".to_owned(),
    };
    let again = match key.again {
        0 => String::new(),
        1 => "-again".to_owned(),
        again => format!("-again-{again}"),
    };
    format!(".agon/answer/{}-{stage}{again}.md", key.turn.seat)
}
