use std::str::FromStr;

/// How the strengths of its parents change an argument's base weight.
///
/// Each aggregates what speaks for and against an argument to one number and lets that number
/// move the base weight `w`. An edge's weight multiplies the strength of its source.
/// An argument that nothing speaks about keeps its base weight under each of them, and every
/// strength is a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gradual {
    /// DF-QuAD: the product of what attackers leave less that of supporters, moved linearly.
    ///
    /// Rago, Toni, Aurisicchio and Baroni, KR 2016. Saturates: ten attackers of 0.3 count 0.97.
    DfQuad,
    /// The aggregation of DF-QuAD with the influence `x/(1+x)`, which never quite reaches 0 or 1.
    SquaredDfQuad,
    /// Quadratic energy: the difference `E` of the sums, moved by `E²/(1+E²)`.
    ///
    /// Potyka, KR 2018. Treats attack and support alike and does not saturate.
    QuadraticEnergy,
    /// Euler-based: the difference of the sums, as the exponent in `1-(1-w²)/(1+w·e^E)`.
    ///
    /// Amgoud and Ben-Naim, ECSQARU 2017. Attacks cannot push below `w²`; 0 and 1 never move.
    Euler,
    /// Euler-based on the strongest supporter and the strongest attacker alone.
    ///
    /// Mossakowski and Neuhaus, 2018.
    EulerTop,
    /// A neuron: the difference of the sums added to the log-odds of `w`; 0 and 1 never move.
    ///
    /// Potyka, AAAI 2021.
    Mlp,
    /// Weighted h-categoriser: `w/(1+Σ attackers)`. Ignores supports.
    ///
    /// Amgoud, Ben-Naim, Doder and Vesic, IJCAI 2017, as the two after it.
    HCategoriser,
    /// Max-based: `w/(1+max attackers)`. Ignores supports.
    MaxBased,
    /// Card-based: how many attackers there are counts before how strong they are. Ignores supports.
    CardBased,
}

impl Gradual {
    /// Lists every semantics, in the order of their declaration.
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

    /// Gives the name that [`FromStr`] reads.
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

    /// Says whether supports make any difference.
    pub fn reads_supports(self) -> bool {
        !matches!(self, Self::HCategoriser | Self::MaxBased | Self::CardBased)
    }
}

/// A name that no gradual semantics has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no gradual semantics of that name")]
pub struct NoSuchGradual;

impl FromStr for Gradual {
    type Err = NoSuchGradual;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.name() == text).ok_or(NoSuchGradual)
    }
}
