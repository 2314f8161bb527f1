//! Files rendered from the state of a debate, in the shapes of the folder.

mod argument;
mod debate;
mod markdown;

use agon_debate::state::State;
use serde_json::Value;

use crate::rel_path::{Projection, RelPath};

/// The files of a debate that the store renders, with their paths.
///
/// `debate.md`, one file in `arguments/` for every point that was made, and
/// `verdict.json` once there is a verdict. The same state gives the same bytes.
pub fn projections(state: &State) -> Vec<Projection> {
    let mut files = vec![("debate.md".to_owned(), debate::render(state))];
    for node in state.nodes() {
        let path = format!("arguments/{}.md", node.id);
        files.push((path, argument::render(&node)));
    }
    let verdict = agon_debate::verdict::verdict(state);
    if let Some(json) = verdict.and_then(|verdict| serde_json::to_value(verdict).ok()) {
        files.push(("verdict.json".to_owned(), pretty(&json) + "\n"));
    }
    // Each of the names is one by construction.
    let named = files.into_iter().filter_map(|(path, text)| {
        let path = RelPath::new(path).ok()?;
        Some((path, text.into_bytes()))
    });
    named.collect()
}

/// JSON for people, without characters that a terminal or page must not get.
fn pretty(value: &Value) -> String {
    let mut out = String::new();
    for c in format!("{value:#}").chars() {
        if c != '\n' && markdown::unseen(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}
