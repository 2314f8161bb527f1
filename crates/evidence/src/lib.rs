//! Looks up citations in a pinned source and reports what the cited place contains.
//!
//! A [`Source`] is the material of a debate, pinned when the debate opened. It contains the files
//! of a folder with or without git, those that differ from a commit, or a few named files.
//! Documents and recorded command outputs can be added. Its [`Manifest`] lists every file with its
//! hash and is the same on every machine. A [`Resolver`] turns a citation, or a ground without one,
//! into a stamp with the quoted text, and keeps the bytes that its stamps depend on. With these and
//! the manifest, [`Source::from_stored`] returns the same stamps later and on other machines.
//!
//! *Found* means that the cited lines contain the words after normalization. That ignores white
//! space, quotation marks, dashes, ellipses, backticks, comment marks and the case of a sentence's
//! first letter. A citation without words gets the stamp *place*: the place exists, and nothing
//! more. Neither stamp means that anything is proved.
//!
//! This crate writes only working copies, into folders it is given, and starts no process. It reads
//! repositories through a library that runs no hook, filter or monitor. It opens no connection
//! unless it is given [`Pages`]. It reads nothing outside the pinned folder, whatever a path or a
//! link says. Quoted text of a source is untrusted and not redacted: the caller must redact it
//! before storing it or passing it on.
//!
//! ```
//! use agon_record::moves::Citation;
//! use agon_evidence::{PinLimits, Resolver, Source};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("retry.rs"), "\n\nconst MAX_RETRIES: u32 = 5;\n")?;
//! let source = Source::pin_tree(folder.path(), &PinLimits::default())?;
//!
//! let mut resolver = Resolver::new(&source);
//! let stamp = resolver.resolve(&Citation {
//!     file: Some("retry.rs".into()),
//!     lines: Some([1, 1]),
//!     anchor: Some("MAX_RETRIES: u32 = 5".into()),
//!     ..Citation::default()
//! });
//! assert_eq!(stamp.to_string(), "moved: the words are at retry.rs:3, not at 1");
//!
//! // The same result without the folder.
//! let kept = resolver.archive();
//! let later = Source::from_stored(source.manifest().clone(), kept.commits, kept.blobs);
//! # assert_eq!(later.manifest(), source.manifest());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anchor;
mod archive;
mod commits;
mod copy;
mod decode;
mod drift;
mod extract;
mod fold;
mod index;
mod known;
mod limits;
mod manifest;
mod negation;
mod normalize;
mod pages;
pub mod parallel;
mod path;
mod paths;
mod place_now;
mod resolve;
mod root_mark;
mod source;
mod text;
mod vet;

pub use archive::{Blobs, EvidenceArchive};
pub use commits::{CommitLookup, CommitPathEntry, Commits};
pub use copy::{CopyError, WorkingCopy};
pub use decode::{Decoded, decode};
pub use drift::SourceDrift;
pub use extract::{Extracted, Guess, extract_citations};
pub use known::KnownPaths;
pub use limits::PinLimits;
pub use manifest::{Change, FileKind, LeftOut, Manifest, ManifestEntry, ManifestError, Scope};
#[cfg(feature = "web")]
pub use pages::{Net, SystemNet, Web};
pub use pages::{Page, Pages};
pub use place_now::{PlaceNow, ProjectNow};
pub use resolve::Resolver;
pub use root_mark::RootMark;
pub use source::{Excluded, PinError, PinnedReader, Source};
pub use vet::{MAX_REDIRECTS, PageRefusal, Resolve, Vetted, is_public, vet_page_url};
