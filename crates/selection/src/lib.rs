//! Chooses the skills that a request calls for, and the portions of them that fit a token budget.
//!
//! Pure functions: nothing here reads a file, a clock or the environment, and the same input always
//! produces the same output.
//!
//! 1. [`SkillText::exclusion`] leaves out skills that a role or a host does not get.
//! 2. [`SkillIndex::scores`] ranks by BM25F over weighted fields, and adds points for phrases that call
//!    for a skill and for its name. Counter-phrases take points away. BM25F: S. Robertson and H. Zaragoza, "The
//!    Probabilistic Relevance Framework: BM25 and Beyond", Foundations and Trends in Information
//!    Retrieval 3(4), 2009, section 3.6.
//!    [`SkillIndex::learn`] adds points for requests that resemble example requests of a skill, in any
//!    language, by naive Bayes: J. Rennie, L. Shih, J. Teevan and D. Karger, "Tackling the Poor
//!    Assumptions of Naive Bayes Text Classifiers", ICML 2003, sections 4.1 to 4.3.
//! 3. [`SkillIndex::candidates`] abstains: a skill below a threshold, or far below the best, is not a
//!    candidate.
//! 4. [`pack`] fills the budget with each candidate as a whole, as one of its sections, or as a pointer.
//!    A partial text always says that it is one.
//!
//! ```
//! use agon_selection::{SkillText, SkillIndex};
//!
//! let review = SkillText {
//!     name: "code-review".into(),
//!     triggers: vec!["review this pr".into(), "before merge".into()],
//!     ..SkillText::default()
//! };
//! let tests = SkillText {
//!     name: "test-first".into(),
//!     triggers: vec!["write the test first".into()],
//!     ..SkillText::default()
//! };
//! let index = SkillIndex::new(vec![review, tests]);
//! let scores = index.scores("Please review this PR before the merge.");
//! let candidates = index.candidates(&scores);
//! assert_eq!(candidates.iter().map(|it| it.document).collect::<Vec<_>>(), [0]);
//! assert!(index.candidates(&index.scores("What time is it?")).is_empty());
//! ```

mod document;
mod examples;
mod explanation;
mod index;
mod negation;
mod pack;
mod phrase;
mod request;
mod score;
mod weights;
mod words;

pub use document::{Asker, Exclusion, SkillField, SkillText};
pub use explanation::{Explanation, ScorePart, Sign};
pub use index::SkillIndex;
pub use pack::{Packed, Portion, PortionForm, SkillOffer, pack};
pub use score::Score;
pub use weights::SignWeights;
