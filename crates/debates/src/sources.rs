//! The sources of citations: pinned when a debate opens, reopened when it is resumed.

pub(crate) mod clean_texts;
pub(crate) mod context;
pub(crate) mod default_context;
pub(crate) mod own_folders;
pub(crate) mod repo;
pub(crate) mod session;
pub mod source_drift;
pub(crate) mod untracked;

use std::path::Path;
use std::sync::Arc;

use agon_agents::Environment;
use agon_caller::{Caller, Code, Failure, Hint};
use agon_engine::evidence::PinnedSource;
use agon_engine::run_context::RunContext;
use agon_engine::seat_folders::Copies;
use agon_evidence::{
    Blobs, CommitPathEntry, Commits, Manifest, PinError, PinLimits, RootMark, Source, SystemNet,
    Web,
};
use agon_record::ground::Pinned;
use agon_record::spec::Context;
use agon_record::state::State;
use agon_redact::Redactor;
use agon_seats::tools::Tools;
use agon_store::{Disk, DiskError, RealDisk, read_blob};

use crate::request::{ChangeSelection, PastedText};
use crate::sources::clean_texts::CleanTexts;
use crate::sources::context::{Given, use_context};
use crate::sources::own_folders::OwnFolders;

/// A source pinned when a debate opens.
#[derive(Clone, Debug)]
pub(crate) struct PinnedWithFiles {
    /// The record of the source.
    pub pinned: Pinned,
    /// The files stored with the record.
    pub kept: Vec<Arc<[u8]>>,
}

/// The requested context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceRequest<'a> {
    /// `none`, `diff`, `commit=A..B`, `repo`, or `file=PATH` and `dir=DIR`, several of them on
    /// separate lines.
    pub context: &'a str,
    /// Texts given besides the files of the context.
    pub pasted: &'a [PastedText],
    /// What is given of a context of commits; `None` means everything.
    pub change: Option<&'a ChangeSelection>,
    /// Whether to send it even if it contains a secret.
    pub allow_secrets: bool,
    /// Whether to fetch cited web pages.
    pub pages: bool,
    /// The folder of debates. Seats may not read it.
    pub debates_dir: &'a Path,
    /// The names of AI tools' configuration files. Seats may not read them either.
    pub settings: &'a [String],
}

/// Reads and pins the context.
///
/// Files that seem to contain a secret are not stored.
///
/// # Errors
///
/// If it cannot be read, is too large, or seems to contain a secret.
pub(crate) async fn read_and_pin_context(
    caller: &Caller,
    wanted: SourceRequest<'_>,
) -> Result<(Context, Option<PinnedWithFiles>), Failure> {
    let redactor = Redactor::new();
    let allow = wanted.allow_secrets;
    let own = OwnFolders::in_project(caller, wanted.debates_dir);
    let Given {
        mut context,
        changed,
    } = context::read(
        caller,
        wanted.context,
        (wanted.pasted, wanted.change),
        &redactor,
        allow,
        &own,
    )
    .await?;
    let source = source_for_context(caller, &context, wanted.pasted, &changed, &own)?;
    let source = match source {
        Some(source) => source,
        None if wanted.pages => Source::none(),
        None => return Ok((context, None)),
    };
    let cache = Environment::new(caller.vars_os.clone()).cache_dir();
    let mut clean = CleanTexts::open(cache.as_deref(), source.root());
    if let Context::Repo(repo) = &mut context {
        *repo = repo::describe(&source, wanted.settings, allow, &mut clean);
        if repo.files == 0 {
            return Err(Failure::new(
                Code::ContextRefused,
                "this project contains no readable file".to_owned(),
            )
            .parameter("context")
            .hint(Hint::new("run the command inside the project").or(use_context("none"))));
        }
    }
    let mut pin = pinned_record_and_files(&context, &source, &redactor, &mut clean);
    clean.save();
    if wanted.pages {
        pin.pinned.pages = true;
        pin.pinned.about = match pin.pinned.about.as_str() {
            "" => "the cited web pages".to_owned(),
            about => format!("{about}, and the cited web pages"),
        };
    }
    Ok((context, Some(pin)))
}

