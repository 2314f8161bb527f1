//! Looking up what a turn cites.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use agon_debate::evidence::{GroundStamp, grounds};
use agon_debate::moves::Moves;
use agon_debate::stamp::{Stamp, Stamped, Unchecked};
use agon_evidence::{Resolver, Source};
use agon_redact::Redactor;

/// What was found for the grounds of a turn.
#[derive(Clone, Debug, Default)]
pub struct LookedUp {
    /// The stamps, in the order of the grounds.
    pub stamps: Vec<GroundStamp>,
    /// What commits said, if any were asked.
    pub commits: Option<Vec<u8>>,
    /// What the stamps rest on, to be kept with the record.
    pub rests_on: BTreeMap<String, Arc<[u8]>>,
}

/// Looks up what turns cite.
pub trait Evidence: fmt::Debug + Send + Sync {
    /// What is found at the places that `moves` cite.
    fn look_up(&self, moves: &Moves) -> LookedUp;
}

/// The source that a debate pinned.
#[derive(Debug)]
pub struct PinnedSource {
    source: Source,
    redactor: Redactor,
}

impl PinnedSource {
    /// Looks up in `source`; secrets in what it shows are taken out.
    pub fn new(source: Source) -> Self {
        let redactor = Redactor::new();
        Self { source, redactor }
    }

    /// The files in which there seems to be no secret: a file with one is not kept, and cannot be
    /// looked up again elsewhere.
    fn keepable(&self, mut files: BTreeMap<String, Arc<[u8]>>) -> BTreeMap<String, Arc<[u8]>> {
        files.retain(|_, bytes| !self.redactor.finds_in(bytes));
        files
    }

    fn clean(&self, stamp: Stamp) -> Stamp {
        let clean = |lines: Vec<String>| {
            let text = lines.join("\n");
            let clean = self.redactor.redact(&text).text;
            clean.split('\n').map(str::to_owned).collect()
        };
        stamp.map_text(clean)
    }
}

impl Evidence for PinnedSource {
    fn look_up(&self, moves: &Moves) -> LookedUp {
        let mut resolver = Resolver::new(&self.source);
        let mut stamps = Vec::new();
        for cited in grounds(moves) {
            for found in resolver.ground(cited.said) {
                stamps.push(GroundStamp {
                    point: cited.point,
                    ground: cited.ground,
                    stamped: Stamped {
                        stamp: self.clean(found.stamp),
                        ..found
                    },
                });
            }
        }
        let kept = resolver.kept();
        let asked = !kept.commits.names.is_empty() || !kept.commits.files.is_empty();
        LookedUp {
            stamps,
            commits: asked
                .then(|| serde_json::to_vec(&kept.commits).ok())
                .flatten(),
            rests_on: self.keepable(kept.blobs),
        }
    }
}

/// Where no source is at hand: every place that is cited is unchecked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSource;

impl Evidence for NoSource {
    fn look_up(&self, moves: &Moves) -> LookedUp {
        let stamps = grounds(moves).into_iter().map(|cited| GroundStamp {
            point: cited.point,
            ground: cited.ground,
            stamped: Stamped {
                citation: cited.said.citation.clone().unwrap_or_default(),
                extracted: false,
                stamp: Stamp::unchecked(match cited.said.citation {
                    Some(_) => Unchecked::NotKept,
                    None => Unchecked::NoPlace,
                }),
            },
        });
        LookedUp {
            stamps: stamps.collect(),
            ..LookedUp::default()
        }
    }
}
