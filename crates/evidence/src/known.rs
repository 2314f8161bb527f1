//! The paths of a source, sorted by their ends, so that paths in prose can be matched against them.

use std::collections::HashSet;
use std::ops::Range;

use crate::fold::fold;

// Three bytes are not enough: thousands of files end in the same dot and extension. A fourth byte
// excludes most words of prose.
/// Number of bytes at the end of a path that are checked first.
const TAIL: usize = 4;
/// Size, in bits, of the table of path ends; a power of two.
const TAIL_BITS: usize = 1 << 16;

/// The paths of a source, sorted by their folded bytes from the end.
///
/// Building it takes O(n log n) time for n bytes of paths. Finding the longest path that ends at
/// one position of a text takes time linear in the length of that path.
#[derive(Debug, Default)]
pub struct KnownPaths {
    /// The folded bytes of each path in reverse, with the path itself.
    keys: Vec<(Box<[u8]>, Box<str>)>,
    tails: Vec<u64>,
    /// The folded names of all folders.
    folders: HashSet<Box<str>>,
}

/// Whether a path can begin at a position of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathStart {
    /// A path may begin here.
    Free,
    /// A `/` comes before, so this is part of a longer path.
    InPath,
    /// A character of the same word comes before.
    InWord,
}

/// A match: the longest known path, or end of a known path, that ends at a position of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The beginning of the match in the folded text.
    pub(crate) start: usize,
    pub(crate) begins: PathStart,
    /// The range in `keys` of all paths with this end.
    keys: Range<usize>,
    /// The number of matching bytes in the folded text.
    length: usize,
}

impl KnownPaths {
    /// Prepares these paths, which have `/` between their parts.
    pub fn new<'p>(paths: impl IntoIterator<Item = &'p str>) -> Self {
        let mut folders = HashSet::new();
        let mut keys: Vec<(Box<[u8]>, Box<str>)> = paths
            .into_iter()
            .map(|path| {
                let folded = fold(path);
                for (at, _) in folded.match_indices('/') {
                    let name = folded[..at].rsplit('/').next().unwrap_or("");
                    if !folders.contains(name) {
                        folders.insert(name.into());
                    }
                }
                let mut key = folded.as_bytes().to_vec();
                key.reverse();
                (key.into(), path.into())
            })
            .collect();
        keys.sort_unstable();
        keys.dedup();
        let mut tails = vec![0; TAIL_BITS / 64];
        for (key, _) in &keys {
            for length in 1..=TAIL.min(key.len()) {
                // Add a tail that is shorter than `TAIL` only if it is the whole name.
                if length == TAIL || length == key.len() || key.get(length) == Some(&b'/') {
                    let tail = key.get(..length).unwrap_or_default();
                    set_bit(&mut tails, tail_hash(tail.iter().copied()));
                }
            }
        }
        Self {
            keys,
            tails,
            folders,
        }
    }

    /// Returns whether one of the paths has a folder with this name, in any spelling.
    pub(crate) fn has_folder(&self, name: &str) -> bool {
        self.folders.contains(&*fold(name))
    }

    /// Finds the longest known path, or last parts of one, that ends at `end` of a folded text.
    ///
    /// `start_at` returns how a path can begin at a position.
    pub(crate) fn longest_tail(
        &self,
        text: &[u8],
        end: usize,
        start_at: impl Fn(usize) -> PathStart,
    ) -> Option<Tail> {
        let before = text.get(..end)?;
        if !self.may_end_with(before) {
            return None;
        }
        let mut keys = 0..self.keys.len();
        let mut best = None;
        for (depth, byte) in before.iter().rev().enumerate() {
            keys = self.narrow(keys, depth, *byte);
            if keys.is_empty() {
                break;
            }
            let start = end - depth - 1;
            let begins = start_at(start);
            if begins == PathStart::InWord {
                continue;
            }
            let shortest = self.keys.get(keys.start).map_or(0, |(key, _)| key.len());
            let parts = || !self.narrow(keys.clone(), depth + 1, b'/').is_empty();
            if shortest == depth + 1 || parts() {
                best = Some(Tail {
                    start,
                    begins,
                    keys: keys.clone(),
                    length: depth + 1,
                });
            }
        }
        best
    }

    /// Returns the match as the source spells it: as `written` if a path has that spelling, else as
    /// in the first path.
    pub(crate) fn spelling(&self, tail: &Tail, written: &str) -> String {
        let keys = self.keys.get(tail.keys.clone()).unwrap_or_default();
        let ends = keys.iter().filter_map(|(key, path)| {
            if key.len() == tail.length {
                return Some(&**path);
            }
            // Count the parts instead of bytes, because folding changes lengths.
            let parts = key.get(..tail.length)?.iter().filter(|it| **it == b'/');
            let cut = path.rmatch_indices('/').nth(parts.count())?.0;
            path.get(cut + 1..)
        });
        let mut first = None;
        for end in ends.take(MAX_SPELLINGS) {
            if end == written {
                return end.to_owned();
            }
            first = first.or(Some(end));
        }
        first.unwrap_or(written).to_owned()
    }

    /// Returns whether this is a whole path of the source, in any spelling.
    pub(crate) fn has_full_path(&self, path: &str) -> bool {
        let mut key = fold(path).as_bytes().to_vec();
        key.reverse();
        let at = self.keys.partition_point(|(it, _)| **it < *key);
        self.keys.get(at).is_some_and(|(it, _)| **it == *key)
    }

    fn narrow(&self, keys: Range<usize>, depth: usize, byte: u8) -> Range<usize> {
        let within = self.keys.get(keys.clone()).unwrap_or_default();
        let from = within.partition_point(|(key, _)| key.get(depth) < Some(&byte));
        let rest = within.get(from..).unwrap_or_default();
        let count = rest.partition_point(|(key, _)| key.get(depth) == Some(&byte));
        keys.start + from..keys.start + from + count
    }

    fn may_end_with(&self, text: &[u8]) -> bool {
        (1..=TAIL).any(|length| {
            let tail = text.iter().rev().take(length).copied();
            has_bit(&self.tails, tail_hash(tail))
        })
    }
}

