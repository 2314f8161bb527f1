//! A debate that its user steers while it runs, and takes up again afterwards: by the keys of a
//! real terminal, and by commands from other processes. The tools are fake, and real processes.
mod control;
mod decided;
mod keys;
mod onward;
mod ran;
mod said;

use std::fs;
use std::path::PathBuf;

use agon_testkit::Script;

use crate::scenarios::place::Fakes;
use crate::scenarios::seen::files;

/// The prompt of the last call that asked for `turn`.
pub(crate) fn prompt(fakes: &Fakes, turn: &str) -> String {
    let asks = fakes.tools.asks().into_iter().rev();
    let mut of_turn = asks.filter(|call| call.turn.as_deref() == Some(turn));
    fakes.tools.prompt(of_turn.next().unwrap().prompt.unwrap())
}

/// Every file of the debate `s`, with its bytes.
fn folder(fakes: &Fakes) -> Vec<(String, Vec<u8>)> {
    let root = fakes.place.folder();
    let read = |path: PathBuf| {
        let bytes = fs::read(root.join(&path)).unwrap_or_default();
        (path.display().to_string(), bytes)
    };
    files(&root).into_iter().map(read).collect()
}

/// The names of the wishes that wait in the drop-box of the debate `s`.
fn waiting(fakes: &Fakes) -> Vec<String> {
    let names = folder(fakes).into_iter().map(|(name, _)| name);
    names
        .filter(|name| name.starts_with(".agon/inbox/") && name.ends_with(".json"))
        .collect()
}

/// The hand-written duel with a verdict that names nothing of the second round.
fn one_round() -> Script {
    let mut script = Script::job_store();
    for verdict in script.turns.get_mut("verdict.judge").unwrap() {
        *verdict = verdict
            .replace("pro_002a", "pro_001b")
            .replace("pro_002b", "pro_001c")
            .replace("cha_002a", "cha_001a");
    }
    script
}
