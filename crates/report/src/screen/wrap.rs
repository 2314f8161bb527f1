//! Wraps styled lines.

use super::line::{Line, Span, Style};
use crate::text::display_width;

impl Line {
    /// Wraps the line to at most `width` columns and indents all lines but the first by `hang`.
    ///
    /// Words that fit a line are not broken. A line has at most four characters per column, so that
    /// stacked accents cannot make it endless.
    #[must_use]
    pub fn wrap_to_width(self, hang: usize, width: usize) -> Vec<Self> {
        // Limit the indentation so that the text keeps at least half of the width.
        let mut page = LineWrapper {
            hang: hang.min(width / 2),
            width: width.max(1),
            ..LineWrapper::default()
        };
        if page.fits(&self.to_string()) {
            return vec![self.trim_end()];
        }
        for token in tokens(&self) {
            page.place(token);
        }
        page.end_line();
        page.lines
    }
}

/// A word, or the space between two words, with its styles.
type Token = Vec<(Style, char)>;

/// Returns the words of a line and the spaces between them.
fn tokens(line: &Line) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut was_space = None;
    for span in &line.spans {
        for c in span.text.chars() {
            let is_space = c == ' ';
            match tokens.last_mut().filter(|_| was_space == Some(is_space)) {
                Some(token) => token.push((span.style, c)),
                None => tokens.push(vec![(span.style, c)]),
            }
            was_space = Some(is_space);
        }
    }
    tokens
}

/// The wrapped lines so far, and the line being filled.
#[derive(Default)]
struct LineWrapper {
    hang: usize,
    width: usize,
    lines: Vec<Line>,
    /// The line being filled, with and without styles.
    line: Line,
    text: String,
    /// Whether the line has words.
    has_words: bool,
    /// The space before the next word, if that word still fits this line.
    space: Token,
}

impl LineWrapper {
    fn fits(&self, text: &str) -> bool {
        display_width(text) <= self.width && text.chars().count() <= self.width.saturating_mul(4)
    }

    fn place(&mut self, token: Token) {
        if token.first().is_some_and(|(_, c)| *c == ' ') {
            self.space = token;
            return;
        }
        let space = std::mem::take(&mut self.space);
        let word = space.iter().chain(&token).map(|(_, c)| c);
        let whole: String = self.text.chars().chain(word.copied()).collect();
        if self.fits(&whole) {
            space
                .into_iter()
                .chain(token)
                .for_each(|part| self.add(part));
        } else {
            match self.has_words {
                true => self.end_line(),
                false => space.into_iter().for_each(|part| self.break_and_add(part)),
            }
            token.into_iter().for_each(|part| self.break_and_add(part));
        }
        self.has_words = true;
    }

    /// Adds a character, on a new line if it does not fit.
    fn break_and_add(&mut self, part: (Style, char)) {
        self.text.push(part.1);
        let fits = self.fits(&self.text);
        self.text.pop();
        if !fits && self.has_text() {
            self.end_line();
        }
        self.add(part);
    }

    fn add(&mut self, (style, c): (Style, char)) {
        self.text.push(c);
        match self
            .line
            .spans
            .last_mut()
            .filter(|last| last.style == style)
        {
            Some(last) => last.text.push(c),
            None => self.line.spans.push(Span {
                style,
                text: c.to_string(),
            }),
        }
    }

    /// Returns whether the line has more than its indentation.
    fn has_text(&self) -> bool {
        let before = if self.lines.is_empty() { 0 } else { self.hang };
        self.text.chars().count() > before
    }

    fn end_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line).trim_end());
        self.text = " ".repeat(self.hang);
        self.line = Line::default().with(Style::Plain, self.text.clone());
        self.has_words = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::plain_line;

    #[test]
    fn words_keep_their_styles_and_the_rest_is_indented() {
        let line = Line::default()
            .with(Style::Name, "  why  ")
            .with(Style::Plain, "because of ")
            .with(Style::Bad, "rust")
            .with(Style::Plain, ".");
        let lines = line.wrap_to_width(4, 16);
        let shown: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["  why  because", "    of rust."]);
        assert_eq!(lines[1].spans[1].style, Style::Bad);
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken() {
        let line = Line::default().with(Style::Plain, "ab abcdefghijkl");
        let lines = line.wrap_to_width(2, 6);
        let shown: Vec<_> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["ab", "  abcd", "  efgh", "  ijkl"]);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_no_line_is_too_wide(
            texts in proptest::collection::vec("(?s).{0,120}|(a\u{301}{30}){9}|[界面👩‍👧🇩🇪]{0,40}", 1..5),
            hang in 0_usize..30,
            width in 40_usize..90,
        ) {
            let styles = [Style::Plain, Style::Bad, Style::Name];
            let line = texts.iter().zip(styles.into_iter().cycle());
            let line = line.fold(Line::default(), |line, (text, style)| {
                line.with(style, plain_line(text))
            });
            let letters = |text: &str| text.chars().filter(|c| *c != ' ').collect::<String>();
            let before = letters(&line.to_string());
            let lines = line.wrap_to_width(hang, width);
            let mut after = String::new();
            for line in &lines {
                let text = line.to_string();
                prop_assert!(display_width(&text) <= width, "{text:?} in {width}");
                prop_assert!(text.chars().count() <= 4 * width, "{text:?}");
                after.push_str(&letters(&text));
            }
            prop_assert_eq!(after, before);
        }
    }
}
