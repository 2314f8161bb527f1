//! The weights of edges in the argument graph.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::moves::{AttackKind, ObjectionKind, ObjectionSeverity};

/// The share of its source's strength that an edge transmits: whole thousandths from 0 to 1.
///
/// Serialized as a plain number.
///
/// ```
/// # use agon_record::weights::Weight;
/// let weight: Weight = serde_json::from_str("0.7")?;
/// assert_eq!((weight, weight.to_f64()), (Weight::new(700), 0.7));
/// assert!(serde_json::from_str::<Weight>("1.2").is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(u16);

impl Weight {
    /// Zero: the edge is drawn but has no effect.
    pub const NONE: Self = Self(0);
    /// The whole strength.
    pub const WHOLE: Self = Self(1_000);

    /// Creates a weight of `thousandths`, at most 1,000.
    pub const fn new(thousandths: u16) -> Self {
        if thousandths > 1_000 {
            Self::WHOLE
        } else {
            Self(thousandths)
        }
    }

    /// Returns the weight as a number from 0 to 1.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }

    /// Returns the product of both weights.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let product = u32::from(self.0) * u32::from(other.0);
        // Fits, because both factors are at most 1,000.
        Self((product / 1_000) as u16)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_f64().fmt(f)
    }
}

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.to_f64())
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&number) {
            Ok(Self((number * 1_000.0).round() as u16))
        } else {
            Err(D::Error::custom(format!(
                "a weight is a number from 0 to 1, not {number}"
            )))
        }
    }
}

/// The meaning of an edge, as far as its weight depends on it; the last one applies to points
/// instead.
///
/// The defaults are not measured, because the literature has no measurements. Each one states its
/// reason, and the configuration can change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightName {
    /// An argument or alternative for its side's position: 1, because only its arguments support a
    /// position.
    Argues,
    /// An attack on a claim: 1, because nothing remains of an argument with a wrong claim.
    Claim,
    /// An attack on the warrant: 0.8, because the claim may still be true, although these grounds
    /// no longer show it.
    Warrant,
    /// The objection that nothing supports the point: 0.8, as for the warrant.
    Unsupported,
    /// An attack on the grounds: 0.7, because an argument may have three, and an attack rarely
    /// refutes all.
    Grounds,
    /// An attack on the backing: 0.5, because the warrant may hold without it.
    Backing,
    /// A blocker against the position itself: 1, because by definition the position fails if the
    /// blocker is right.
    Blocker,
    /// A major objection against the position: 0.5, because it must be answered, and if unanswered,
    /// it costs the position more than the argument it targets.
    Major,
    /// A minor objection against the position: 0, because it concerns only its target.
    Minor,
    /// A rebuttal against the objection: 1, because it says that the objection is wrong.
    Rebuttal,
    /// A trade-off against the objection: 0.5, because it accepts the objection but says that it is
    /// not decisive.
    Tradeoff,
    /// Giving up a point of one's own: 1, because the side that needs the point has the least
    /// reason to give it up. What a proposer concedes counts only as far as the objection reaches,
    /// so conceding a remark on the backing does not cost the whole argument.
    Concession,
    /// Accepting a point of the other side: 1, for the same reason.
    Agreement,
    /// A ruling on an answer: 0.5, because the side that rules is the side that objected. If it
    /// rules against itself, that is a concession.
    Ruling,
    /// Further support for an earlier argument: 1, like any other argument.
    Reinforcement,
    /// A clarification of an earlier argument: 0.3, because it removes a misunderstanding but does
    /// not add a reason.
    Clarification,
    /// The share of its initial strength that a point keeps if it cites a wrong or missing place:
    /// 0.5, because its claim may still be true, but its evidence is not there. Not measured, like
    /// the others; 1 removes nothing, 0 leaves the minimum.
    WrongCitation,
}

impl WeightName {
    /// Every name, in declaration order.
    pub const ALL: [Self; 17] = [
        Self::Argues,
        Self::Claim,
        Self::Warrant,
        Self::Unsupported,
        Self::Grounds,
        Self::Backing,
        Self::Blocker,
        Self::Major,
        Self::Minor,
        Self::Rebuttal,
        Self::Tradeoff,
        Self::Concession,
        Self::Agreement,
        Self::Ruling,
        Self::Reinforcement,
        Self::Clarification,
        Self::WrongCitation,
    ];

    /// Returns the weight if nothing is configured.
    pub fn default_weight(self) -> Weight {
        match self {
            Self::Argues | Self::Claim | Self::Blocker => Weight::WHOLE,
            Self::Rebuttal | Self::Concession => Weight::WHOLE,
            Self::Agreement | Self::Reinforcement => Weight::WHOLE,
            Self::Warrant | Self::Unsupported => Weight::new(800),
            Self::Grounds => Weight::new(700),
            Self::Backing | Self::Major | Self::Tradeoff | Self::Ruling => Weight::new(500),
            Self::WrongCitation => Weight::new(500),
            Self::Clarification => Weight::new(300),
            Self::Minor => Weight::NONE,
        }
    }
}

impl From<AttackKind> for WeightName {
    fn from(kind: AttackKind) -> Self {
        match kind {
            AttackKind::Claim => Self::Claim,
            AttackKind::Grounds => Self::Grounds,
            AttackKind::Warrant => Self::Warrant,
            AttackKind::Backing => Self::Backing,
        }
    }
}

impl From<ObjectionKind> for WeightName {
    fn from(kind: ObjectionKind) -> Self {
        match kind {
            ObjectionKind::Claim => Self::Claim,
            ObjectionKind::Grounds => Self::Grounds,
            ObjectionKind::Warrant => Self::Warrant,
            ObjectionKind::Backing => Self::Backing,
            ObjectionKind::Unsupported => Self::Unsupported,
        }
    }
}

impl From<ObjectionSeverity> for WeightName {
    fn from(severity: ObjectionSeverity) -> Self {
        match severity {
            ObjectionSeverity::Minor => Self::Minor,
            ObjectionSeverity::Major => Self::Major,
            ObjectionSeverity::Blocker => Self::Blocker,
        }
    }
}

/// The weights of all kinds of edges: the defaults, and the weights that differ from them.
///
/// ```
/// # use agon_record::weights::{EdgeWeights, Weight, WeightName};
/// let weights: EdgeWeights = serde_json::from_str(r#"{"grounds": 0.9}"#)?;
/// assert_eq!(weights.weight_of(WeightName::Grounds), Weight::new(900));
/// assert_eq!(weights.weight_of(WeightName::Warrant), WeightName::Warrant.default_weight());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EdgeWeights {
    changed: BTreeMap<WeightName, Weight>,
}

impl EdgeWeights {
    /// Returns the weight of an edge of this name.
    pub fn weight_of(&self, name: impl Into<WeightName>) -> Weight {
        let name = name.into();
        let changed = self.changed.get(&name).copied();
        changed.unwrap_or_else(|| name.default_weight())
    }

    /// Returns whether every weight is the default.
    pub fn is_default(&self) -> bool {
        self.changed.is_empty()
    }
}

impl FromIterator<(WeightName, Weight)> for EdgeWeights {
    fn from_iter<I: IntoIterator<Item = (WeightName, Weight)>>(changed: I) -> Self {
        let changed = changed.into_iter().collect();
        Self { changed }
    }
}
