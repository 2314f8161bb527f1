//! Looks citations up in a pinned source, and says what stands at the place.
//!
//! A [`Source`] is what a debate was given when it opened: the files of a folder with or without
//! git, those that differ from a commit, or a few that were named; with them documents and
//! recorded outputs of commands. Its [`Manifest`] names every file by its hash and is the same
//! on every machine. A [`Resolver`] turns a citation, or a ground without one, into a stamp with
//! the real text, and keeps the bytes that its stamps rest on: with these and the manifest,
//! [`Source::from_stored`] gives the same stamps later and elsewhere.
//!
//! What *found* means: the words stand at the lines, in the form of comparison, in which white
//! space, quotation marks, dashes, ellipses, back-ticks and the marks of comments do not count,
//! and neither does the case of a sentence's first letter. Where no words were given, the stamp
//! is *place*: it exists, and nothing more. Neither means that anything is proved.
//!
//! This crate reads. It writes nothing but working copies, into folders it is given, and starts no
//! process; repositories are read through a library that runs no hook, filter or monitor. It opens
//! no connection unless it is given [`Pages`]. Nothing outside the pinned
//! folder is read, whatever a path or a link says. What is shown of a source is untrusted and not
//! redacted: that is for the caller that stores it or passes it on.
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
//! assert_eq!(stamp.to_string(), "moved: stands at retry.rs:3, not at 1");
//!
//! // The same is said without the folder.
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
mod mark;
mod negation;
mod normalize;
mod pages;
mod path;
mod paths;
mod place_now;
mod resolve;
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
pub use mark::RootMark;
#[cfg(feature = "web")]
pub use pages::{Net, SystemNet, Web};
pub use pages::{Page, Pages};
pub use place_now::{PlaceNow, ProjectNow};
pub use resolve::Resolver;
pub use source::{Excluded, PinError, Source};
pub use vet::{MAX_REDIRECTS, PageRefusal, Resolve, Vetted, is_public, vet_page_url};
