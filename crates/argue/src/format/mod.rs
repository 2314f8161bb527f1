//! Files that graphs are read from and written to.
//!
//! | module | holds | read | written |
//! |---|---|---|---|
//! | [`i23`] | attacks between numbers, as in the ICCMA competitions since 2023 | yes | yes |
//! | [`apx`] | attacks between names, as `arg(a).` and `att(a,b).` | yes | yes |
//! | [`tgf`] | attacks and supports between names, as a trivial graph | yes | yes |
//! | [`bag`] | the same with base weights, as `arg(a,0.5).` | yes | yes |
//! | [`aif`] | the argument interchange format of AIFdb, in JSON | yes | yes |
//! | [`mermaid`], [`dot`] | the same as a drawing | no | yes |
//!
//! Reading never panics and believes no size it has not seen the lines for, beyond
//! [`MAX_ARGUMENTS`](crate::MAX_ARGUMENTS). An error names the line it stands in.

pub mod aif;
mod aif_graph;
pub mod apx;
pub mod bag;
mod bounded;
pub mod dot;
mod error;
pub mod i23;
pub mod mermaid;
mod named;
mod statements;
pub mod tgf;

pub use bounded::{LeftOut, MAX_EDGES, MAX_TEXT, draw_bounded};
pub use error::{ReadCause, ReadError, WriteError};
pub use named::GraphWithNames;