// Usually few paths differ only in spelling. Without a limit, thousands of files named `index.ts`
// would each cost a comparison.
/// Maximum number of spellings compared.
const MAX_SPELLINGS: usize = 64;

/// Hashes the last bytes of a path. A collision only causes an unnecessary search.
fn tail_hash(bytes: impl Iterator<Item = u8>) -> usize {
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (hash ^ (hash >> 16)) as usize % TAIL_BITS
}

fn set_bit(table: &mut [u64], bit: usize) {
    if let Some(word) = table.get_mut(bit / 64) {
        *word |= 1 << (bit % 64);
    }
}

fn has_bit(table: &[u64], bit: usize) -> bool {
    table
        .get(bit / 64)
        .is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(paths: &[&str], text: &str) -> Option<String> {
        let known = KnownPaths::new(paths.iter().copied());
        let start_at = |at: usize| match text[..at].chars().next_back() {
            None | Some(' ') => PathStart::Free,
            Some('/') => PathStart::InPath,
            Some(_) => PathStart::InWord,
        };
        let tail = known.longest_tail(text.as_bytes(), text.len(), start_at)?;
        Some(known.spelling(&tail, &text[tail.start..]))
    }

    #[test]
    fn the_longest_known_path_before_a_place_is_found() {
        let paths = [
            "app/[id]/page.tsx",
            "docs/team notes/x.md",
            "x.md",
            "b.rs",
            "LICENSE",
        ];
        for (text, expected) in [
            ("see app/[id]/page.tsx", Some("app/[id]/page.tsx")),
            ("see [id]/page.tsx", Some("[id]/page.tsx")),
            ("page.tsx", Some("page.tsx")),
            ("in docs/team notes/x.md", Some("docs/team notes/x.md")),
            ("notes/x.md", Some("x.md")),
            ("license", Some("LICENSE")),
            ("ab.rs", None),
            ("", None),
        ] {
            assert_eq!(
                ending(&paths, &text.to_lowercase()).as_deref(),
                expected,
                "{text}"
            );
        }
        assert_eq!(ending(&["R.md", "a/r.md"], "r.md").as_deref(), Some("r.md"));
    }

    #[test]
    fn a_whole_path_is_told_from_the_end_of_one() {
        let known = KnownPaths::new(["src/a.rs", "Tür.md"]);
        assert!(known.has_full_path("SRC/a.rs") && known.has_full_path("Tu\u{308}r.md"));
        assert!(!known.has_full_path("a.rs"));
    }
}
