//! Which semantics is computed, and how cycles are iterated.

use super::Gradual;

/// A gradual semantics, and how long to iterate on cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The semantics.
    pub semantics: Gradual,
    /// How cycles are iterated.
    pub options: Options,
}

/// How cycles are iterated; makes no difference to a graph without them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The greatest change of a strength in one step at which a cycle counts as settled.
    ///
    /// Below 1e-14 rounding may keep a cycle from ever settling.
    pub tolerance: f64,
    /// The most steps of each scheme on each cycle.
    pub iterations: u32,
    /// The share of the way that a damped step goes, tried where synchronous steps do not settle.
    ///
    /// Without it, what does not settle is reported as it is.
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
    /// Takes a semantics with the default options.
    pub fn new(semantics: Gradual) -> Self {
        Self {
            semantics,
            options: Options::default(),
        }
    }
}
