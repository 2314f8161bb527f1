//! Every place that a debate cites, with what was found there.

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

use crate::standing::choose;
use crate::standing::choose::Likely;

/// Places that a debate cites are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvidenceRequest {
    /// The debate: a folder, a name or an id; the only one where none is named.
    pub debate: Option<String>,
    /// The only stamps that are wanted; all where none is named.
    pub stamps: Vec<StampKind>,
    /// The only point whose places are wanted.
    pub id: Option<NodeId>,
    /// Whether grounds that name no place are wanted too.
    pub all: bool,
    /// The most places.
    pub limit: Option<usize>,
}

/// The places that a debate cites.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The debate.
    pub state: State,
    request: EvidenceRequest,
}

/// The places that were asked for, for programs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EvidenceDoc<'a> {
    schema: &'static str,
    debate: &'a str,
    /// What citations are looked up in; null when nothing was pinned.
    source: Option<&'a Pinned>,
    /// By side, over the whole debate.
    #[schemars(with = "BTreeMap<String, Citations>")]
    citations: BTreeMap<Seat, Citations>,
    /// How many entries there are, also where fewer are given.
    total: usize,
    entries: Vec<EvidenceEntry<'a>>,
}

/// A place that is cited, and what was found there.
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
    fn of(one: GroundCheck<'a>) -> Self {
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
    /// The places that were asked for.
    pub fn requested_places(&self) -> Vec<GroundCheck<'_>> {
        let mut places = self.filter_requested(ground_checks(&self.state));
        places.truncate(self.request.limit.unwrap_or(usize::MAX));
        places
    }

    /// What a person is told where nothing is shown: that there is no such point, or none.
    pub fn nothing_found(&self) -> Option<String> {
        let all = ground_checks(&self.state);
        let slug = &self.state.spec.slug;
        match self.request.id {
            Some(id) if self.state.node(id).is_none() => Some(format!("{slug} has no point {id}")),
            _ if all.is_empty() || !self.filter_requested(all).is_empty() => None,
            Some(id) => Some(format!("none of that of {id}")),
            None => Some("none".to_owned()),
        }
    }

    /// The same for programs.
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
                .map(EvidenceEntry::of)
                .collect(),
        }
    }

    /// Those of `places` that were asked for.
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

/// The places that a debate cites, as they are asked for.
///
/// # Errors
///
/// If there is no such debate, or nothing of it can be read.
pub fn evidence(
    caller: &Caller,
    request: EvidenceRequest,
    notes: &mut dyn Notes,
) -> Result<Evidence, Failure> {
    let path = choose::find_or_choose(caller, request.debate.as_deref(), Likely::Latest, notes)?;
    let view = find::read_for(caller, &path)?;
    find::note_problems(caller, &path, &view, notes);
    Ok(Evidence {
        state: view.state,
        request,
    })
}
