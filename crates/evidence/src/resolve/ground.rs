//! Computes the stamps of a ground, from its citation or from the places that its prose names.

use agon_record::moves::{Citation, Ground};
use agon_record::stamp::{Absent, Note, Stamp, Stamped, Unchecked};

use super::Resolver;
use crate::extract::{Extracted, Guess, ProjectOwner};

// Chosen, not measured: each stamp appears in the record and in the other side's prompt, and
// without a limit one ground could fill a prompt. Further places stay unchecked.
/// Maximum number of places that are looked up for one ground.
const MAX_PLACES: usize = 8;

impl Resolver<'_> {
    /// Returns the stamps of a ground: the stamp of its citation, or the stamps of the places named
    /// in its source, otherwise in its content. At least one and at most 8, in the order of the
    /// text.
    pub fn resolve_ground(&mut self, ground: &Ground) -> Vec<Stamped> {
        if let Some(citation) = &ground.citation {
            return vec![Stamped {
                stamp: self.resolve(citation),
                citation: citation.clone(),
                extracted: false,
            }];
        }
        let mut found = self.extract(&ground.source);
        let content = self.extract_prose(&ground.content);
        if let Some(first) = found.first().cloned()
            && found.iter().all(|it| it.span == first.span)
        {
            // If the content also names other places, its words may be quoted from those.
            let is_of_it = |it: &Extracted| it.citation.file == first.citation.file;
            let has_others = !content.citations.iter().all(is_of_it);
            let guesses = content.guesses.into_iter().map(|it| Guess {
                quoted: it.quoted && !has_others,
                ..it
            });
            let guesses: Vec<Guess> = guesses.collect();
            for place in &mut found {
                place.guesses.extend(guesses.iter().cloned());
            }
        }
        if found.is_empty() {
            found = content.citations;
        }
        found.truncate(MAX_PLACES);
        if found.is_empty() {
            return vec![Stamped {
                citation: Citation::default(),
                extracted: true,
                stamp: Stamp::unchecked(Unchecked::NoPlace),
            }];
        }
        found.iter().map(|it| self.resolve_extracted(it)).collect()
    }

    /// Returns the stamp of a place named in prose.
    ///
    /// Every quotation that the text attributes to the place must be there; a missing one decides
    /// the stamp. Of other words near the place, one match is enough, and the rest are ignored.
    pub fn resolve_extracted(&mut self, found: &Extracted) -> Stamped {
        if found.owner == ProjectOwner::Other {
            return Stamped {
                citation: found.citation.clone(),
                extracted: true,
                stamp: Stamp::unchecked(Unchecked::Outside),
            };
        }
        let mut best: Option<Stamped> = None;
        let (claimed, others): (Vec<_>, Vec<_>) = found.guesses.iter().partition(|it| it.quoted);
        for guess in claimed.into_iter().chain(others) {
            if !guess.quoted && best.is_some() {
                break;
            }
            let citation = Citation {
                anchor: Some(guess.words.clone()),
                ..found.citation.clone()
            };
            let stamp = self.resolve(&citation);
            if guess.quoted && self.belongs_to_other_range(found, &citation, &stamp) {
                continue;
            }
            let rank = match guess.quoted {
                true => rank_claimed_stamp(&stamp),
                false => u8::from(matches!(stamp, Stamp::Found { .. })),
            };
            if rank > best.as_ref().map_or(0, |it| rank_claimed_stamp(&it.stamp)) {
                best = Some(Stamped {
                    citation,
                    extracted: true,
                    stamp,
                });
            }
        }
        if let Some(best) = best {
            return best;
        }
        let mut citation = found.citation.clone();
        let mut stamp = self.resolve_place_in_prose(found, &citation);
        // 20 in `:10,20` may be a column, and approximate lines may extend beyond the file, so try
        // fewer lines.
        if let Some(last) = last_line_if_missing(&stamp)
            && let Some(fewer) = found
                .certain_lines
                .or_else(|| approximate_lines_up_to(found, last))
        {
            citation.lines = Some(fewer);
            stamp = self.resolve_place_in_prose(found, &citation);
        }
        Stamped {
            stamp,
            citation,
            extracted: true,
        }
    }

    /// Returns whether words quoted from a list of ranges belong to another range: the range that
    /// contains them, or the first if none does.
    fn belongs_to_other_range(
        &mut self,
        found: &Extracted,
        here: &Citation,
        stamp: &Stamp,
    ) -> bool {
        if found.list.is_empty() || matches!(stamp, Stamp::Found { .. }) {
            return false;
        }
        let others = found.list.iter().filter(|it| Some(**it) != here.lines);
        let others = others.map(|lines| Citation {
            lines: Some(*lines),
            ..here.clone()
        });
        let others: Vec<Citation> = others.collect();
        let mut others = others.iter();
        found.list.first().copied() != here.lines
            || others.any(|it| matches!(self.resolve(it), Stamp::Found { .. }))
    }

    /// Returns the stamp of a place named in prose, without its words.
    ///
    /// A path outside the project is often an address or a system path. It counts as a place only
    /// if it has line numbers. Unlike a ground's citation, prose also names files of other
    /// projects.
    fn resolve_place_in_prose(&mut self, found: &Extracted, citation: &Citation) -> Stamp {
        let stamp = self.resolve(citation);
        let Stamp::Missing { what, .. } = &stamp else {
            return stamp;
        };
        let file = citation.file.as_deref().unwrap_or("");
        let is_elsewhere = match what {
            Absent::Outside => {
                citation.lines.is_none()
                    || is_system_path(file)
                    || self.may_be_on_another_machine(file)
            }
            Absent::File => {
                found.owner == ProjectOwner::PerhapsOther || self.is_in_unknown_folder(file)
            }
            _ => false,
        };
        match is_elsewhere {
            true => Stamp::unchecked(Unchecked::Outside),
            false => stamp,
        }
    }
}

/// Returns whether a path belongs to an installed library or the system, as in a backtrace.
fn is_system_path(path: &str) -> bool {
    let roots = [
        "/usr/",
        "/lib/",
        "/opt/homebrew/",
        "/nix/",
        "/System/",
        "/Library/",
        "/rustc/",
    ];
    let folders = [
        "/node_modules/",
        "/site-packages/",
        "/dist-packages/",
        "/.cargo/",
        "/go/pkg/",
    ];
    roots.iter().any(|it| path.starts_with(it)) || folders.iter().any(|it| path.contains(it))
}

/// Returns the last line of the text, if the stamp says that cited lines are missing.
fn last_line_if_missing(stamp: &Stamp) -> Option<u32> {
    match stamp {
        Stamp::Missing {
            what: Absent::Lines,
            last_line,
            ..
        } => *last_line,
        _ => None,
    }
}

/// Returns the approximate lines, limited to existing lines.
fn approximate_lines_up_to(found: &Extracted, last: u32) -> Option<[u32; 2]> {
    let [first, _] = found.citation.lines.filter(|_| found.is_approximate)?;
    (first <= last).then_some([first, last])
}

/// Ranks the stamps of several quotations at one place. The most informative one wins; 0 if it says
/// no more than the place alone.
fn rank_claimed_stamp(stamp: &Stamp) -> u8 {
    match stamp {
        Stamp::Wrong { .. } => 5,
        Stamp::Moved { .. } => 4,
        Stamp::Found {
            note: Some(Note::NegationCutOff),
            ..
        } => 3,
        Stamp::Found { .. } => 2,
        Stamp::Unchecked {
            reason: Unchecked::Encoding,
            ..
        } => 1,
        // Any other stamp says no more than the place without words.
        _ => 0,
    }
}
