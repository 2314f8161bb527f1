//! Rules that find failure patterns of a context in its entries.
//!
//! [`Findings::of`] checks entries and returns findings with their evidence. A healthy session must
//! not be flagged, so a rule in doubt reports nothing.

mod act;
mod check;
mod debate;
mod effect;
mod false_success;
mod finding;
mod findings;
mod lexicon;
mod loaded;
mod prohibition;
mod shell;
mod token;
mod window;

pub use finding::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity};
pub use findings::{Findings, FindingsOptions};
pub use loaded::LoadedText;
pub use token::TokenLimits;

pub(crate) use act::{all_strings, paths};
pub(crate) use effect::{changes_files, only_looks, only_reads};
pub(crate) use prohibition::forbids_an_action;
use window::{Window, windows};
