use std::str::FromStr;

/// Gradual semantics: how the strengths of its parents change an argument's base weight.
///
/// Each one aggregates the attackers and supporters of an argument to one number, which then moves
/// the base weight `w`. An edge's weight multiplies the strength of its source. An argument without
/// parents keeps its base weight, and every strength is a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gradual {
    /// DF-QuAD: the attackers' complement product minus that of the supporters, with linear
    /// influence.
    ///
    /// Rago, Toni, Aurisicchio and Baroni, KR 2016. Saturates: ten attackers of 0.3 count as 0.97.
    DfQuad,
    /// The aggregation of DF-QuAD with the influence `x/(1+x)`, which never quite reaches 0 or 1.
    SquaredDfQuad,
    /// Quadratic energy: the difference `E` of the sums, moved by `E²/(1+E²)`.
    ///
    /// Potyka, KR 2018. Treats attack and support symmetrically and does not saturate.
    QuadraticEnergy,
    /// Euler-based: the difference of the sums, as the exponent in `1-(1-w²)/(1+w·e^E)`.
    ///
    /// Amgoud and Ben-Naim, ECSQARU 2017. Attacks cannot push below `w²`; 0 and 1 never move.
    Euler,
    /// Euler-based, using only the strongest supporter and the strongest attacker.
    ///
    /// Mossakowski and Neuhaus, 2018.
    EulerTop,
    /// A neuron: adds the difference of the sums to the log-odds of `w`; 0 and 1 never move.
    ///
    /// Potyka, AAAI 2021.
    Mlp,
    /// Weighted h-categoriser: `w/(1+Σ attackers)`. Ignores supports.
    ///
    /// Amgoud, Ben-Naim, Doder and Vesic, IJCAI 2017, like the next two.
    HCategoriser,
    /// Max-based: `w/(1+max attackers)`. Ignores supports.
    MaxBased,
    /// Card-based: the number of attackers counts before their strength. Ignores supports.
    CardBased,
}

impl Gradual {
    /// Every semantics, in declaration order.
    pub const ALL: [Self; 9] = [
        Self::DfQuad,
        Self::SquaredDfQuad,
        Self::QuadraticEnergy,
        Self::Euler,
        Self::EulerTop,
        Self::Mlp,
        Self::HCategoriser,
        Self::MaxBased,
        Self::CardBased,
    ];

    /// Returns the name that [`FromStr`] accepts.
    pub fn name(self) -> &'static str {
        match self {
            Self::DfQuad => "df-quad",
            Self::SquaredDfQuad => "squared-df-quad",
            Self::QuadraticEnergy => "quadratic-energy",
            Self::Euler => "euler",
            Self::EulerTop => "euler-top",
            Self::Mlp => "mlp",
            Self::HCategoriser => "h-categoriser",
            Self::MaxBased => "max-based",
            Self::CardBased => "card-based",
        }
    }

    /// Returns whether supports have any effect.
    pub fn uses_supports(self) -> bool {
        !matches!(self, Self::HCategoriser | Self::MaxBased | Self::CardBased)
    }
}

/// A name that is not a gradual semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown gradual semantics")]
pub struct NoSuchGradual;

impl FromStr for Gradual {
    type Err = NoSuchGradual;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.name() == text).ok_or(NoSuchGradual)
    }
}
