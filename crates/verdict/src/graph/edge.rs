use agon_argue::{ArgId, Polarity};
use agon_record::moves::{AttackKind, ObjectionKind, ObjectionSeverity, RulingKind};
use agon_record::weights::{Weight, WeightName};

/// What one node is to another.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphEdge {
    /// The place among the nodes of the one that speaks.
    pub from: ArgId,
    /// The place of the one spoken of.
    pub to: ArgId,
    /// How it speaks of it.
    pub kind: EdgeKind,
    /// How much of the strength of the one that speaks counts.
    pub weight: Weight,
    /// What it says of it; empty where the node's own text says it.
    pub words: String,
}

impl GraphEdge {
    /// Whether it counts for or against; none for what only says where a point belongs.
    pub fn polarity(&self) -> Option<Polarity> {
        self.kind.polarity()
    }
}

/// How one node speaks of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// An argument for its side's position.
    Argues,
    /// An objection to a part of a point.
    Objects(ObjectionKind),
    /// An objection, to the position that the point is for, by how much hangs on it.
    Weighs(ObjectionSeverity),
    /// An answer that says the objection is wrong.
    Rebuts,
    /// An answer that says the objection is right and does not decide.
    TradesOff,
    /// An answer that says the objection is right; what follows from it is [`Self::GivesUp`].
    Concedes,
    /// A point, to an earlier one of its own side that it concedes.
    GivesUp,
    /// A ruling on an answer.
    Rules(RulingKind),
    /// A ruling, to the objection that it says still stands.
    Upholds,
    /// A point of the other side that is accepted.
    Agrees,
    /// An attack on a part of a formal argument.
    Attacks(AttackKind),
    /// Further support for an earlier argument.
    Reinforces,
    /// What an earlier argument really said.
    Clarifies,
}

impl EdgeKind {
    /// The name used in files.
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

    /// The part it is aimed at, the severity, or the ruling, where it has one.
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

    /// The word beside the edge in a picture.
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

    /// Whether it counts for or against; none for what only says where a point belongs.
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

    /// The weight that it has; none for what only says where a point belongs.
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
