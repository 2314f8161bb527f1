//! Renders the data files of a debate from its state.

mod argument;
mod debate;
mod markdown;

use std::collections::BTreeSet;

use agon_record::event::Event;
use agon_record::format::Judging;
use agon_record::id::NodeId;
use agon_record::point::Node;
use agon_record::state::State;
use agon_store::{Projection, RelPath};
use agon_verdict::verdict::{Verdict, verdict};
use serde_json::Value;

use crate::earlier::Earlier;
use crate::formal_files;
use crate::markup::is_unseen;

/// Returns the data files of a debate with their paths.
///
/// These are `debate.md`, a file in `arguments/` for every point, `scores.json` for a formal
/// debate, and `verdict.json` if there is a verdict. The same state gives the same bytes.
///
/// Files of another tool keep their bytes: only the front matter of `debate.md` changes, entries
/// are added to `scores.json`, and arguments stay unchanged. A file whose original is lost is left
/// out.
pub fn projections(state: &State) -> Vec<Projection> {
    changed_projections(state, None, verdict(state).as_ref())
}

/// Returns the files among [`projections`] that may differ from the earlier ones; all files if these
/// are unknown.
///
/// So a long debate writes only what is new. `verdict` is the verdict on `state`; the caller
/// computes it once because that takes time.
pub(crate) fn changed_projections(
    state: &State,
    earlier: Option<Earlier<'_>>,
    verdict: Option<&Verdict>,
) -> Vec<Projection> {
    let ids: Option<BTreeSet<NodeId>> =
        earlier.map(|earlier| earlier.events.iter().flat_map(added_node_ids).collect());
    let mut files = match state.format_rules().judging {
        Judging::AtTheEnd => duel_files(state, ids.as_ref()),
        Judging::EachRound => formal_files(state, ids.as_ref(), earlier),
    };
    files.extend(verdict.and_then(verdict_file));
    to_projections(files)
}

/// Returns the points that an event adds.
fn added_node_ids(event: &Event) -> Vec<NodeId> {
    if let Event::Admitted { ids, .. } = event {
        ids.clone()
    } else if let Event::Imported(imported) = event {
        imported.arguments.iter().map(|known| known.id).collect()
    } else {
        Vec::new()
    }
}

fn verdict_file(verdict: &Verdict) -> Option<(String, String)> {
    let json = serde_json::to_value(verdict).ok()?;
    Some(("verdict.json".to_owned(), to_safe_pretty_json(&json) + "\n"))
}

/// Converts names and texts to projections; every name is a valid path by construction.
fn to_projections(files: Vec<(String, String)>) -> Vec<Projection> {
    let files = files.into_iter().filter_map(|(path, text)| {
        let path = RelPath::new(path).ok()?;
        Some((path, text.into_bytes()))
    });
    files.collect()
}

/// Returns the files of a duel; only those points that are in `only`.
fn duel_files(state: &State, only: Option<&BTreeSet<NodeId>>) -> Vec<(String, String)> {
    let mut files = vec![("debate.md".to_owned(), debate::render_file(state))];
    for node in select_nodes(state, only) {
        let path = format!("arguments/{}.md", node.id);
        files.push((path, argument::render_file(&node)));
    }
    files
}

/// Returns the files of a formal debate; only those arguments that are in `only`.
fn formal_files(
    state: &State,
    only: Option<&BTreeSet<NodeId>>,
    earlier: Option<Earlier<'_>>,
) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut put = |path: String, text: Option<String>| files.extend(text.map(|text| (path, text)));
    put(
        "debate.md".to_owned(),
        formal_files::debate::render_file(state),
    );
    for node in select_nodes(state, only) {
        let path = format!("arguments/{}.md", node.id);
        let text = match (
            formal_files::imported_text(state, &path),
            node.point.contention(),
        ) {
            (Some(text), _) => text.map(str::to_owned),
            (None, Some(one)) => Some(formal_files::argument::render_file(node.id, one)),
            (None, None) => Some(argument::render_file(&node)),
        };
        put(path, text);
    }
    let extended = earlier.and_then(|earlier| {
        let text = earlier.text(formal_files::scores::FILE)?;
        formal_files::scores::extend_file(state, earlier.events, text)
    });
    put(
        formal_files::scores::FILE.to_owned(),
        extended.or_else(|| formal_files::scores::render_file(state)),
    );
    files
}

fn select_nodes<'a>(state: &'a State, only: Option<&BTreeSet<NodeId>>) -> Vec<Node<'a>> {
    match only {
        None => state.nodes(),
        Some(ids) => ids.iter().filter_map(|id| state.node(*id)).collect(),
    }
}

/// Formats JSON for people, without characters that are unsafe on a terminal or web page.
fn to_safe_pretty_json(value: &Value) -> String {
    let mut out = String::new();
    for c in format!("{value:#}").chars() {
        if c != '\n' && is_unseen(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}
