//! Finding and replacing.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use crate::hit::Hit;
use crate::json::Frame;
use crate::own;
use crate::value::is_placeholder;
use crate::vendor;
use crate::view::View;

// A round is only needed where a token stood free once another was out. Past it all of the rest is
// taken out: too small a bound redacts more, never less.
/// How often what is left is looked through again.
const DEEPEST: u8 = 8;

// 36 letters and digits make 46,656 ends. Held by
// `tests/suite/quoting.rs::two_secrets_that_name_members_of_one_object_stay_two_names`.
/// Letters that are left of a secret that names a member of a JSON object.
const NAME_END: usize = 3;

/// Takes secrets out of text.
///
/// Making and sharing one costs nothing: the rules are compiled once per
/// process, when a text comes that they may match.
#[derive(Clone, Copy, Debug)]
pub struct Redactor;

/// Text without its secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted<'t> {
    /// The text; borrowed if nothing was found.
    pub text: Cow<'t, str>,
    /// What was taken out, in the order of the text; never overlapping.
    pub hits: Vec<Hit>,
}

impl Redactor {
    /// A redactor with every rule.
    pub fn new() -> Self {
        Self
    }

    /// Replaces each secret in `text` by a tag naming its kind.
    ///
    /// What is JSON in `text` stays JSON, also in strings of JSON. Redacting the result again
    /// changes nothing. Takes time linear in the length of the text.
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

    /// Whether there seems to be a secret in a file with these bytes.
    pub fn has_secrets(&self, bytes: &[u8]) -> bool {
        !self.find_hits(&String::from_utf8_lossy(bytes)).is_empty()
    }

    fn find_hits(&self, text: &str) -> Vec<Hit> {
        let mut search = RedactionPass {
            text,
            frame: OnceCell::new(),
            hits: Vec::new(),
        };
        for part in vendor::parts_between_tags(text) {
            search.search_part(part, 0);
        }
        search.hits.sort_by_key(|hit| hit.span.start);
        search.hits
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

/// A search through one text.
struct RedactionPass<'t> {
    text: &'t str,
    /// What holds the JSON of the text together; looked for once something is found.
    frame: OnceCell<Frame>,
    hits: Vec<Hit>,
}

impl RedactionPass<'_> {
    /// Searches a part, then what is left between the finds, until nothing more is found, as a
    /// token may come to stand free where another was.
    fn search_part(&mut self, part: Range<usize>, depth: u8) {
        let slice = &self.text[part.clone()];
        if slice.trim().is_empty() {
            return;
        }
        let found = self.find_hits_in(slice, part.start);
        let Some(first) = found.first() else {
            return;
        };
        if depth == DEEPEST {
            // Tokens strung together like this are no text.
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

    /// Finds secrets in `slice`, which starts at `start`: by our own rules, and by the vendors' and
    /// our late ones only if these found none.
    fn find_hits_in(&self, slice: &str, start: usize) -> Vec<Hit> {
        let view = View::of(slice);
        let own = own::find_secrets(&view);
        let hits = self.locate_hits(&view, own.hits, start);
        if !hits.is_empty() {
            return hits;
        }
        let mut vendors = vendor::find_vendor_tokens(&view.text);
        vendors.retain(|hit| {
            view.text
                .get(hit.span.clone())
                .is_some_and(|found| !is_placeholder(found))
        });
        vendors.extend(own.late);
        self.locate_hits(&view, own::merge_hits(vendors), start)
    }

    fn locate_hits(&self, view: &View<'_>, hits: Vec<Hit>, start: usize) -> Vec<Hit> {
        let mut placed = Vec::new();
        for Hit { rule, span } in hits {
            let raw = view.raw_span(&span);
            let raw = start + raw.start..start + raw.end;
            placed.extend(
                self.replaceable_parts(&raw)
                    .into_iter()
                    .map(|span| Hit { rule, span }),
            );
        }
        placed
    }

    /// The parts of `span` that can be replaced without harm to JSON around it.
    fn replaceable_parts(&self, span: &Range<usize>) -> Vec<Range<usize>> {
        let frame = self.frame.get_or_init(|| Frame::of(self.text));
        let mut parts = frame.replaceable_parts(span);
        // Two names of one object must not become the same.
        for part in &mut parts {
            let end = &self.text.as_bytes()[part.clone()];
            let plain = end
                .iter()
                .rev()
                .take(NAME_END + 1)
                .all(u8::is_ascii_alphanumeric);
            if plain && end.len() > 4 * NAME_END && frame.is_in_member_name(part) {
                part.end -= NAME_END;
            }
        }
        parts.retain(|part| self.text[part.clone()].contains(char::is_alphanumeric));
        parts
    }
}
