//! Checks the citations of a turn.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use agon_evidence::{Commits, Resolver, Source};
use agon_record::ground::{GroundStamp, grounds_of_moves, unchecked_stamp};
use agon_record::moves::Moves;
use agon_record::stamp::{SourceText, Stamp, Stamped, Unchecked};
use agon_record::user::Ran;
use agon_redact::Redactor;

/// The check results for the grounds of a turn.
#[derive(Clone, Debug, Default)]
pub struct GroundLookup {
    /// The stamps, in the order of the grounds.
    pub stamps: Vec<GroundStamp>,
    /// The output of commits, if any were cited.
    pub commits: Option<Vec<u8>>,
    /// The files that the stamps refer to, to be stored with the record.
    pub rests_on: BTreeMap<String, Arc<[u8]>>,
}

/// Checks the citations of turns.
pub trait Evidence: fmt::Debug + Send + Sync {
    /// Checks the citations in `moves`. `runs` are the commands that the user has run for the
    /// debate so far.
    fn look_up_citations(&self, moves: &Moves, runs: &[Ran]) -> GroundLookup;
}

/// The pinned source of a debate.
#[derive(Debug)]
pub struct PinnedSource {
    /// The source, with the command runs that were added to it.
    source: Mutex<Arc<Source>>,
    redactor: Redactor,
}

impl PinnedSource {
    /// Checks citations against `source`, and removes secrets from the excerpts.
    pub fn new(source: Arc<Source>) -> Self {
        let redactor = Redactor::new();
        let source = Mutex::new(source);
        Self { source, redactor }
    }

    /// Returns the hashes of files that seem to contain a secret. Such a file is not stored, cannot
    /// be checked again elsewhere, and no excerpt of it is shown, since the secret may depend on
    /// lines outside an excerpt.
    fn hashes_with_secrets(&self, files: &BTreeMap<String, Arc<[u8]>>) -> BTreeSet<String> {
        let found = files.iter();
        let found = found.filter(|(_, bytes)| {
            let text = agon_evidence::decode(bytes).text;
            self.redactor.has_secrets(bytes) || self.redactor.has_secrets(text.as_bytes())
        });
        found.map(|(hash, _)| hash.clone()).collect()
    }

    fn redact_excerpt(&self, shown: SourceText, secret: &BTreeSet<String>) -> SourceText {
        if secret.contains(&shown.blob) {
            return SourceText {
                text: Vec::new(),
                cut: true,
                ..shown
            };
        }
        let text = shown.text.join("\n");
        let clean = self.redactor.redact(&text).text;
        SourceText {
            text: clean.split('\n').map(str::to_owned).collect(),
            ..shown
        }
    }
}

impl Evidence for PinnedSource {
    fn look_up_citations(&self, moves: &Moves, runs: &[Ran]) -> GroundLookup {
        // A panic cannot leave the source in an inconsistent state, so use it even then.
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        for ran in runs {
            add_run(Arc::make_mut(&mut source), ran);
        }
        let mut resolver = Resolver::new(&source);
        let mut found = Vec::new();
        for cited in grounds_of_moves(moves) {
            let of_it = resolver.resolve_ground(cited.said).into_iter();
            found.extend(of_it.map(|stamped| (cited.point, cited.ground, stamped)));
        }
        let mut kept = resolver.archive();
        let secret = self.hashes_with_secrets(&kept.blobs);
        let stamps = found.into_iter().map(|(point, ground, found)| GroundStamp {
            point,
            ground,
            stamped: Stamped {
                stamp: found
                    .stamp
                    .map_source_texts(|shown| self.redact_excerpt(shown, &secret)),
                ..found
            },
        });
        let stamps = stamps.collect();
        let asked = kept.commits != Commits::default();
        if asked {
            // Keep the output of commits, because later turns may cite the same ones.
            Arc::make_mut(&mut source).add_archive(&kept);
        }
        kept.blobs.retain(|hash, _| !secret.contains(hash));
        GroundLookup {
            stamps,
            commits: asked
                .then(|| serde_json::to_vec(&kept.commits).ok())
                .flatten(),
            rests_on: kept.blobs,
        }
    }
}

/// Adds the output of a command as a text that can be cited by its name or by the command. If a
/// command ran several times, its last run counts.
pub fn add_run(source: &mut Source, ran: &Ran) {
    source.add_run(&ran.id.to_string(), &ran.run.output);
    source.add_run(&ran.run.command, &ran.run.output);
}

/// Replaces a missing source: only the output of the user's commands can be checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSource;

impl Evidence for NoSource {
    fn look_up_citations(&self, moves: &Moves, runs: &[Ran]) -> GroundLookup {
        if !runs.is_empty() {
            return PinnedSource::new(Arc::new(Source::none())).look_up_citations(moves, runs);
        }
        let stamps = grounds_of_moves(moves)
            .into_iter()
            .map(|cited| GroundStamp {
                point: cited.point,
                ground: cited.ground,
                stamped: match cited.said.citation {
                    Some(_) => Stamped {
                        stamp: Stamp::unchecked(Unchecked::NotKept),
                        ..unchecked_stamp(cited.said)
                    },
                    None => unchecked_stamp(cited.said),
                },
            });
        GroundLookup {
            stamps: stamps.collect(),
            ..GroundLookup::default()
        }
    }
}
