//! Ways in which a context goes bad, found by rules over the entries.
//!
//! [`Findings::of`] takes the entries that are looked at and gives what was found, each with its
//! evidence. A session that is well must not be flagged: where a rule is in doubt it is silent.

mod act;
mod debate;
mod finding;
mod findings;
mod loaded;
mod outcome;
mod token;
mod window;

pub use finding::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity};
pub use findings::{Findings, FindingsOptions};
pub use loaded::LoadedText;
pub use token::TokenLimits;

pub(crate) use act::{paths, strings};
use window::{Window, windows};
