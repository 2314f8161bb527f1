//! The stamps of a ground: by its citation, or by what its prose names.

use agon_record::moves::{Citation, Ground};
use agon_record::stamp::{Absent, Stamp, Stamped, Unchecked};

use super::Resolver;
use crate::extract::Extracted;

// Chosen, not measured: each stamp stands in the record and before the other side. Places beyond it
// go unchecked; more lets one ground fill a prompt.
/// Places of one ground that are looked up.
const MOST: usize = 8;

impl Resolver<'_> {
    /// What a ground rests on: the stamp of its citation, or those of the places that its source
    /// names, or else its content. Never empty, at most 8, in the order of the text.
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
        if let [only] = found.as_mut_slice() {
            only.guesses.extend(content.guesses);
        }
        if found.is_empty() {
            found = content.citations;
        }
        found.truncate(MOST);
        if found.is_empty() {
            return vec![Stamped {
                citation: Citation::default(),
                extracted: true,
                stamp: Stamp::unchecked(Unchecked::NoPlace),
            }];
        }
        found.iter().map(|it| self.resolve_extracted(it)).collect()
    }

    /// The stamp of a place that prose names.
    ///
    /// One of the words near it that stands there is enough. A quotation that does not is
    /// wrong or moved; a mere name that does not says nothing, and the place counts alone.
    pub fn resolve_extracted(&mut self, found: &Extracted) -> Stamped {
        let mut second = None;
        for guess in &found.guesses {
            let citation = Citation {
                anchor: Some(guess.words.clone()),
                ..found.citation.clone()
            };
            let stamp = self.resolve(&citation);
            let stamped = Stamped {
                citation,
                extracted: true,
                stamp,
            };
            match &stamped.stamp {
                Stamp::Found { .. } => return stamped,
                Stamp::Moved { .. } if guess.quoted => second = Some(stamped),
                Stamp::Wrong { .. } if guess.quoted && second.is_none() => second = Some(stamped),
                // Without its words the place is no more there than with them.
                _ => {}
            }
        }
        if let Some(second) = second {
            return second;
        }
        let mut citation = found.citation.clone();
        let mut stamp = self.resolve_place_in_prose(&citation);
        // `:10,20` may be a line and a column.
        if is_missing_lines(&stamp) && found.first_line.is_some() {
            citation.lines = found.first_line;
            stamp = self.resolve_place_in_prose(&citation);
        }
        Stamped {
            stamp,
            citation,
            extracted: true,
        }
    }

    /// The stamp of a place that prose names, without words.
    ///
    /// What leads out of the project is often none of its files, but an address or a part of the
    /// system; only with lines it counts as a place that was read.
    fn resolve_place_in_prose(&mut self, citation: &Citation) -> Stamp {
        let stamp = self.resolve(citation);
        let is_outside = matches!(
            stamp,
            Stamp::Missing {
                what: Absent::Outside,
                ..
            }
        );
        match is_outside && citation.lines.is_none() {
            true => Stamp::unchecked(Unchecked::Outside),
            false => stamp,
        }
    }
}

fn is_missing_lines(stamp: &Stamp) -> bool {
    matches!(
        stamp,
        Stamp::Missing {
            what: Absent::Lines,
            ..
        }
    )
}
