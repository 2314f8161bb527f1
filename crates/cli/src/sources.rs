//! What citations are looked up in: pinned when a debate opens, found again when it goes on.

use std::path::Path;
use std::sync::Arc;

use agon_debate::evidence::Pinned;
use agon_debate::spec::Context;
use agon_debate::state::State;
use agon_engine::evidence::{Evidence, PinnedSource};
use agon_evidence::{Blobs, Commits, Limits, Manifest, PinError, Source};
use agon_redact::Redactor;
use agon_store::{Disk, DiskError, RealDisk, kept};

use crate::edge::Edge;
use crate::error::{Exit, Failure};

/// A source, as it stands when a debate opens.
#[derive(Clone, Debug)]
pub(crate) struct Pin {
    /// What the record says of it.
    pub(crate) pinned: Pinned,
    /// What is kept with the record.
    pub(crate) kept: Vec<Arc<[u8]>>,
}

/// Pins what the seats are given to read; none when they are given nothing.
///
/// Files in which there seems to be a secret are not kept.
///
/// # Errors
///
/// If the project cannot be read, or is too large.
pub(crate) fn pin(edge: &Edge, context: &Context) -> Result<Option<Pin>, Failure> {
    let project = edge.project();
    let limits = Limits::default();
    let source = match context {
        Context::None => return Ok(None),
        Context::Diff { .. } => Source::changes(&project, &limits),
        Context::File { path, .. } => Source::files(&project, &[path.as_str()], &limits),
    };
    let source = source.map_err(|error| refused(&error))?;
    let manifest = source.manifest().to_bytes();
    let hash = blake3::hash(&manifest).to_hex().to_string();
    let commit = source.manifest().commit.clone();
    let redactor = Redactor::new();
    let files = source.unsaved().values();
    let clean = files.filter(|bytes| !redactor.finds_in(bytes)).cloned();
    Ok(Some(Pin {
        pinned: Pinned {
            about: about(context, source.manifest()),
            commit,
            manifest: hash,
        },
        kept: std::iter::once(manifest.into()).chain(clean).collect(),
    }))
}

fn refused(error: &PinError) -> Failure {
    let failure = Failure::from_error(Exit::Usage, "context_refused", error).parameter("context");
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn about(context: &Context, manifest: &Manifest) -> String {
    let commit = manifest.commit.as_deref();
    let short = commit.and_then(|commit| commit.get(..7));
    let at = short.map_or_else(String::new, |short| format!(" at {short}"));
    match context {
        Context::None => String::new(),
        Context::Diff { .. } => {
            let files = agon_report::text::counted(manifest.entries.len() as u64, "changed file");
            format!("{files}{at}")
        }
        Context::File { path, .. } => format!("{path}{at}"),
    }
}

/// What the citations of the debate in `folder` are looked up in; none when nothing was pinned.
///
/// # Errors
///
/// If what was kept of it cannot be read.
pub(crate) fn reopen(
    edge: &Edge,
    folder: &Path,
    state: &State,
) -> Result<Option<Arc<dyn Evidence>>, Failure> {
    let Some(pinned) = &state.spec.source else {
        return Ok(None);
    };
    let disk = RealDisk;
    let bytes = kept(&disk, folder, &pinned.manifest).map_err(|error| unreadable(&error))?;
    let manifest = bytes.and_then(|bytes| Manifest::from_bytes(&bytes).ok());
    let Some(manifest) = manifest else {
        return Err(Failure::new(
            Exit::Store,
            "store",
            "what this debate's citations are checked against is missing from its folder",
        )
        .hint("put .agon/blobs back from a copy of the folder"));
    };
    let blobs = blobs(&disk, folder, &manifest)?;
    let source = Source::from_kept(manifest, Commits::default(), blobs).still_at(&edge.project());
    Ok(Some(Arc::new(PinnedSource::new(source))))
}

/// The files of the source that are kept in the folder.
fn blobs(disk: &dyn Disk, folder: &Path, manifest: &Manifest) -> Result<Blobs, Failure> {
    let mut blobs = Blobs::new();
    for hash in manifest
        .entries
        .values()
        .filter_map(|entry| entry.hash.as_ref())
    {
        let bytes = kept(disk, folder, hash).map_err(|error| unreadable(&error))?;
        blobs.extend(bytes.map(|bytes| (hash.clone(), bytes.into())));
    }
    Ok(blobs)
}

fn unreadable(error: &DiskError) -> Failure {
    Failure::from_error(Exit::Store, "store", error)
}
