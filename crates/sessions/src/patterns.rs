//! Ways in which a context goes bad, found by rules over the entries.
//!
//! [`Findings::of`] takes the entries that are looked at and gives what was found, each with its
//! evidence. A session that is well must not be flagged: where a rule is in doubt it is silent.

mod act;
mod check;
mod debate;
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

pub(crate) use act::{paths, strings};
use window::{Window, windows};
