//! What a debate came to beyond its answer, entry by entry.
//!
//! A result document leaves entries out where there is no room for them; here are all of them.

use agon_record::id::NodeId;
use agon_record::moves::{AgreedPoint, Disagreement, OpenQuestion, Quality};
use agon_record::stamp::StampKind;
use agon_record::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::verdict::{Conceded, Unsupported, Verdict, points_with_stamp};

/// One entry of what a debate came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "part", rename_all = "snake_case")]
pub enum SynthesisEntry {
    /// What both sides accept.
    Agreement(AgreedPoint),
    /// On what they differ to the end.
    Disagreement(Disagreement),
    /// What a side granted.
    Conceded(Conceded),
    /// What stays open.
    Open(OpenQuestion),
    /// What both sides took for granted.
    Assumed {
        /// What it is.
        text: String,
    },
    /// A point that was said to be unsupported and stood so.
    Unsupported(Unsupported),
    /// A point that cites a place that is not as it says.
    WrongCitation {
        /// The point.
        id: NodeId,
        /// What was found: `wrong` or `missing`.
        found: String,
    },
    /// How good the debate was.
    Quality(Quality),
    /// What code enforced and checked.
    Rigor {
        /// In a sentence.
        text: String,
    },
}

/// All that `verdict` on `state` says beyond its answer, why, next step and condition.
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
