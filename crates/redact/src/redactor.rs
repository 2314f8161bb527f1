//! Finds and replaces secrets.

use std::borrow::Cow;
use std::ops::Range;

use crate::hit::Hit;
use crate::json::{Frame, Hole, Segment};
use crate::own_rules::{self, OwnFindings};
use crate::value::is_placeholder;
use crate::vendor;
use crate::view::View;

// Another round is needed only if removing one token separates another from its neighbours. After
// the last round all of the rest is redacted, so a low limit redacts more, never less.
/// Maximum number of rounds over the remaining text.
const MAX_ROUNDS: u8 = 8;

// Few kinds of real tokens are shorter, and texts rarely show a longer beginning of a token.
/// Maximum length of a token before an ellipsis that still counts as a truncated one, in bytes.
const MAX_BEGINNING: usize = 40;

/// Redacts secrets in text.
///
/// Creating and sharing one is free. The rules are compiled once per process, for the first text
/// that they may match.
#[derive(Clone, Copy, Debug)]
pub struct Redactor;

/// Redacted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text; borrowed if nothing was found.
    pub text: Cow<'t, str>,
    /// The redacted secrets, in text order and without overlaps.
    pub hits: Vec<Hit>,
}

impl Redactor {
    /// Creates a redactor with every rule.
    pub fn new() -> Self {
        Self
    }

    /// Replaces each secret in `text` with a tag that names its kind.
    ///
    /// JSON in `text` stays JSON with the same keys, even inside JSON strings. Redacting the result
    /// again changes nothing. Takes time linear in the length of the text.
    pub fn redact<'t>(&self, text: &'t str) -> Redacted<'t> {
        let hits = self.find_hits(text);
        if hits.is_empty() {
            let text = Cow::Borrowed(text);
            return Redacted { text, hits };
        }
        let mut redacted = String::with_capacity(text.len());
        let mut kept = 0;
        for hit in &hits {
            redacted.push_str(&text[kept..hit.span.start]);
            redacted.push_str("[redacted:");
            redacted.push_str(hit.rule);
            redacted.push(']');
            kept = hit.span.end;
        }
        redacted.push_str(&text[kept..]);
        Redacted {
            text: Cow::Owned(redacted),
            hits,
        }
    }

    /// Returns whether a file with these bytes seems to contain a secret, even in a JSON key, which
    /// [`Self::redact`] does not replace.
    pub fn has_secrets(&self, bytes: &[u8]) -> bool {
        let text = String::from_utf8_lossy(bytes);
        let frame = Frame::of(&text);
        let has_hits = |part: &Range<usize>| {
            let view = View::of(&text, part, &[]);
            let own = own_rules::find_secrets(&view);
            !own.hits.is_empty() || !vendor_hits(&view, own).is_empty()
        };
        frame.keys.iter().any(has_hits) || !self.find_hits_in_frame(&text, &frame).is_empty()
    }

    fn find_hits(&self, text: &str) -> Vec<Hit> {
        self.find_hits_in_frame(text, &Frame::of(text))
    }

    fn find_hits_in_frame(&self, text: &str, frame: &Frame) -> Vec<Hit> {
        let tags = vendor::find_redaction_tags(text);
        let mut hits = Vec::new();
        for segment in &frame.segments {
            let mut search = SegmentSearch {
                text,
                frame,
                segment,
                hits: Vec::new(),
            };
            for part in parts_between_tags(segment, &tags) {
                search.search_part(part, 0);
            }
            hits.append(&mut search.hits);
        }
        hits.sort_by_key(|hit| hit.span.start);
        hits
    }
}

