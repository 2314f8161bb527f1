//! The reliability of computed strengths.

/// How a cycle was iterated: from the base weights, all its arguments at once.
///
/// Updating in place would favour arguments with lower ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// Every step moves the whole distance.
    Synchronous,
    /// Every step moves a share of the distance, like following the differential equation.
    Damped,
}

/// The reliability of the strengths: the worst status of all cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Status {
    /// There was no cycle: the strengths are as defined, up to rounding.
    Exact,
    /// Every cycle converged.
    Converged {
        /// Number of steps of the slowest cycle, in its last scheme.
        iterations: u32,
        /// The largest change in a last step.
        residual: f64,
        /// `Damped` if any cycle needed it.
        scheme: Scheme,
    },
    /// A cycle keeps returning to the same strengths and will never converge.
    Oscillating {
        /// Number of steps until it returns.
        period: u32,
        /// The largest change within a step.
        residual: f64,
    },
    /// A cycle had not converged within the maximum number of steps.
    Limit {
        /// Number of steps made.
        iterations: u32,
        /// The largest change in the last step.
        residual: f64,
    },
}

impl Status {
    /// Returns whether the strengths are those that the semantics defines.
    pub fn is_settled(self) -> bool {
        match self {
            Self::Exact | Self::Converged { .. } => true,
            Self::Oscillating { .. } | Self::Limit { .. } => false,
        }
    }

    /// Returns the worse of two, merged if they are of the same kind.
    #[must_use]
    pub fn combine_worst(self, other: Self) -> Self {
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
            (a, b) if a.severity() >= b.severity() => a,
            (_, b) => b,
        }
    }

    fn severity(self) -> u8 {
        match self {
            Self::Exact => 0,
            Self::Converged { .. } => 1,
            Self::Limit { .. } => 2,
            Self::Oscillating { .. } => 3,
        }
    }
}
