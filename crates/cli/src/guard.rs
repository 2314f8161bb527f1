//! The guard: this program once more, which ends the tools of a process that was killed.

use std::io;
use std::sync::Arc;

use agon_proc::{Guarded, Program, Watch, serve_guard};

use crate::edge;

/// The word that makes this program a guard.
const WORD: &str = "__guard";

/// Is a guard, if that is what it was started as; whether it was.
pub(crate) fn served() -> bool {
    let mut words = std::env::args_os().skip(1);
    let asked = words.next().is_some_and(|word| word == WORD) && words.next().is_none();
    if asked {
        serve_guard(io::stdin().lock());
    }
    asked
}

/// `watch`, with a guard besides; without one where there can be none.
pub(crate) fn guarded(watch: Arc<dyn Watch>) -> Arc<dyn Watch> {
    match edge::this_program() {
        Ok(path) => {
            let program = Program {
                path,
                args: vec![WORD.into()],
                env: [].into(),
                cwd: "/".into(),
            };
            Arc::new(Guarded::new(watch, program))
        }
        Err(_) => watch,
    }
}
