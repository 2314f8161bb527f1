//! A gradual semantics with its options for cycles.

use super::Gradual;

/// A gradual semantics, and its options for cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The semantics.
    pub semantics: Gradual,
    /// How cycles are iterated.
    pub options: Options,
}

/// How cycles are iterated; irrelevant for a graph without cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Maximum change of a strength in one step at which a cycle counts as converged.
    ///
    /// Below 1e-14, rounding may keep a cycle from ever converging.
    pub tolerance: f64,
    /// Maximum number of steps of each scheme on each cycle.
    pub iterations: u32,
    /// The share of the distance that a damped step moves, used if synchronous steps do not
    /// converge.
    ///
    /// If `None`, a cycle that does not converge is reported without further attempts.
    pub damping: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-12,
            iterations: 10_000,
            damping: Some(0.1),
        }
    }
}

impl Model {
    /// Creates a model with the default options.
    pub fn new(semantics: Gradual) -> Self {
        Self {
            semantics,
            options: Options::default(),
        }
    }
}
