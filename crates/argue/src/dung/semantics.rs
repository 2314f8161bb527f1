use std::str::FromStr;

/// Which sets of arguments can be accepted together.
///
/// S⁺ are the arguments that a set S attacks, its range is S and S⁺ together. S is conflict-free
/// when it attacks none of its own, admissible when it also attacks all that attack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Semantics {
    /// The least complete extension. Always one. Dung 1995, as the three after it.
    Grounded,
    /// Admissible sets with all that they defend.
    Complete,
    /// Greatest admissible sets.
    Preferred,
    /// Conflict-free sets whose range is everything. There may be none.
    Stable,
    /// Complete extensions of greatest range. Caminada 2006.
    SemiStable,
    /// Conflict-free sets of greatest range. Verheij 1996.
    Stage,
    /// The greatest admissible set within every preferred extension. Always one.
    /// Dung, Mancarella and Toni 2007.
    Ideal,
    /// The greatest admissible set within every semi-stable extension. Always one.
    /// Caminada 2007.
    Eager,
}

impl Semantics {
    /// Lists every semantics, in the order of their declaration.
    pub const ALL: [Self; 8] = [
        Self::Grounded,
        Self::Complete,
        Self::Preferred,
        Self::Stable,
        Self::SemiStable,
        Self::Stage,
        Self::Ideal,
        Self::Eager,
    ];

    /// Gives the name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Self::Grounded => "grounded",
            Self::Complete => "complete",
            Self::Preferred => "preferred",
            Self::Stable => "stable",
            Self::SemiStable => "semi-stable",
            Self::Stage => "stage",
            Self::Ideal => "ideal",
            Self::Eager => "eager",
        }
    }

    /// Gives the code of the ICCMA competitions, such as `PR`.
    pub fn iccma_code(self) -> &'static str {
        match self {
            Self::Grounded => "GR",
            Self::Complete => "CO",
            Self::Preferred => "PR",
            Self::Stable => "ST",
            Self::SemiStable => "SST",
            Self::Stage => "STG",
            Self::Ideal => "ID",
            Self::Eager => "EAG",
        }
    }
}

/// A name that no semantics has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no semantics of that name")]
pub struct NoSuchSemantics;

impl FromStr for Semantics {
    type Err = NoSuchSemantics;

    /// Reads a name or a code.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|it| it.name() == text || it.iccma_code() == text)
            .ok_or(NoSuchSemantics)
    }
}

/// What it takes to be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// To be in some extension.
    Credulous,
    /// To be in every extension; all are when there is none.
    Skeptical,
}
