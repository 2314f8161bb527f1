//! Decides how a turn ended whose tool exited successfully.

use std::path::PathBuf;

use agon_team::ladder::SessionState;

/// Returns the state of a turn and a line about it. `outside` are the other trees that were written
/// meanwhile, `of_started` the trees in which no person works.
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
            let said = format!("finished, but {tree} was written meanwhile");
            (SessionState::Dead, said)
        }
        (true, None) => {
            let said = "finished with a result".to_owned();
            (SessionState::Finished, said)
        }
        (false, None) => {
            let said = "finished without a result".to_owned();
            (SessionState::FailedEmpty, said)
        }
    };
    for tree in shared {
        said.push_str(&format!(
            "; {} was written meanwhile, possibly by someone else",
            tree.display()
        ));
    }
    (state, said)
}
