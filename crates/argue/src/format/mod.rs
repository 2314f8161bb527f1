//! File formats for reading and writing graphs.
//!
//! | module | contents | read | written |
//! |---|---|---|---|
//! | [`i23`] | attacks between numbers, as in the ICCMA competitions since 2023 | yes | yes |
//! | [`apx`] | attacks between names, as `arg(a).` and `att(a,b).` | yes | yes |
//! | [`tgf`] | attacks and supports between names, as a trivial graph | yes | yes |
//! | [`bag`] | the same with base weights, as `arg(a,0.5).` | yes | yes |
//! | [`aif`] | the Argument Interchange Format of AIFdb, in JSON | yes | yes |
//! | [`mermaid`], [`dot`] | the same as a drawing | no | yes |
//!
//! Reading never panics. It trusts a declared size only up to
//! [`MAX_ARGUMENTS`](crate::MAX_ARGUMENTS), or as far as the lines confirm it. An error names its
//! line.

pub mod aif;
mod aif_graph;
pub mod apx;
pub mod bag;
mod diagram_limits;
pub mod dot;
mod error;
pub mod i23;
pub mod mermaid;
mod names;
mod statements;
pub mod tgf;

pub use diagram_limits::{LeftOut, MAX_EDGES, MAX_TEXT, draw_bounded};
pub use error::{ReadCause, ReadError, WriteError};
pub use names::GraphWithNames;
