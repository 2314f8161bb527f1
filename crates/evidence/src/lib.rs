//! Looks citations up.

mod anchor;
mod commits;
mod extract;
mod index;
mod limits;
mod manifest;
mod normal;
mod path;
mod paths;
mod resolve;
mod source;
mod text;

pub use commits::{At, Commits, Named};
pub use extract::{Extracted, Guess, extract};
pub use limits::Limits;
pub use manifest::{Change, Entry, Kind, LeftOut, Manifest, ManifestError, Scope};
pub use resolve::{Kept, Resolver, tally};
pub use source::{Blobs, PinError, Source};
