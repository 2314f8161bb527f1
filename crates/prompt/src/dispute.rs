//! Objections with their answers and rulings.

use agon_record::id::NodeId;
use agon_record::moves::{Assessment, Objection, ReplyKind, Response, RulingKind};
use agon_record::point::Node;

use agon_wording::{OwnWords, Wording};

/// An objection with all its answers.
#[derive(Clone, Debug)]
pub(crate) struct Dispute<'a> {
    /// The objection's id.
    pub(crate) id: NodeId,
    /// The objection.
    pub(crate) objection: &'a Objection,
    /// The answers, in order.
    pub(crate) answers: Vec<ObjectionAnswer<'a>>,
}

/// An answer to an objection, with the rulings on it.
#[derive(Clone, Debug)]
pub(crate) struct ObjectionAnswer<'a> {
    /// The answer's id.
    pub(crate) id: NodeId,
    /// The answer.
    pub(crate) response: &'a Response,
    /// The rulings, in order.
    pub(crate) rulings: Vec<(NodeId, &'a Assessment)>,
}

impl<'a> Dispute<'a> {
    /// Returns the first answer that conceded the objection.
    pub(crate) fn concession(&self) -> Option<&ObjectionAnswer<'a>> {
        let conceded = |answer: &&ObjectionAnswer<'_>| answer.response.reply == ReplyKind::Concede;
        self.answers.iter().find(conceded)
    }

    /// Returns the first ruling that called the objection resolved.
    pub(crate) fn resolving_ruling(&self) -> Option<(NodeId, &'a Assessment)> {
        let rulings = self.answers.iter().flat_map(|answer| &answer.rulings);
        let resolved = |(_, ruling): &&(_, &Assessment)| ruling.ruling == RulingKind::Resolved;
        rulings.copied().find(|ruling| resolved(&ruling))
    }

    /// Returns whether the objection is conceded or resolved.
    pub(crate) fn is_settled(&self) -> bool {
        self.concession().is_some() || self.resolving_ruling().is_some()
    }

    /// Returns whether the objection must be answered: it has no answer yet.
    pub(crate) fn must_be_answered(&self) -> bool {
        self.answers.is_empty()
    }

    /// Returns the status, such as `pro_002a: rebut; ruled dodged (cha_002a)`.
    pub(crate) fn status(&self) -> Wording {
        let Some(answer) = self.answers.last() else {
            return Wording::from_literal("not answered");
        };
        let answered = Wording::from_format("{}: {}", &[&answer.id, &answer.response.reply]);
        match answer.rulings.last() {
            None => Wording::from_format("{}; not ruled on", &[&answered]),
            Some((id, ruling)) => {
                let filled: [&dyn OwnWords; 3] = [&answered, &ruling.ruling, id];
                Wording::from_format("{}; ruled {} ({})", &filled)
            }
        }
    }
}

/// Collects every objection among `nodes`, in order, with its answers and their rulings.
pub(crate) fn collect_disputes<'a>(nodes: &[Node<'a>]) -> Vec<Dispute<'a>> {
    let mut disputes = Vec::new();
    for node in nodes {
        if let Some(objection) = node.point.objection() {
            disputes.push(Dispute {
                id: node.id,
                objection,
                answers: Vec::new(),
            });
        } else if let Some(response) = node.point.response() {
            if let Some(dispute) = dispute_mut(&mut disputes, response.objection) {
                dispute.answers.push(ObjectionAnswer {
                    id: node.id,
                    response,
                    rulings: Vec::new(),
                });
            }
        } else if let Some(assessment) = node.point.assessment() {
            let mut answers = disputes.iter_mut().flat_map(|d| &mut d.answers);
            if let Some(answer) = answers.find(|answer| answer.id == assessment.response) {
                answer.rulings.push((node.id, assessment));
            }
        }
    }
    disputes
}

fn dispute_mut<'d, 'a>(all: &'d mut [Dispute<'a>], id: NodeId) -> Option<&'d mut Dispute<'a>> {
    all.iter_mut().find(|dispute| dispute.id == id)
}
