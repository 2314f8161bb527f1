//! Finds alternatives for a citation that is wrong: similar paths, and other places of its words.

use std::sync::Arc;

use agon_record::moves::Citation;
use agon_record::stamp::{Absent, Location, Stamp};

use super::{MAX_ELSEWHERE, Resolver};
use crate::anchor::{Anchor, Weight};
use crate::manifest::ManifestEntry;

// Two characters cover a typing error or an extra `s`; a larger difference means another name.
/// Maximum number of characters by which a similar path may differ.
const MAX_DIFFERENCE: usize = 2;

/// The bytes of a text, with their hash.
type Bytes = (String, Arc<[u8]>);

impl Resolver<'_> {
    /// Returns the stamp for a file that does not exist, with similar paths; `what` says what is
    /// missing.
    pub(super) fn missing_file_stamp(
        &mut self,
        path: &str,
        citation: &Citation,
        what: Absent,
    ) -> Box<Stamp> {
        let mut instead = match citation.anchor.as_deref().and_then(Anchor::new) {
            Some(anchor) => self.find_elsewhere(&anchor, None),
            None => Vec::new(),
        };
        for file in self.paths.similar_paths(path) {
            if instead.len() < MAX_ELSEWHERE && instead.iter().all(|it| it.file != file) {
                instead.push(Location {
                    file: file.to_owned(),
                    commit: None,
                    lines: [0, 0],
                });
            }
        }
        Box::new(Stamp::Missing {
            what,
            last_line: None,
            instead,
        })
    }

    /// Returns whether a path begins with a folder that the source does not have, and is not
    /// similar to one of its paths. It is then more likely to be from another project than
    /// invented.
    pub(super) fn is_in_unknown_folder(&self, path: &str) -> bool {
        let path = path.trim_start_matches("./").replace('\\', "/");
        let Some((folder, _)) = path.split_once('/') else {
            return false;
        };
        let is_near = |it: &&str| strsim::levenshtein(it, &path) <= MAX_DIFFERENCE;
        !folder.is_empty()
            && !self.source.known_paths().has_folder(folder)
            && !self.paths.similar_paths(&path).iter().any(is_near)
    }

    /// Returns the files that contain the words, except `but`.
    pub(super) fn find_elsewhere(&mut self, anchor: &Anchor, but: Option<&str>) -> Vec<Location> {
        if anchor.weight() != Weight::Strong {
            return Vec::new();
        }
        let source = self.source;
        let index = self.index.get_or_insert_with(|| source.word_index());
        let index = Arc::clone(index);
        let mut places = Vec::new();
        for file in index.files_with_words(&anchor.required_words()) {
            let Some(entry) = source.manifest().entries.get(file) else {
                continue;
            };
            if but == Some(file) {
                continue;
            }
            let Some((lines, bytes)) = self.find_first_in_file(anchor, file, entry) else {
                continue;
            };
            self.rests_on.insert(bytes.0, bytes.1);
            places.push(Location {
                file: file.to_owned(),
                commit: None,
                lines,
            });
            if places.len() == MAX_ELSEWHERE {
                break;
            }
        }
        places
    }

    /// Returns the first lines of a file that contain the words.
    fn find_first_in_file(
        &mut self,
        anchor: &Anchor,
        file: &str,
        entry: &ManifestEntry,
    ) -> Option<([u32; 2], Bytes)> {
        let hash = entry.hash.clone()?;
        let ready = self.ready.get(&hash).cloned();
        let (text, bytes) = match ready {
            Some(text) => (text, None),
            None => {
                let bytes = self.source.text_bytes(file, entry).ok()?;
                (self.cached_text(entry, &bytes), Some(bytes))
            }
        };
        let lines = *anchor.find_anywhere(&text.looked)?.lines.first()?;
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self.source.text_bytes(file, entry).ok()?,
        };
        Some((lines, (hash, bytes)))
    }
}
