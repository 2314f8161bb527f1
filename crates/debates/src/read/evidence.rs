//! Lists every citation of a debate with the result of its check.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agon_caller::{Caller, Failure, Notes, find};
use agon_record::evidence::{GroundCheck, ground_checks};
use agon_record::ground::{Citations, Pinned};
use agon_record::id::{NodeId, Seat, TurnId};
use agon_record::stamp::{StampKind, Stamped};
use agon_record::state::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::status::choose;
use crate::status::choose::LikelyDebate;

/// A request for the citations of a debate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvidenceRequest {
    /// The debate: a folder, a name or an id; `None` means the only one.
    pub debate: Option<String>,
    /// The check results to list; empty means all.
    pub stamps: Vec<StampKind>,
    /// The only point to list.
    pub id: Option<NodeId>,
    /// Whether to include grounds that cite nothing.
    pub all: bool,
    /// The maximum number of citations.
    pub limit: Option<usize>,
}

/// The citations of a debate.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The debate.
    pub state: State,
    request: EvidenceRequest,
}

/// The requested citations, for programs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvidenceDoc<'a> {
    schema: &'static str,
    debate: &'a str,
    /// The source that citations are checked against; null if none was stored.
    source: Option<&'a Pinned>,
    /// The counts of each side over the whole debate.
    #[schemars(with = "BTreeMap<String, Citations>")]
    citations: BTreeMap<Seat, Citations>,
    /// The number of matching entries, even if fewer are listed.
    total: usize,
    entries: Vec<EvidenceEntry<'a>>,
}

/// A citation and the result of its check.
#[derive(Debug, Serialize, JsonSchema)]
struct EvidenceEntry<'a> {
    id: NodeId,
    #[schemars(with = "String")]
    turn: TurnId,
    ground: usize,
    says: &'a str,
    #[serde(flatten)]
    stamped: Cow<'a, Stamped>,
}

impl<'a> EvidenceEntry<'a> {
    fn from_check(one: GroundCheck<'a>) -> Self {
        Self {
            id: one.id,
            turn: one.turn,
            ground: one.ground,
            says: &one.said.content,
            stamped: one.stamped,
        }
    }
}

impl Evidence {
    /// Returns the requested citations.
    pub fn requested_places(&self) -> Vec<GroundCheck<'_>> {
        let mut places = self.filter_requested(ground_checks(&self.state));
        places.truncate(self.request.limit.unwrap_or(usize::MAX));
        places
    }

    /// Returns the message for an empty list: there is no such point, or it cites nothing.
    pub fn nothing_found(&self) -> Option<String> {
        let all = ground_checks(&self.state);
        let slug = &self.state.spec.slug;
        match self.request.id {
            Some(id) if self.state.node(id).is_none() => Some(format!("{slug} has no point {id}")),
            _ if all.is_empty() || !self.filter_requested(all).is_empty() => None,
            Some(id) => Some(format!("{id} has no such citation")),
            None => Some("none".to_owned()),
        }
    }

    /// Returns the machine-readable document.
    pub fn document(&self) -> EvidenceDoc<'_> {
        let all = ground_checks(&self.state);
        let citations = citation_counts(&self.state, &all);
        let wanted = self.filter_requested(all);
        let total = wanted.len();
        let limit = self.request.limit.unwrap_or(total);
        EvidenceDoc {
            schema: "agon.evidence/1",
            debate: &self.state.spec.slug,
            source: self.state.spec.source.as_ref(),
            citations,
            total,
            entries: wanted
                .into_iter()
                .take(limit)
                .map(EvidenceEntry::from_check)
                .collect(),
        }
    }

    /// Returns the requested ones of `places`.
    fn filter_requested<'a>(&self, mut places: Vec<GroundCheck<'a>>) -> Vec<GroundCheck<'a>> {
        let EvidenceRequest {
            stamps, id, all, ..
        } = &self.request;
        places.retain(|one| {
            let stamp = &one.stamped.stamp;
            let kind = stamps.is_empty() || stamps.contains(&stamp.kind());
            kind && (*all || stamp.names_a_place()) && id.is_none_or(|id| id == one.id)
        });
        places
    }
}

fn citation_counts(state: &State, all: &[GroundCheck<'_>]) -> BTreeMap<Seat, Citations> {
    let sides = state.spec.format().sides();
    let of = |seat| {
        let of_it = all.iter().filter(|one| one.turn.seat == seat);
        Citations::from_stamps(of_it.map(|one| &one.stamped.stamp))
    };
    sides.into_iter().map(|seat| (seat, of(seat))).collect()
}

/// Returns the citations of a debate.
///
/// # Errors
///
/// If the debate does not exist, or nothing of it can be read.
pub fn evidence(
    caller: &Caller,
    request: EvidenceRequest,
    notes: &mut dyn Notes,
) -> Result<Evidence, Failure> {
    let path = choose::find_or_choose(
        caller,
        request.debate.as_deref(),
        LikelyDebate::Latest,
        notes,
    )?;
    let view = find::read_for(caller, &path)?;
    find::note_problems(caller, &path, &view, notes);
    Ok(Evidence {
        state: view.state,
        request,
    })
}
