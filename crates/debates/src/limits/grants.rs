//! Records which debates this user opened, and which limits and tools they allowed each of them.
//!
//! Anybody can write a debate's folder: it may come from a clone or an archive. What it may spend
//! and which tools it may ask is therefore stored in the user's state folder, keyed by the debate's
//! id and the hash of its journal's first line.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use agon_caller::{Caller, find};
use agon_files::Links;
use agon_folder::ListedDebate;
use agon_record::spec::{Caps, Seating, Spec, ToolName};
use agon_record::state::State;
use agon_store::{Layout, RealDisk, write_file_atomically};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::limits::bounds::larger_caps;

/// The schema id of a grant.
const SCHEMA: &str = "agon.opened/1";
// Chosen, not measured: far above the context of at most 200 KiB, which is in the first line.
/// Maximum length of the first line, in bytes.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;
/// Maximum size of a grant's file, in bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// The limits and tools that this user allowed a debate that they opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grant {
    schema: String,
    /// The hash of its journal's first line; empty until it is written.
    opening: String,
    /// The limits that it may reach.
    pub(crate) caps: Caps,
    /// The tools that it may ask.
    tools: Vec<ToolName>,
}

impl Grant {
    /// Returns the tools that the debate may ask; empty without a grant.
    pub(crate) fn granted_tools(grant: Option<&Self>) -> &[ToolName] {
        grant.map_or(&[], |grant| &grant.tools)
    }
}

/// Returns the grant of the debate `id` in `folder`; `None` if this user did not open it.
pub(crate) fn find_grant(caller: &Caller, folder: &Path, id: Ulid) -> Option<Grant> {
    let bytes = agon_files::read(&grant_path(caller, id)?, MAX_FILE_BYTES).ok()?;
    let grant: Grant = serde_json::from_slice(&bytes).ok()?;
    // Without a hash, Agon was killed while it opened the debate. Its id is random, so no other person
    // knew it then.
    let is_it = grant.opening.is_empty() || grant.opening == hash_first_line(folder)?;
    (grant.schema == SCHEMA && is_it).then_some(grant)
}

/// Returns whether this user opened that debate.
pub(crate) fn is_own(caller: &Caller, debate: &ListedDebate) -> bool {
    find_grant(caller, &debate.path, debate.record.ulid).is_some()
}

/// Records that this user opened the debate in `folder`, with its current limits and tools.
///
/// If that cannot be written, the user's settings limit the debate when it is resumed.
pub(crate) fn record_opening(caller: &Caller, folder: &Path, state: &State) {
    if let Some(opening) = hash_first_line(folder) {
        let grant = Grant {
            schema: SCHEMA.to_owned(),
            opening,
            caps: state.caps,
            tools: tools_of(state),
        };
        write(caller, state.spec.ulid, &grant);
    }
}

/// Records that this user is about to open the debate `spec`, so that it can be resumed if Agon is
/// killed before [`record_opening`].
pub(crate) fn record_intent(caller: &Caller, spec: &Spec) {
    let tools = spec.seats.values().chain(spec.substitutes());
    let grant = Grant {
        schema: SCHEMA.to_owned(),
        opening: String::new(),
        caps: spec.caps,
        tools: sorted_unique(tools.map(|one| one.tool.clone())),
    };
    write(caller, spec.ulid, &grant);
}

/// Forgets the debate `id`, which was not opened.
pub(crate) fn forget_intent(caller: &Caller, id: Ulid) {
    if let Some(file) = grant_path(caller, id) {
        std::fs::remove_file(file).unwrap_or_default();
    }
}

/// Returns every tool of a debate, including its substitutes.
pub(crate) fn tools_of(state: &State) -> Vec<ToolName> {
    let tools = state.seats.values().chain(state.all_substitutes());
    sorted_unique(tools.map(|one| one.tool.clone()))
}

/// Adds the current limits and tools of the debate in `folder` to its grant. Call it after limits
/// and seats were checked. Does nothing for another person's debate.
pub(crate) fn extend_grant(caller: &Caller, folder: &Path, state: &State) {
    let Some(before) = find_grant(caller, folder, state.spec.ulid) else {
        return;
    };
    let seated = state.seats.values().map(|seating| seating.tool.clone());
    let grant = Grant {
        caps: larger_caps(before.caps, state.caps),
        tools: sorted_unique(seated.chain(before.tools.iter().cloned())),
        ..before.clone()
    };
    if grant != before {
        write(caller, state.spec.ulid, &grant);
    }
}

/// Adds tools that the user allowed to the grant of the debate in `folder`, before they take seats.
/// Does nothing for another person's debate.
pub(crate) fn allow_tools<'a>(
    caller: &Caller,
    folder: &Path,
    id: Ulid,
    seatings: impl IntoIterator<Item = &'a Seating>,
) {
    let Some(before) = find_grant(caller, folder, id) else {
        return;
    };
    let seated = seatings.into_iter().map(|seating| seating.tool.clone());
    let grant = Grant {
        tools: sorted_unique(seated.chain(before.tools.iter().cloned())),
        ..before.clone()
    };
    if grant != before {
        write(caller, id, &grant);
    }
}

/// Returns whether the caller's folder of debates contains one that this user opened.
pub fn has_own_debate(caller: &Caller) -> bool {
    let listed = find::debates_dir(caller).and_then(|dir| find::listing(&caller.cwd.join(dir)));
    listed.is_ok_and(|listed| listed.debates.iter().any(|debate| is_own(caller, debate)))
}

fn sorted_unique(tools: impl Iterator<Item = ToolName>) -> Vec<ToolName> {
    let mut tools: Vec<_> = tools.collect();
    tools.sort();
    tools.dedup();
    tools
}

fn grant_path(caller: &Caller, id: Ulid) -> Option<PathBuf> {
    let dir = caller.state_dir()?;
    Some(dir.join("opened").join(format!("{id}.json")))
}

fn write(caller: &Caller, id: Ulid, grant: &Grant) {
    let bytes = serde_json::to_vec(grant).unwrap_or_default();
    if let Some(file) = grant_path(caller, id) {
        write_file_atomically(&RealDisk, &file, &bytes).unwrap_or_default();
    }
}

/// Returns the hash of the first line of the journal in `folder`.
fn hash_first_line(folder: &Path) -> Option<String> {
    let journal = Layout::new(folder).journal();
    let mut line = Vec::new();
    let file = agon_files::open_with(&journal, Links::Refuse).ok()?;
    BufReader::new(file.take(MAX_LINE_BYTES))
        .read_until(b'\n', &mut line)
        .ok()?;
    line.ends_with(b"\n")
        .then(|| blake3::hash(&line).to_hex().to_string())
}