fn source_for_context(
    caller: &Caller,
    context: &Context,
    pasted: &[PastedText],
    changed: &[String],
    own: &OwnFolders,
) -> Result<Option<Source>, Failure> {
    let project = caller.project();
    let limits = PinLimits::default();
    let is_pasted = |path: &str| pasted.iter().any(|text| text.name == path);
    let source = match context {
        Context::None => return Ok(None),
        Context::Diff {
            commit,
            since: Some(_),
            ..
        } => {
            let paths: Vec<_> = changed.iter().map(String::as_str).collect();
            Source::pin_in_commit(&project, commit, &paths, &limits)
        }
        Context::Diff { .. } => {
            own.excluding(|apart| Source::pin_changes_excluding(&project, apart, &limits))
        }
        Context::File { path, text } if is_pasted(path) => {
            Source::pin_files(&project, &[], &limits)
                .map(|source| source.with_file_text(path, text))
        }
        Context::File { path, .. } => Source::pin_files(&project, &[path.as_str()], &limits),
        Context::Files { files } => {
            let (texts, files): (Vec<_>, Vec<_>) =
                files.iter().partition(|file| is_pasted(&file.path));
            let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
            Source::pin_files(&project, &paths, &limits).map(|source| {
                let texts = texts.into_iter();
                texts.fold(source, |source, file| {
                    source.with_file_text(&file.path, &file.text)
                })
            })
        }
        Context::Repo(_) => {
            own.excluding(|apart| Source::pin_tree_excluding(&project, apart, &limits))
        }
    };
    source.map(Some).map_err(|error| refusal(&error))
}

fn pinned_record_and_files(
    context: &Context,
    source: &Source,
    redactor: &Redactor,
    clean: &mut CleanTexts,
) -> PinnedWithFiles {
    let manifest = source.manifest().to_bytes();
    let hash = blake3::hash(&manifest).to_hex().to_string();
    let root = source.root().and_then(Path::to_str);
    let root = root.map(|root| RootMark::for_folder(&hash, root).hash().to_owned());
    let commit = source.manifest().commit.clone();
    let mut has_secrets = |hash: &str, bytes: &[u8]| {
        if clean.contains(hash) {
            return false;
        }
        let found = redactor.has_secrets(bytes);
        if !found {
            clean.add(hash);
        }
        found
    };
    let files = source.uncommitted_blobs().iter();
    let clean = files.filter(|(hash, bytes)| !has_secrets(hash, bytes));
    let clean: Vec<_> = clean.map(|(_, bytes)| Arc::clone(bytes)).collect();
    PinnedWithFiles {
        pinned: Pinned {
            about: describe_source(context, source.manifest()),
            commit,
            manifest: hash,
            root,
            pages: false,
        },
        kept: std::iter::once(manifest.into()).chain(clean).collect(),
    }
}

