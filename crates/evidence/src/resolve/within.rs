//! Compares cited words with the cited lines of one text.

use agon_record::stamp::{Absent, Location, Note, SourceText, Stamp, Unchecked};

use crate::anchor::{Anchor, Occurrences, Weight};
use crate::text::Text;

// Chosen, not measured: a bracket occurs every few lines, so a larger range would contain one by
// chance. The test `common_words_count_only_at_exact_lines` compares 1 line with 16.
/// Maximum number of lines in a citation whose words identify nothing, such as a bracket.
const MAX_EXACT_LINES: u32 = 3;
// Chosen, not measured: about the visible part of a function. In a larger range any keyword can be
// found; with a lower limit, a correct place would be called vague.
/// Maximum number of lines in a citation whose words identify little, such as a keyword.
const MAX_NARROW_LINES: u32 = 20;

/// The place and words of a citation, to be checked against a text.
pub(super) struct TextQuery<'a> {
    pub(super) file: String,
    pub(super) commit: Option<String>,
    pub(super) lines: Option<[u32; 2]>,
    pub(super) words: &'a str,
}

/// Returns the stamp of a citation in a text; the caller adds where else the words occur.
pub(super) fn stamp_text_query(
    text: &Text,
    asked: &TextQuery<'_>,
    anchor: Option<&Anchor>,
) -> Stamp {
    let stamp = match (asked.lines, anchor) {
        (None, None) => asked.place_stamp(text, [0, 0]),
        (Some(lines), None) => stamp_lines(text, asked, lines),
        (None, Some(anchor)) => stamp_words(text, asked, anchor),
        (Some(lines), Some(anchor)) => stamp_lines_and_words(text, asked, lines, anchor),
    };
    let is_uncertain = match &stamp {
        Stamp::Wrong { case_differs, .. } => !case_differs && text.may_differ_in_form(asked.words),
        Stamp::Missing { .. } => text.has_unusual_line_ends(),
        _ => false,
    };
    match is_uncertain {
        true => Stamp::unchecked(Unchecked::Encoding),
        false => stamp,
    }
}

/// Stamps a citation of lines without words: all the lines must exist.
fn stamp_lines(text: &Text, asked: &TextQuery<'_>, lines: [u32; 2]) -> Stamp {
    let last = text.last_line();
    // People often count a final line break as one more line, so allow one line beyond the end.
    if lines[0] == 0 || lines[0] > last || lines[1] > last.saturating_add(1) {
        return missing_lines_stamp(last);
    }
    asked.place_stamp(text, [lines[0], lines[1].min(last)])
}

fn stamp_words(text: &Text, asked: &TextQuery<'_>, anchor: &Anchor) -> Stamp {
    let Some(places) = anchor.find_anywhere(&text.looked) else {
        return match anchor.weight() {
            Weight::None => Stamp::unchecked(Unchecked::Vague),
            Weight::Weak | Weight::Strong => asked.wrong_stamp(text, None, anchor),
        };
    };
    match (anchor.weight(), places.lines.as_slice()) {
        (Weight::Strong, [first, ..]) | (Weight::Weak, [first]) => {
            asked.found_stamp(text, *first, places.note)
        }
        (Weight::None | Weight::Weak | Weight::Strong, _) => Stamp::unchecked(Unchecked::Vague),
    }
}

fn stamp_lines_and_words(
    text: &Text,
    asked: &TextQuery<'_>,
    lines: [u32; 2],
    anchor: &Anchor,
) -> Stamp {
    let wide = (lines[1] - lines[0]).saturating_add(1);
    let everywhere = anchor.find_anywhere(&text.looked);
    let only = everywhere.as_ref().is_some_and(|it| it.lines.len() == 1);
    if let Some(places) = anchor.find_in_lines(&text.looked, lines) {
        let common = Some(Note::CommonWords);
        let note = match anchor.weight() {
            Weight::Strong => places.note,
            Weight::Weak if only => places.note,
            Weight::Weak if wide <= MAX_NARROW_LINES => places.note.or(common),
            Weight::None if wide <= MAX_EXACT_LINES => places.note.or(common),
            Weight::Weak | Weight::None => return Stamp::unchecked(Unchecked::Vague),
        };
        return asked.found_stamp(text, nearest_occurrence(&places, lines), note);
    }
    let elsewhere = everywhere.filter(|_| match anchor.weight() {
        Weight::Strong => true,
        Weight::Weak => only,
        Weight::None => false,
    });
    if let Some(places) = elsewhere {
        return Stamp::Moved {
            there: asked.excerpt(text, nearest_occurrence(&places, lines)),
            cited: lines,
        };
    }
    let last = text.last_line();
    if lines[0] == 0 || lines[0] > last {
        return missing_lines_stamp(last);
    }
    asked.wrong_stamp(text, Some([lines[0], lines[1].min(last)]), anchor)
}

fn missing_lines_stamp(last: u32) -> Stamp {
    Stamp::Missing {
        what: Absent::Lines,
        last_line: Some(last),
        instead: Vec::new(),
    }
}

/// Returns the occurrence nearest to the cited lines; of equally near ones, the first.
fn nearest_occurrence(places: &Occurrences, cited: [u32; 2]) -> [u32; 2] {
    let far = |at: &&[u32; 2]| at[0].saturating_sub(cited[1]) + cited[0].saturating_sub(at[1]);
    let nearest = places.lines.iter().min_by_key(far);
    nearest.copied().unwrap_or(cited)
}

impl TextQuery<'_> {
    fn excerpt(&self, text: &Text, lines: [u32; 2]) -> SourceText {
        text.excerpt(Location {
            file: self.file.clone(),
            commit: self.commit.clone(),
            lines,
        })
    }

    fn found_stamp(&self, text: &Text, lines: [u32; 2], note: Option<Note>) -> Stamp {
        Stamp::Found {
            there: self.excerpt(text, lines),
            note,
        }
    }

    /// Returns the stamp for a place that is cited without words.
    fn place_stamp(&self, text: &Text, lines: [u32; 2]) -> Stamp {
        Stamp::Place {
            there: self.excerpt(text, lines),
        }
    }

    /// Returns the stamp for words that are not in the text, with the text at the cited lines or at
    /// the most similar place. If the words occur in another case, that place counts as the most
    /// similar.
    fn wrong_stamp(&self, text: &Text, lines: Option<[u32; 2]>, anchor: &Anchor) -> Stamp {
        let near = lines.map_or(1, |lines| lines[0]);
        // If the words occur elsewhere with the same case, they are too common for another case to
        // mean anything.
        let other_case = match anchor.find_anywhere(&text.looked) {
            Some(_) => None,
            None => anchor.find_ignoring_case(&text.looked),
        };
        let other_case = other_case.map(|places| nearest_occurrence(&places, [near, near]));
        let like_it = other_case.or_else(|| text.most_similar_lines(self.words, near));
        let there = lines.or(like_it).unwrap_or([0, 0]);
        let inside = |at: &[u32; 2]| at[0] >= there[0] && at[1] <= there[1];
        let like_it = like_it.filter(|at| !inside(at));
        Stamp::Wrong {
            there: self.excerpt(text, there),
            nearest: like_it.map(|lines| self.excerpt(text, lines)),
            case_differs: other_case.is_some(),
            elsewhere: Vec::new(),
        }
    }
}
