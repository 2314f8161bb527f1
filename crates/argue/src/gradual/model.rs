use super::Gradual;
use super::run::Run;
use crate::Qbaf;

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

/// How a cycle was iterated, from the base weights, all its arguments at once.
///
/// Never in place: that favours the arguments with the lower ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// Every step goes all the way.
    Synchronous,
    /// Every step goes a share of the way, as in following the differential equation.
    Damped,
}

/// How far the strengths can be relied on: the worst of all cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    /// There was no cycle: the strengths are what the definition says, up to rounding.
    Exact,
    /// Every cycle settled.
    Converged {
        /// Steps of the cycle that took longest, the last scheme's only.
        iterations: u32,
        /// The greatest change in a last step.
        residual: f64,
        /// Damped when any cycle needed it.
        scheme: Scheme,
    },
    /// A cycle returns to the same strengths again and again and will never settle.
    Oscillating {
        /// After how many steps it returns.
        period: u32,
        /// The greatest change within a step.
        residual: f64,
    },
    /// A cycle had not settled when the steps were used up.
    Limit {
        /// The steps that were made.
        iterations: u32,
        /// The greatest change in the last of them.
        residual: f64,
    },
}

impl Status {
    /// Says whether the strengths are those that the semantics defines.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Exact | Self::Converged { .. } => true,
            Self::Oscillating { .. } | Self::Limit { .. } => false,
        }
    }

    /// Gives the worse of two, joined where they are alike.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        use Status::{Converged, Limit, Oscillating};
        match (self, other) {
            (
                Converged {
                    iterations: a,
                    residual: x,
                    scheme: p,
                },
                Converged {
                    iterations: b,
                    residual: y,
                    scheme: q,
                },
            ) => Converged {
                iterations: a.max(b),
                residual: x.max(y),
                scheme: p.max(q),
            },
            (
                Oscillating {
                    period: a,
                    residual: x,
                },
                Oscillating {
                    period: b,
                    residual: y,
                },
            ) => Oscillating {
                period: a.max(b),
                residual: x.max(y),
            },
            (
                Limit {
                    iterations: a,
                    residual: x,
                },
                Limit {
                    iterations: b,
                    residual: y,
                },
            ) => Limit {
                iterations: a.max(b),
                residual: x.max(y),
            },
            (a, b) if a.rank() >= b.rank() => a,
            (_, b) => b,
        }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Exact => 0,
            Self::Converged { .. } => 1,
            Self::Limit { .. } => 2,
            Self::Oscillating { .. } => 3,
        }
    }
}

/// The strength of each argument, and how far to rely on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Strengths {
    /// One number from 0 to 1 per argument, in order.
    pub values: Vec<f64>,
    /// Whether they are exact, have settled, or neither.
    pub status: Status,
}

impl Model {
    /// Takes a semantics with the default options.
    pub fn new(semantics: Gradual) -> Self {
        Self {
            semantics,
            options: Options::default(),
        }
    }

    /// Gives every argument its strength.
    ///
    /// Arguments on no cycle are worked out once, after those that speak about them; each cycle
    /// is iterated by itself. Neither the order of the edges nor the numbering of the arguments
    /// changes a bit of any value. Takes O(n + edges) time and as much again per step on a cycle.
    ///
    /// ```
    /// use agon_argue::{ArgId, Edge, Gradual, Model, Qbaf, Status};
    ///
    /// let chain = Qbaf::new(vec![0.8, 0.5], &[Edge::attack(ArgId(1), ArgId(0))])?;
    /// let strengths = Model::new(Gradual::QuadraticEnergy).evaluate(&chain);
    /// assert_eq!(strengths.status, Status::Exact);
    /// assert!((strengths.values[0] - 0.64).abs() < 1e-12);
    /// # Ok::<(), agon_argue::GraphError>(())
    /// ```
    pub fn evaluate(&self, graph: &Qbaf) -> Strengths {
        let mut run = Run::new(*self, graph);
        let status = run.evaluate();
        Strengths {
            values: run.into_values(),
            status,
        }
    }
}
