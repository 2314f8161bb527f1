//! What a turn whose tool ended well came to.

use std::path::PathBuf;

use agon_team::ladder::SessionState;

/// The state of a turn, and how it ended in a line. `outside` are the trees that were written
/// meanwhile, `of_started` those in which no person is at work.
pub(super) fn judge_end(
    has_evidence: bool,
    outside: &[PathBuf],
    of_started: &[PathBuf],
) -> (SessionState, String) {
    let (alone, shared): (Vec<_>, Vec<_>) =
        outside.iter().partition(|tree| of_started.contains(tree));
    let (state, mut said) = match (has_evidence, alone.first()) {
        (_, Some(tree)) => {
            let tree = tree.display();
            let said = format!("it ended well, and {tree} was written meanwhile");
            (SessionState::Dead, said)
        }
        (true, None) => {
            let said = "it ended well, and left something".to_owned();
            (SessionState::Finished, said)
        }
        (false, None) => {
            let said = "it ended well, and left nothing".to_owned();
            (SessionState::FailedEmpty, said)
        }
    };
    for tree in shared {
        said.push_str(&format!(
            "; meanwhile {} was written, where others are at work too",
            tree.display()
        ));
    }
    (state, said)
}
