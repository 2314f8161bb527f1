use std::str::FromStr;

/// Semantics: which sets of arguments are acceptable together.
///
/// S⁺ is the set of arguments that a set S attacks; the range of S is S and S⁺ together. S is
/// conflict-free if it attacks none of its own members, and admissible if it also attacks all its
/// attackers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Semantics {
    /// The least complete extension. There is always one. Dung 1995, like the next three.
    Grounded,
    /// Admissible sets that contain everything they defend.
    Complete,
    /// Maximal admissible sets.
    Preferred,
    /// Conflict-free sets whose range contains every argument. There may be none.
    Stable,
    /// Complete extensions with maximal range. Caminada 2006.
    SemiStable,
    /// Conflict-free sets with maximal range. Verheij 1996.
    Stage,
    /// The largest admissible set that every preferred extension contains. There is always one.
    /// Dung, Mancarella and Toni 2007.
    Ideal,
    /// The largest admissible set that every semi-stable extension contains. There is always one.
    /// Caminada 2007.
    Eager,
}

impl Semantics {
    /// Every semantics, in declaration order.
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

    /// Returns the name that [`FromStr`] accepts.
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

    /// Returns the code used in the ICCMA competitions, such as `PR`.
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

/// A name that is not a semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown semantics")]
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

/// The condition for acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Some extension contains the argument.
    Credulous,
    /// Every extension contains the argument; true for all arguments if there is no extension.
    Skeptical,
}
