//! A line of styled text.

use std::fmt;

use agon_record::id::{NodeId, Seat};

use crate::text::{display_width, truncate_to_width};

/// A terminal line, without its line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its parts, from left to right.
    pub spans: Vec<Span>,
}

/// A part of a line with one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The meaning of the text; the printer chooses its colour.
    pub style: Style,
    /// The text, safe to print.
    pub text: String,
}

/// The meaning of a part of a line. The printer decides how each meaning looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Ordinary text.
    Plain,
    /// The most important text.
    Strong,
    /// An id, a label or another name from the debate.
    Name,
    /// Less important text.
    Dim,
    /// All is well.
    Good,
    /// Something is missing or doubtful.
    Warn,
    /// Something is wrong.
    Bad,
    /// The name of the proposer's or proposition's side, or the id of its point.
    For,
    /// The name of the challenger's or opposition's side, or the id of its point.
    Against,
}

/// Returns the style of a seat's name and of the ids of its points.
pub(super) fn seat_style(seat: Seat) -> Style {
    match seat {
        Seat::Proposer | Seat::Proposition => Style::For,
        Seat::Challenger | Seat::Opposition => Style::Against,
        Seat::Judge(_) => Style::Name,
    }
}

impl Line {
    /// Appends `text` in `style`.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { style, text });
        }
        self
    }

    /// Appends `text` in `style`, with the ids of points in the style of their seat.
    #[must_use]
    pub(super) fn with_ids(mut self, style: Style, text: &str) -> Self {
        let is_of_id = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut rest = text;
        let mut plain = String::new();
        while !rest.is_empty() {
            let end = rest.find(|c| !is_of_id(c)).unwrap_or(rest.len());
            let (word, after) = match end {
                0 => rest.split_at(rest.chars().next().map_or(0, char::len_utf8)),
                end => rest.split_at(end),
            };
            // Parse only words with `_`: every id has one, and searching for it is cheap.
            let id = word.contains('_').then(|| word.parse::<NodeId>().ok());
            match id.flatten() {
                Some(id) => {
                    self = self.with(style, std::mem::take(&mut plain));
                    self = self.with(seat_style(id.seat), word);
                }
                None => plain.push_str(word),
            }
            rest = after;
        }
        self.with(style, plain)
    }

    /// Returns the width of the line in columns.
    pub fn display_width(&self) -> usize {
        self.spans
            .iter()
            .map(|span| display_width(&span.text))
            .sum()
    }

    /// Cuts the line to `width` columns, with `…` at the cut, and removes trailing space.
    #[must_use]
    pub fn fit_to_width(self, width: usize) -> Self {
        let mut left = width;
        let mut line = Self::default();
        for span in self.spans {
            let fits = display_width(&span.text) <= left;
            let text = truncate_to_width(&span.text, left);
            left -= display_width(&text).min(left);
            line = line.with(span.style, text);
            if !fits {
                break;
            }
        }
        line.trim_end()
    }

    /// Removes trailing space.
    pub(super) fn trim_end(mut self) -> Self {
        while let Some(last) = self.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            self.spans.pop();
        }
        self
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spans
            .iter()
            .try_for_each(|span| f.write_str(&span.text))
    }
}
