//! The file in which a person answers a turn.

use crate::id::{AskKey, Stage};

// Sixteen times the longest reply of a tool: no typed answer comes near it, a wrong file is
// refused.
/// The most bytes that are read of what a person wrote.
pub const MAX_BYTES: usize = 1 << 20;

/// Where the answer to `key` is kept while it is written, in the debate's folder.
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