fn refusal(error: &PinError) -> Failure {
    let failure = Failure::from_error(Code::ContextRefused, error).parameter("context");
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

fn describe_source(context: &Context, manifest: &Manifest) -> String {
    let commit = manifest.commit.as_deref();
    let short = commit.and_then(|commit| commit.get(..7));
    let at = short.map_or_else(String::new, |short| format!(" at {short}"));
    match context {
        Context::None => String::new(),
        Context::Diff { .. } => {
            let files =
                agon_report::text::count_with_noun(manifest.entries.len() as u64, "changed file");
            format!("{files}{at}")
        }
        Context::File { path, .. } => format!("{path}{at}"),
        Context::Files { files } => {
            let count = agon_report::text::count_with_noun(files.len() as u64, "file");
            format!("{count}{at}")
        }
        Context::Repo(repo) => repo.summary(),
    }
}

/// The source of a resumed debate.
#[derive(Clone, Debug)]
pub(crate) struct Reopened(Arc<Source>);

impl Reopened {
    /// Adds the source of citations to `table`, and a working copy for each seat if the context is
    /// the repository.
    pub(crate) fn attach_to(
        self,
        table: RunContext,
        caller: &Caller,
        state: &State,
        tools: &Tools,
    ) -> RunContext {
        let Self(source) = self;
        let table = table.with_evidence(Arc::new(PinnedSource::new(Arc::clone(&source))));
        let Context::Repo(repo) = &state.spec.context else {
            return table;
        };
        let private = Environment::new(caller.vars_os.clone()).private_places();
        let settings = tools.project_config_names().to_vec();
        table.with_seat_folders(Arc::new(Copies::new(source, repo, settings, private)))
    }
}

/// Opens the source of the debate in `folder`; `None` if none was pinned.
///
/// # Errors
///
/// If the stored source cannot be read.
pub(crate) fn reopen(
    caller: &Caller,
    folder: &Path,
    state: &State,
) -> Result<Option<Reopened>, Failure> {
    let source = open_source(folder, state)?;
    let pages = state
        .spec
        .source
        .as_ref()
        .is_some_and(|pinned| pinned.pages);
    Ok(source.map(|source| {
        let source = source.with_root(&caller.project());
        Reopened(Arc::new(match pages {
            true => source.with_pages(Arc::new(Web::new(SystemNet))),
            false => source,
        }))
    }))
}

/// Opens the part of the source that was stored with the record; `None` if none was pinned.
///
/// # Errors
///
/// If the stored source cannot be read.
pub(crate) fn open_source(folder: &Path, state: &State) -> Result<Option<Source>, Failure> {
    let Some(pinned) = &state.spec.source else {
        return Ok(None);
    };
    let disk = RealDisk;
    let bytes = read_blob(&disk, folder, &pinned.manifest)
        .map_err(|error| unreadable_source_failure(&error))?;
    let manifest = bytes.and_then(|bytes| Manifest::from_bytes(&bytes).ok());
    let Some(manifest) = manifest else {
        return Err(Failure::new(
            Code::Store,
            "the stored source of this debate's citations is missing from its folder",
        )
        .hint("restore .agon/blobs from a copy of the folder"));
    };
    let commits = cited_commits(&disk, folder, state)?;
    let in_commits = commits.files.values().chain(commits.pages.values());
    let in_commits = in_commits.filter_map(|at| match at {
        CommitPathEntry::Entry(entry) => entry.hash.as_ref(),
        CommitPathEntry::Folder
        | CommitPathEntry::Submodule
        | CommitPathEntry::Absent
        | CommitPathEntry::Unreachable(_) => None,
    });
    let entries = manifest.entries.values();
    let hashes = entries.filter_map(|entry| entry.hash.as_ref());
    let blobs = read_blobs(&disk, folder, hashes.chain(in_commits))?;
    let mark = pinned.root.as_ref();
    let mark = mark.map(|hash| RootMark::from_stored(&pinned.manifest, hash));
    let source = Source::from_stored(manifest, commits, blobs);
    Ok(Some(source.with_mark(mark)))
}

/// Returns the output of commits that the debate's turns cite.
fn cited_commits(disk: &dyn Disk, folder: &Path, state: &State) -> Result<Commits, Failure> {
    let mut commits = Commits::default();
    let asks = state.turns.values().flat_map(|turn| &turn.asks);
    for hash in asks.filter_map(|ask| ask.commits.as_ref()) {
        let bytes =
            read_blob(disk, folder, hash).map_err(|error| unreadable_source_failure(&error))?;
        let said = bytes.and_then(|bytes| serde_json::from_slice::<Commits>(&bytes).ok());
        commits.add_missing(said.unwrap_or_default());
    }
    Ok(commits)
}

/// Returns the stored files with these hashes.
fn read_blobs<'a>(
    disk: &dyn Disk,
    folder: &Path,
    hashes: impl Iterator<Item = &'a String>,
) -> Result<Blobs, Failure> {
    let mut blobs = Blobs::new();
    for hash in hashes {
        let bytes =
            read_blob(disk, folder, hash).map_err(|error| unreadable_source_failure(&error))?;
        blobs.extend(bytes.map(|bytes| (hash.clone(), bytes.into())));
    }
    Ok(blobs)
}

fn unreadable_source_failure(error: &DiskError) -> Failure {
    Failure::from_error(Code::Store, error)
}
