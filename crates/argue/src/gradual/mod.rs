mod aggregate;
mod contributions;
mod cycle;
mod flip;
mod gradient;
mod kernel;
mod model;
mod run;
mod semantics;
mod shapley;

pub use contributions::{Contributions, Measure};
pub use flip::{FlipLimits, FlipSets, NoFlip};
pub use model::{Model, Options, Scheme, Status, Strengths};
pub use semantics::{Gradual, NoSuchGradual};
pub use shapley::ShapleyOptions;
