//! The positions of an argument's parts in its file.

use std::collections::BTreeMap;
use std::ops::Range;

use super::front::line_number_at;

/// The positions of an argument's parts, by their names in the moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArgumentPartSpans(BTreeMap<String, Range<usize>>);

impl ArgumentPartSpans {
    pub(crate) fn add(&mut self, name: impl Into<String>, at: Range<usize>) {
        self.0.insert(name.into(), at);
    }

    /// Returns line, column and length of the part `name`, or of the part that contains it.
    pub(crate) fn line_column_span(&self, text: &str, name: &str) -> Option<[u32; 3]> {
        let mut name = name;
        let at = loop {
            if let Some(at) = self.0.get(name) {
                break at;
            }
            name = &name[..name.rfind(['.', '['])?];
        };
        let before = text.get(..at.start)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before[start..].chars().count() + 1;
        let first = text.get(at.clone())?.lines().next().unwrap_or_default();
        let narrow = |many: usize| u32::try_from(many).unwrap_or(u32::MAX);
        Some([
            line_number_at(text, at.start),
            narrow(column),
            narrow(first.chars().count()),
        ])
    }
}
