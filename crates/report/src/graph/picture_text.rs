//! Sanitises, shortens and wraps text for pictures.

use agon_record::text::is_plain_line;
use unicode_width::UnicodeWidthChar;

use super::font::Font;
use crate::text::{plain_line, truncate_to_width};

// Ten times the longest drawn text (a title of 400 columns), since some characters are invisible.
// Tested by `a_title_of_a_megabyte_is_cut`.
/// Maximum number of characters read from a text.
const READ: usize = 4_000;

/// Returns `text` as one line of at most `columns` columns.
///
/// It removes hidden characters and those that XML forbids, and allows at most two stacked
/// combining marks.
pub(super) fn sanitise_to_width(text: &str, columns: usize) -> String {
    // Nearly all texts are short and plain ASCII.
    if text.len() <= columns.min(READ) && is_plain_line(text) {
        return text.to_owned();
    }
    let head: String = text.chars().take(READ).collect();
    let mut marks = 0;
    let mut line = plain_line(&head);
    line.retain(|c| {
        marks = if c.width() == Some(0) { marks + 1 } else { 0 };
        marks <= 2 && !matches!(c, '\u{fffe}' | '\u{ffff}')
    });
    if head.len() < text.len() && columns >= READ {
        line.push('…');
    }
    truncate_to_width(line.trim(), columns)
}

/// Wraps a sanitised `text` to at most `most` lines of at most `width`.
///
/// Text beyond that becomes `…`. Returns at least one line.
pub(super) fn wrap_to_pixel_width(
    font: &Font,
    text: &str,
    size: f32,
    width: f32,
    most: usize,
) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        push_wrapped_word(font, &mut lines, word, size, width);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                *last = truncate_to_pixel_width(font, &format!("{last} …"), size, width);
            }
            break;
        }
    }
    lines
}

fn push_wrapped_word(font: &Font, lines: &mut Vec<String>, word: &str, size: f32, width: f32) {
    let Some(last) = lines.last_mut() else {
        return;
    };
    let longer = if last.is_empty() {
        word.to_owned()
    } else {
        format!("{last} {word}")
    };
    if font.width(&longer, size) <= width {
        *last = longer;
        return;
    }
    let mut piece = String::new();
    let mut taken = 0.0;
    for c in word.chars() {
        let advance = font.advance(c, size);
        if taken + advance > width && !piece.is_empty() {
            push_line(lines, std::mem::take(&mut piece));
            taken = 0.0;
        }
        piece.push(c);
        taken += advance;
    }
    push_line(lines, piece);
}

fn push_line(lines: &mut Vec<String>, line: String) {
    match lines.last_mut() {
        Some(last) if last.is_empty() => *last = line,
        _ => lines.push(line),
    }
}

/// Cuts a sanitised `text` to `width`, with `…` at the end if anything was cut.
pub(super) fn truncate_to_pixel_width(font: &Font, text: &str, size: f32, width: f32) -> String {
    if font.width(text, size) <= width {
        return text.to_owned();
    }
    let room = width - font.advance('…', size);
    let mut taken = 0.0;
    let mut kept: String = text
        .chars()
        .take_while(|&c| {
            taken += font.advance(c, size);
            taken <= room
        })
        .collect();
    kept.truncate(kept.trim_end_matches([' ', '…']).len());
    kept.push('…');
    kept
}
