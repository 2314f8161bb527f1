use agon_argue::{ArgId, Polarity};
use agon_record::moves::{AttackKind, ObjectionKind, ObjectionSeverity, RulingKind};
use agon_record::weights::{Weight, WeightName};

/// A relation between two nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphEdge {
    /// The index of the node where the edge starts.
    pub from: ArgId,
    /// The index of the node where the edge ends.
    pub to: ArgId,
    /// The kind of relation.
    pub kind: EdgeKind,
    /// The share of the source's strength that counts.
    pub weight: Weight,
    /// The text of the relation; empty if it is the node's own text.
    pub words: String,
}

impl GraphEdge {
    /// Returns whether the edge supports or attacks; `None` for edges that only link a point to its
    /// context.
    pub fn polarity(&self) -> Option<Polarity> {
        self.kind.polarity()
    }
}

/// The kind of a relation between nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// An argument for its side's position.
    Argues,
    /// An objection to a part of a point.
    Objects(ObjectionKind),
    /// From an objection to the position of its target's side, by severity.
    Weighs(ObjectionSeverity),
    /// An answer that says the objection is wrong.
    Rebuts,
    /// An answer that says the objection is right but not decisive.
    TradesOff,
    /// An answer that says the objection is right; [`Self::GivesUp`] is the attack on the conceded
    /// point.
    Concedes,
    /// From a point to an earlier point of its own side that it concedes.
    GivesUp,
    /// A ruling on an answer.
    Rules(RulingKind),
    /// From a ruling to the objection that it upholds.
    Upholds,
    /// An acceptance of a point of the other side.
    Agrees,
    /// An attack on a part of a formal argument.
    Attacks(AttackKind),
    /// Further support for an earlier argument.
    Reinforces,
    /// A clarification of an earlier argument.
    Clarifies,
}

impl EdgeKind {
    /// Returns the name used in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Argues => "argues",
            Self::Objects(_) => "objects",
            Self::Weighs(_) => "weighs",
            Self::Rebuts => "rebuts",
            Self::TradesOff => "trades_off",
            Self::Concedes => "concedes",
            Self::GivesUp => "gives_up",
            Self::Rules(_) => "rules",
            Self::Upholds => "upholds",
            Self::Agrees => "agrees",
            Self::Attacks(_) => "attacks",
            Self::Reinforces => "reinforces",
            Self::Clarifies => "clarifies",
        }
    }

    /// Returns the attacked part, the severity or the ruling, if the kind has one.
    pub fn detail(self) -> Option<&'static str> {
        match self {
            Self::Objects(kind) => Some(match kind {
                ObjectionKind::Claim => "claim",
                ObjectionKind::Grounds => "grounds",
                ObjectionKind::Warrant => "warrant",
                ObjectionKind::Backing => "backing",
                ObjectionKind::Unsupported => "unsupported",
            }),
            Self::Weighs(severity) => Some(match severity {
                ObjectionSeverity::Minor => "minor",
                ObjectionSeverity::Major => "major",
                ObjectionSeverity::Blocker => "blocker",
            }),
            Self::Rules(ruling) => Some(match ruling {
                RulingKind::Resolved => "resolved",
                RulingKind::Sustained => "sustained",
                RulingKind::Dodged => "dodged",
                RulingKind::Unsupported => "unsupported",
                RulingKind::Reframed => "reframed",
            }),
            Self::Attacks(kind) => Some(kind.part_label()),
            _ => None,
        }
    }

    /// Returns the word beside the edge in a picture.
    pub fn label(self) -> &'static str {
        match self {
            Self::Argues => "",
            Self::Objects(_) | Self::Weighs(_) | Self::Rules(_) | Self::Attacks(_) => {
                self.detail().unwrap_or_default()
            }
            Self::TradesOff => "trades off",
            Self::GivesUp => "concedes",
            _ => self.name(),
        }
    }

    /// Returns whether the edge supports or attacks; `None` for edges that only link a point to its
    /// context.
    pub fn polarity(self) -> Option<Polarity> {
        match self {
            Self::Argues | Self::Upholds | Self::Agrees => Some(Polarity::Support),
            Self::Reinforces | Self::Clarifies => Some(Polarity::Support),
            Self::Objects(_) | Self::Weighs(_) | Self::Attacks(_) => Some(Polarity::Attack),
            Self::Rebuts | Self::TradesOff | Self::GivesUp => Some(Polarity::Attack),
            Self::Rules(RulingKind::Resolved) => Some(Polarity::Support),
            Self::Concedes | Self::Rules(RulingKind::Sustained) => None,
            Self::Rules(_) => Some(Polarity::Attack),
        }
    }

    /// Returns the name of its weight; `None` for edges that only link a point to its context.
    pub fn weight_name(self) -> Option<WeightName> {
        match self {
            Self::Argues => Some(WeightName::Argues),
            Self::Objects(kind) => Some(kind.into()),
            Self::Weighs(severity) => Some(severity.into()),
            Self::Rebuts => Some(WeightName::Rebuttal),
            Self::TradesOff => Some(WeightName::Tradeoff),
            Self::GivesUp => Some(WeightName::Concession),
            Self::Upholds => Some(WeightName::Ruling),
            Self::Agrees => Some(WeightName::Agreement),
            Self::Attacks(kind) => Some(kind.into()),
            Self::Reinforces => Some(WeightName::Reinforcement),
            Self::Clarifies => Some(WeightName::Clarification),
            Self::Rules(RulingKind::Sustained) | Self::Concedes => None,
            Self::Rules(_) => Some(WeightName::Ruling),
        }
    }
}
