//! Argument-graph algorithms: sets of acceptable arguments, the strength of each argument, the
//! contributions to it, and the arguments that a comparison depends on.
//!
//! There are two kinds of graph, both built once from a list of edges:
//!
//! - an [`Af`] has arguments and attacks. [`Af::grounded`] labels it in linear time. A [`Reasoner`]
//!   returns its extensions under the other [`Semantics`], and the accepted arguments.
//! - a [`Qbaf`] has a base weight for each argument, and weighted attacks and supports. A [`Model`]
//!   returns strengths under a [`Gradual`] semantics, contributions, and flip sets.
//!
//! Arguments are numbered by [`ArgId`]; their names are stored outside the graph. [`mod@format`]
//! reads and writes both kinds.
//!
//! Guarantees:
//!
//! - the same input gives the same output, on every run;
//! - neither the order of the edges nor the numbering of the arguments changes a bit of a strength,
//!   so no side wins because of its number. The same is true of contributions, except sampled ones
//!   and gradients;
//! - strengths on cycles have a [`Status`], which says whether they converged;
//! - searches that can be exponential have a limit, and report when they reach it.
//!
//! This crate knows nothing about debates, judges or scores, and reads no files and no clock.
//!
//! ```
//! use agon_argue::{ArgId, Edge, FlipLimits, Gradual, Measure, Model, Qbaf, Status};
//!
//! let [ours, theirs, reason, doubt] = [0, 1, 2, 3].map(ArgId);
//! let graph = Qbaf::new(
//!     vec![0.5, 0.5, 0.8, 0.6],
//!     &[Edge::support(reason, ours), Edge::attack(doubt, reason)],
//! )?;
//! let model = Model::new(Gradual::QuadraticEnergy);
//!
//! let strengths = model.evaluate(&graph);
//! assert_eq!(strengths.status, Status::Exact);
//! assert!(strengths.values[0] > strengths.values[1]);
//!
//! let moved = model.contributions(&graph, ours, Measure::Removal);
//! assert!(moved.values[2] > 0.0 && moved.values[3] < 0.0);
//!
//! // Without its only reason, ours is no better than theirs, but theirs does not win either.
//! let flips = model.flip_sets(&graph, ours, theirs, FlipLimits::default())?;
//! assert!(flips.sets.is_empty() && flips.complete);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod af;
mod components;
mod csr;
mod dung;
pub mod format;
mod gradual;
mod grounded;
mod id;
mod qbaf;
mod rows;

pub use af::Af;
pub use dung::{
    Acceptance, Answer, Batsat, Extensions, LimitHit, Lit, Mode, NoSuchSemantics, Reasoner, Sat,
    SearchLimits, Semantics, Var,
};
pub use gradual::{
    Contributions, FlipLimits, FlipSets, Gradual, Measure, Model, NoFlip, NoSuchGradual, Options,
    Scheme, ShapleyOptions, Status, Strengths,
};
pub use grounded::Label;
pub use id::{ArgId, GraphError, MAX_ARGUMENTS};
pub use qbaf::{Edge, Polarity, Qbaf};
