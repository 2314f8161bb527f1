//! The identity of a request: equal if and only if every setting that changes its meaning is.
//! Contexts count by their name, and `file=` also by the content of the file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use agon_caller::bounds::Bounds;
use agon_config::Settings;
use agon_debates::request::{
    CONTEXT_SEPARATOR, JudgesRequest, PastedText, SeatRequest, SeatsRequest, StartRequest,
};
use serde::Serialize;

use crate::row::{Row, RowKind};

// The size of a file that a debate may have as context, with some room.
/// Maximum size of a context file whose content is part of the identity, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// The identity of a request, 64 hexadecimal characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(String);

impl Identity {
    /// Returns the identity as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns its first 16 characters, which name a debate's folder.
    pub fn short(&self) -> &str {
        self.0.get(..16).unwrap_or(&self.0)
    }
}

/// Hashes named values, each under its own name.
struct Hasher(blake3::Hasher);

impl Hasher {
    fn add(&mut self, name: &str, value: impl Serialize) {
        // A value of plain data always serialises; a failure would only make identities equal.
        let text = serde_json::to_string(&value).unwrap_or_default();
        for part in [name, &text] {
            self.0.update(&(part.len() as u64).to_le_bytes());
            self.0.update(part.as_bytes());
        }
    }
}

/// The contents of context files. Each is read and hashed once, however many requests name it.
#[derive(Debug)]
pub struct ContextFiles {
    cwd: PathBuf,
    hashes: RefCell<BTreeMap<String, String>>,
}

impl ContextFiles {
    /// Returns the files with paths relative to `cwd`, none of which has been read.
    pub fn new(cwd: &Path) -> Self {
        Self {
            cwd: cwd.to_owned(),
            hashes: RefCell::default(),
        }
    }

    /// Returns the hash of a file's content. A missing file counts as empty; starting the debate
    /// reports it.
    fn hash(&self, path: &str) -> String {
        let mut hashes = self.hashes.borrow_mut();
        let hash = hashes.entry(path.to_owned()).or_insert_with(|| {
            let bytes = agon_files::read(&self.cwd.join(path), MAX_FILE).unwrap_or_default();
            blake3::hash(&bytes).to_hex().to_string()
        });
        hash.clone()
    }
}

/// Returns the identity of repetition `repeat` (from 1) of `request`, with the effective `settings`
/// of the user and the content of the `files` that its context names.
///
/// Folders, differences and other contexts count by their name only, because the debate collects
/// them when it starts.
///
/// Every field is named here, so that a new setting does not compile until you decide whether
/// it changes the meaning of a request.
pub fn identity(
    request: &StartRequest,
    settings: &Settings,
    files: &ContextFiles,
    repeat: u32,
) -> Identity {
    let mut hash = Hasher(blake3::Hasher::new());
    hash.add("version", 1);
    hash.add("repeat", repeat);
    let StartRequest {
        topic,
        rounds,
        quick,
        deep,
        no_swap,
        context,
        pasted,
        with_precedents,
        verify_urls,
        allow_secrets,
        allow_download,
        seats,
        bounds,
        // Only a review sets it.
        change: _,
        // How the debate is started and named, not what it is about.
        slug: _,
        id: _,
        dry_run: _,
        strict: _,
        detach: _,
        again: _,
        reuse: _,
    } = request;
    hash.add("topic", topic);
    hash.add("rounds", rounds);
    hash.add("quick", quick);
    hash.add("deep", deep);
    hash.add("no_swap", no_swap);
    hash.add("context", context);
    for PastedText { name, text } in pasted {
        hash.add("pasted", (name, text));
    }
    hash.add("with_precedents", with_precedents);
    hash.add("verify_urls", verify_urls);
    hash.add("allow_secrets", allow_secrets);
    hash.add("allow_download", allow_download);
    add_seats(&mut hash, seats);
    add_bounds(&mut hash, bounds);
    add_settings(&mut hash, settings);
    let context = context.as_deref().or(settings.context.as_deref());
    add_files(&mut hash, context.unwrap_or_default(), files);
    Identity(hash.0.finalize().to_hex().to_string())
}

/// Returns the identity of repetition `repeat` of a row. That of a debate which is not set apart is
/// the identity of its request.
pub(crate) fn row_identity(
    row: &Row,
    settings: &Settings,
    files: &ContextFiles,
    repeat: u32,
) -> Identity {
    let kind = of_kind(row.kind, identity(&row.request, settings, files, repeat));
    if row.apart.is_empty() {
        return kind;
    }
    let mut hash = Hasher(blake3::Hasher::new());
    hash.add("apart", &row.apart);
    hash.add("row", kind.as_str());
    Identity(hash.0.finalize().to_hex().to_string())
}