/// Returns the parts of `segment` between the tags it already contains.
fn parts_between_tags(segment: &Segment, tags: &[Range<usize>]) -> Vec<Range<usize>> {
    if tags.is_empty() {
        return vec![segment.range.clone()];
    }
    let mut parts = Vec::new();
    let mut kept = segment.range.start;
    let mut at = segment.range.start;
    let ends = segment.holes.iter().map(|hole| hole.range.clone());
    let end = segment.range.end;
    for hole in ends.chain(std::iter::once(end..end)) {
        let first = tags.partition_point(|tag| tag.start < at);
        for tag in tags[first..].iter().take_while(|tag| tag.end <= hole.start) {
            parts.push(kept..tag.start);
            kept = tag.end;
        }
        at = hole.end;
    }
    parts.push(kept..segment.range.end);
    parts
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the hits of the vendors' rules, and the hits of this crate's lower-ranked rules, which
/// are in `own`.
fn vendor_hits(view: &View<'_>, own: OwnFindings) -> Vec<Hit> {
    let mut hits = vendor::find_vendor_tokens(&view.text, &own.runs, own.has_vendor_word);
    hits.extend(own.late);
    hits.retain(|hit| {
        let found = view.text.get(hit.span.clone());
        // Text shows the beginning of a token before an ellipsis to name its kind; that is not
        // secret.
        let behind = view.text.get(hit.span.end..).unwrap_or_default();
        let is_begun = behind.starts_with("...") || behind.starts_with('…');
        found.is_some_and(|found| {
            !(is_placeholder(found) || is_begun && found.len() < MAX_BEGINNING)
        })
    });
    own_rules::merge_hits(hits)
}

// The longest escape is `\uXXXX`.
/// Maximum length of an escape after its backslash, in bytes.
const MAX_ESCAPE: usize = 5;

/// Extends `span` to whole escapes at its ends. A hit can end inside an escape if a backslash was
/// itself escaped (`\u005c`), as in JSON inside a string.
fn with_whole_escapes(text: &str, span: &Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    // Returns the escape that contains the position `at`.
    let across = |at: usize| {
        (at.saturating_sub(MAX_ESCAPE)..at).find_map(|start| {
            let run = bytes[..start].iter().rev().take(MAX_RUN);
            let run = run.take_while(|byte| **byte == b'\\').count();
            let end = match bytes.get(start + 1) {
                Some(b'u') => start + 1 + MAX_ESCAPE,
                Some(_) | None => start + 2,
            };
            let is_one = bytes[start] == b'\\' && run % 2 == 0 && end > at;
            is_one.then(|| start..text.ceil_char_boundary(end.min(text.len())))
        })
    };
    let start = across(span.start).map_or(span.start, |escape| escape.start);
    let end = across(span.end).map_or(span.end, |escape| escape.end);
    start..end
}

// Each level of quoting doubles the backslashes, so 64 are enough for seven levels.
/// Maximum number of consecutive backslashes counted.
const MAX_RUN: usize = 64;

/// The search of one segment of a text.
struct SegmentSearch<'t> {
    text: &'t str,
    frame: &'t Frame,
    segment: &'t Segment,
    hits: Vec<Hit>,
}

impl SegmentSearch<'_> {
    /// Searches a part, and then the text between the hits, until nothing more is found: a token
    /// can become recognizable when its neighbour is removed.
    fn search_part(&mut self, part: Range<usize>, depth: u8) {
        if self.text[part.clone()].trim_start().is_empty() {
            return;
        }
        let found = self.find_hits_in(&part);
        let Some(first) = found.first() else {
            return;
        };
        if depth == MAX_ROUNDS {
            // A string with that many tokens is not prose, so redact all of the rest.
            let rule = first.rule;
            let all = self.replaceable_parts(&part).into_iter();
            self.hits.extend(all.map(|span| Hit { rule, span }));
            return;
        }
        let mut kept = part.start;
        for hit in found {
            self.search_part(kept..hit.span.start, depth + 1);
            kept = hit.span.end;
            self.hits.push(hit);
        }
        self.search_part(kept..part.end, depth + 1);
    }

    /// Finds secrets in a part: first by this crate's rules, and only if these find none, by the
    /// vendors' and the late rules.
    fn find_hits_in(&self, part: &Range<usize>) -> Vec<Hit> {
        let view = View::of(self.text, part, self.holes_in(part));
        // Search without line labels first: with them, a name and its value on two lines do not
        // match.
        if let Some(bare) = view.without_labels() {
            let hits = self.locate_hits(&bare, &own_rules::find_secrets(&bare).hits);
            if !hits.is_empty() {
                return hits;
            }
        }
        let own = own_rules::find_secrets(&view);
        if !own.hits.is_empty() {
            let hits = self.locate_hits(&view, &own.hits);
            if !hits.is_empty() {
                return hits;
            }
        }
        self.locate_hits(&view, &vendor_hits(&view, own))
    }

    fn holes_in(&self, part: &Range<usize>) -> &[Hole] {
        let holes = &self.segment.holes;
        let first = holes.partition_point(|hole| hole.range.start < part.start);
        let end = holes.partition_point(|hole| hole.range.end <= part.end);
        &holes[first..end.max(first)]
    }

    fn locate_hits(&self, view: &View<'_>, hits: &[Hit]) -> Vec<Hit> {
        let mut placed = Vec::new();
        for Hit { rule, span } in hits {
            let is_json = self.segment.leaf.len() < self.text.len();
            let span = match is_json {
                true => with_whole_escapes(&view.text, span),
                false => span.clone(),
            };
            let parts = self
                .replaceable_parts(&view.original_span(&span))
                .into_iter();
            placed.extend(parts.map(|span| Hit { rule, span }));
        }
        placed
    }

    /// Returns the parts of `span` in the segment that can be replaced without breaking JSON.
    fn replaceable_parts(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        let leaf = &self.segment.leaf;
        let mut at = span.start.max(leaf.start);
        let end = span.end.min(leaf.end);
        let mut parts = Vec::new();
        for hole in self.holes_in(&(at..end.max(at))) {
            parts.extend(self.frame.replaceable_parts(&(at..hole.range.start)));
            at = hole.range.end;
        }
        if at < end {
            parts.extend(self.frame.replaceable_parts(&(at..end)));
        }
        parts.retain(|part| self.text[part.clone()].contains(char::is_alphanumeric));
        parts
    }
}
