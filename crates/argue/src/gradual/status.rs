//! How far strengths can be relied on.

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
