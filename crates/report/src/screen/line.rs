//! A line of styled text.

use std::fmt;

use crate::text::{display_width, truncate_to_width};

/// A line on a terminal, without its line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its parts, from left to right.
    pub spans: Vec<Span>,
}

/// A part of a line in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// How it is meant.
    pub style: Style,
    /// The text, safe to print.
    pub text: String,
}

/// How a part of a line is meant; what that looks like is for the printer to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// What matters most.
    Strong,
    /// A name of something in the debate, such as an id or a label.
    Name,
    /// What matters less.
    Dim,
    /// All is well.
    Good,
    /// Something is missing or not as it should be.
    Warn,
    /// Something is wrong.
    Bad,
}

impl Line {
    /// The line with `text` in `style` after what it has.
    #[must_use]
    pub fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span { style, text });
        }
        self
    }

    /// The columns it takes.
    pub fn display_width(&self) -> usize {
        self.spans
            .iter()
            .map(|span| display_width(&span.text))
            .sum()
    }

    /// The line in at most `width` columns, without space at its end; what is cut
    /// off becomes `…`.
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
        while let Some(last) = line.spans.last_mut() {
            last.text.truncate(last.text.trim_end().len());
            if !last.text.is_empty() {
                break;
            }
            line.spans.pop();
        }
        line
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spans
            .iter()
            .try_for_each(|span| f.write_str(&span.text))
    }
}
