//! The review of a change, as a comment, on a screen and as SARIF.

mod comment;
mod sarif;
mod text;

pub use comment::review_md;
pub use sarif::review_sarif;
pub use text::review_text;

use agon_verdict::review::{Defect, DefectStanding, ReviewDoc};

/// Returns the result of a review in one line: the number of defects, or why there is no result.
pub fn review_headline(doc: &ReviewDoc) -> String {
    if let Some(failure) = &doc.failure {
        return format!("Not reviewed: {failure}");
    }
    let found = match (doc.defects.len(), doc.doubt()) {
        (0, None) => "No defect was reported that code could verify".to_owned(),
        (0, Some(doubt)) => format!("No report could be verified, but {doubt}"),
        (1, _) => "1 defect".to_owned(),
        (count, _) => format!("{count} defects"),
    };
    let read = match doc.not_read.len() {
        0 => String::new(),
        1 => "; 1 changed file was not read".to_owned(),
        count => format!("; {count} changed files were not read"),
    };
    format!("{found}{read}")
}

/// Returns what became of a defect, in words.
fn standing_in_words(defect: &Defect) -> String {
    match (&defect.confirmed, defect.standing) {
        (Some(confirmed), _) if confirmed.is_reproduced() => {
            format!("reproduced by {}, of another vendor", confirmed.by)
        }
        (Some(confirmed), _) => format!("confirmed by {}", confirmed.by),
        (None, DefectStanding::Disputed) => "disputed".to_owned(),
        (None, DefectStanding::Upheld) => "the objections to it were withdrawn".to_owned(),
        (None, _) => "not answered by the other side".to_owned(),
    }
}

/// Returns a text of a seat on one line.
fn one_line(text: &str) -> String {
    agon_record::text::sanitise_line(text, MAX_LINE_CHARS)
}

// A code host cuts a comment at 65,536 characters, and a longer paragraph is not read.
/// Maximum length of a seat's text in a comment or message, in characters.
const MAX_LINE_CHARS: usize = 600;
