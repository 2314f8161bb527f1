//! Looks up the text of a web page.

use agon_record::moves::Citation;
use agon_record::stamp::{Absent, Stamp, Unchecked};

use super::{ReferencedText, Resolver, StampResult, unchecked_stamp};
use crate::commits::CommitPathEntry;

impl Resolver<'_> {
    /// Looks up a page. It is fetched once, and later read from the record.
    pub(super) fn resolve_page(&mut self, url: &str, citation: &Citation) -> StampResult {
        let url = url.trim();
        if let Some(stamp) = self.resolve_permalink(url, citation) {
            return Ok(stamp);
        }
        let (at, bytes) = match self.commits.pages.get(url) {
            Some(known) => (known.clone(), None),
            None => {
                let answer = self.source.look_up_page(url);
                answer.ok_or_else(|| unchecked_stamp(Unchecked::UrlNotAsked))?
            }
        };
        self.commits.pages.insert(url.to_owned(), at.clone());
        let entry = match at {
            CommitPathEntry::Entry(entry) => entry,
            CommitPathEntry::Unreachable(cause) => {
                return Err(Box::new(Stamp::Unreachable { cause }));
            }
            CommitPathEntry::Absent | CommitPathEntry::Folder | CommitPathEntry::Submodule => {
                return Err(Box::new(Stamp::Missing {
                    what: Absent::Page,
                    last_line: None,
                    instead: Vec::new(),
                }));
            }
        };
        let hash = entry.hash.clone().unwrap_or_default();
        let bytes = bytes.or_else(|| self.rests_on.get(&hash).cloned());
        let bytes = match bytes {
            Some(bytes) => bytes,
            None => self
                .source
                .text_bytes("", &entry)
                .map_err(unchecked_stamp)?,
        };
        let text = self.cached_text(&entry, &bytes);
        let meaning = ReferencedText {
            file: url.to_owned(),
            commit: None,
            text,
        };
        self.resolve_in_text(meaning, bytes, citation)
    }
}
