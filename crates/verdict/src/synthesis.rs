//! The results of a debate beyond its answer, entry by entry.
//!
//! A result document leaves out entries without room; this list is complete.

use agon_record::id::NodeId;
use agon_record::moves::{AgreedPoint, Disagreement, OpenQuestion, Quality};
use agon_record::stamp::StampKind;
use agon_record::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::verdict::{Conceded, Unsupported, Verdict, points_with_stamp};

/// One result of a debate beyond its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum SynthesisEntry {
    /// A point that both sides accept.
    Agreement(AgreedPoint),
    /// A remaining disagreement.
    Disagreement(Disagreement),
    /// A concession.
    Conceded(Conceded),
    /// An open question.
    Open(OpenQuestion),
    /// An assumption of both sides.
    Assumed {
        /// The assumption.
        text: String,
    },
    /// A point that was called unsupported and stayed so.
    Unsupported(Unsupported),
    /// A point with a wrong or missing citation.
    WrongCitation {
        /// The point.
        id: NodeId,
        /// The check result: `wrong` or `missing`.
        found: String,
    },
    /// The judge's grades of the debate.
    Quality(Quality),
    /// What Agon enforced and checked.
    Rigor {
        /// The sentence.
        text: String,
    },
}

/// Returns everything in `verdict` beyond its answer, reason, next step and condition.
pub fn synthesis_entries(state: &State, verdict: &Verdict) -> Vec<SynthesisEntry> {
    use SynthesisEntry::{
        Agreement, Assumed, Conceded, Disagreement, Open, Quality, Rigor, Unsupported,
    };
    let wrong = [StampKind::Wrong, StampKind::Missing];
    let wrong = wrong.into_iter().flat_map(|kind| {
        let points = points_with_stamp(state, kind).into_iter();
        points.map(move |id| SynthesisEntry::WrongCitation {
            id,
            found: kind.name().to_owned(),
        })
    });
    let assumed = verdict.assumed_by_both.iter();
    let assumed = assumed.map(|text| Assumed { text: text.clone() });
    let agreements = verdict.agreements.iter().cloned().map(Agreement);
    agreements
        .chain(verdict.disagreements.iter().cloned().map(Disagreement))
        .chain(verdict.conceded.iter().cloned().map(Conceded))
        .chain(verdict.open.iter().cloned().map(Open))
        .chain(assumed)
        .chain(verdict.unsupported.iter().cloned().map(Unsupported))
        .chain(wrong)
        .chain(verdict.quality.map(Quality))
        .chain(std::iter::once(Rigor {
            text: verdict.rigor.clone(),
        }))
        .collect()
}