/// Returns what rows of the same kind have in common: everything but their texts.
pub(crate) fn row_shape(row: &Row, settings: &Settings, files: &ContextFiles) -> Identity {
    let kind = match row.kind {
        RowKind::Debate => RowKind::Debate,
        RowKind::Answer { .. } => RowKind::Answer { sample: 0 },
    };
    of_kind(kind, shape(&row.request, settings, files))
}

fn of_kind(kind: RowKind, request: Identity) -> Identity {
    match kind {
        RowKind::Debate => request,
        RowKind::Answer { sample } => {
            let mut hash = Hasher(blake3::Hasher::new());
            hash.add("answer", sample);
            hash.add("request", request.as_str());
            Identity(hash.0.finalize().to_hex().to_string())
        }
    }
}

/// Returns what requests of the same kind have in common: everything but their texts.
pub(crate) fn shape(request: &StartRequest, settings: &Settings, files: &ContextFiles) -> Identity {
    let shape = StartRequest {
        topic: String::new(),
        pasted: Vec::new(),
        ..request.clone()
    };
    identity(&shape, settings, files, 0)
}

fn add_seats(hash: &mut Hasher, seats: &SeatsRequest) {
    let SeatsRequest {
        sides,
        judges,
        effort,
        transport,
        same_tool,
        substitute,
    } = seats;
    for side in sides {
        let SeatRequest {
            tool,
            model,
            effort,
        } = side;
        hash.add("side", (tool, model, effort));
    }
    let JudgesRequest {
        tools,
        models,
        effort: judge_effort,
    } = judges;
    hash.add("judges", (tools, models, judge_effort));
    hash.add("effort", effort);
    hash.add("transport", transport);
    hash.add("same_tool", same_tool);
    hash.add("substitute", substitute);
}

fn add_bounds(hash: &mut Hasher, bounds: &Bounds) {
    let Bounds {
        timeout,
        max_calls,
        max_tokens,
        max_time,
        max_cost,
    } = bounds;
    hash.add("timeout", timeout);
    hash.add("max_calls", max_calls);
    hash.add("max_tokens", max_tokens);
    hash.add("max_time", max_time);
    hash.add("max_cost", max_cost);
}

fn add_settings(hash: &mut Hasher, settings: &Settings) {
    let Settings {
        proposer,
        challenger,
        judge,
        rounds,
        effort,
        transport,
        fallback,
        context,
        timeout,
        max_calls,
        max_tokens,
        max_time,
        max_cost,
        rules,
        graph,
        model,
        tools,
        // How much may be spent in all, where files are, and what only other commands use.
        daily_tokens: _,
        monthly_tokens: _,
        batch_calls: _,
        plan_review: _,
        plan_review_time: _,
        costly: _,
        costly_of_project: _,
        debates_dir: _,
        decision_records: _,
        otlp_endpoint: _,
        team: _,
        limits: _,
        vendors: _,
    } = settings;
    hash.add("settings.seats", (proposer, challenger, judge));
    hash.add("settings.rounds", rounds);
    hash.add("settings.effort", effort);
    hash.add("settings.transport", transport);
    hash.add("settings.fallback", fallback);
    hash.add("settings.context", context);
    hash.add("settings.timeout", timeout);
    hash.add("settings.max_calls", max_calls);
    hash.add("settings.max_tokens", max_tokens);
    hash.add("settings.max_time", max_time);
    hash.add("settings.max_cost", max_cost);
    hash.add("settings.rules", rules);
    hash.add("settings.graph", graph);
    hash.add("settings.model", model);
    for (name, table) in tools {
        let mut table = serde_json::to_value(table).unwrap_or_default();
        if let Some(fields) = table.as_object_mut() {
            // How many calls run at once, not what they are about.
            fields.remove("concurrency");
            if fields.is_empty() {
                continue;
            }
        }
        hash.add("settings.tools", (name, table));
    }
}

/// Adds the content of the files in a context.
fn add_files(hash: &mut Hasher, context: &str, files: &ContextFiles) {
    let sources = context.split([CONTEXT_SEPARATOR, '\n']);
    for path in sources.filter_map(|source| source.trim().strip_prefix("file=")) {
        hash.add("file", files.hash(path));
    }
}

#[cfg(test)]
mod tests;
