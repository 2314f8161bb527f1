//! What earlier versions of this program said of the same place in another way.

use agon_record::stamp::{Absent, Note, Stamp, Stamped, Unchecked};

/// Whether `was` is how an earlier version recorded what this one says as `is`.
///
/// A record keeps what it says, so a difference of this kind does not mean that it changed.
pub(super) fn is_older_version_stamp(was: &Stamped, is: &Stamp) -> bool {
    match &was.stamp {
        // A place without words was `found`.
        Stamp::Found {
            there,
            note: Some(Note::LinesOnly | Note::FileOnly | Note::CommitOnly),
        } => matches!(is, Stamp::Place { there: now } if now == there),
        // Upper and lower case did not count.
        Stamp::Found {
            note: Some(Note::CaseDiffers),
            ..
        } => is_case_mismatch(is) || was.extracted && matches!(is, Stamp::Place { .. }),
        // A negation beside the words, or among those left out, was not looked at.
        Stamp::Found { there, .. } => matches!(
            is,
            Stamp::Found { there: now, note: Some(Note::NegationCutOff) } if now == there
        ),
        Stamp::Moved { .. } => is_case_mismatch(is),
        // In a file that is not UTF-8 no words were called wrong.
        Stamp::Unchecked {
            reason: Unchecked::Encoding,
            ..
        } => matches!(is, Stamp::Wrong { .. }),
        // Marks around the words counted.
        Stamp::Wrong { .. } => {
            let words = was.citation.anchor.as_deref().map(str::trim);
            words.is_some_and(|words| words.starts_with(['`', '"', '“', '‘', '«']))
                && matches!(is, Stamp::Found { .. } | Stamp::Moved { .. })
                || is_unchecked_encoding(is)
        }
        // The copy that a seat reads was no folder of the project.
        Stamp::Missing {
            what: Absent::Outside,
            ..
        } if is_absolute(was) => !matches!(is, Stamp::Wrong { .. }),
        // Names were read by their characters, and not matched against the files.
        Stamp::Missing {
            what: Absent::File | Absent::Outside,
            ..
        } => has_odd_name(was) && !matches!(is, Stamp::Wrong { .. } | Stamp::Missing { .. }),
        // A document that is not given was missing.
        Stamp::Missing {
            what: Absent::Document,
            ..
        } => matches!(
            is,
            Stamp::Unchecked {
                reason: Unchecked::Elsewhere,
                ..
            } | Stamp::Missing {
                what: Absent::File,
                ..
            }
        ),
        // A path that leads out of the project was not looked up.
        Stamp::Unchecked {
            reason: Unchecked::Outside,
            ..
        } => matches!(
            is,
            Stamp::Missing {
                what: Absent::Outside,
                ..
            }
        ),
        _ => false,
    }
}

/// Whether the cited name has characters that earlier versions cut it at.
fn has_odd_name(was: &Stamped) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let file = was.citation.file.as_deref();
    was.extracted || file.is_some_and(|it| !it.chars().all(is_plain))
}

fn is_absolute(was: &Stamped) -> bool {
    let file = was.citation.file.as_deref();
    file.is_some_and(|it| it.starts_with('/'))
}

fn is_unchecked_encoding(stamp: &Stamp) -> bool {
    matches!(
        stamp,
        Stamp::Unchecked {
            reason: Unchecked::Encoding,
            ..
        }
    )
}

fn is_case_mismatch(stamp: &Stamp) -> bool {
    matches!(
        stamp,
        Stamp::Wrong {
            case_differs: true,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use agon_record::moves::Citation;
    use agon_record::stamp::{Location, SourceText};

    use super::*;

    fn there(text: &str) -> SourceText {
        SourceText {
            place: Location {
                file: "src/a.rs".into(),
                commit: None,
                lines: [3, 3],
            },
            from: 3,
            text: vec![text.into()],
            cut: false,
            blob: "ab".repeat(32),
        }
    }

    fn found(note: Option<Note>) -> Stamp {
        let there = there("let a = 1;");
        Stamp::Found { there, note }
    }

    fn place(text: &str) -> Stamp {
        let there = there(text);
        Stamp::Place { there }
    }

    fn wrong(case_differs: bool) -> Stamp {
        Stamp::Wrong {
            there: there("let a = 1;"),
            nearest: None,
            case_differs,
            elsewhere: Vec::new(),
        }
    }

    fn missing(what: Absent) -> Stamp {
        Stamp::Missing {
            what,
            last_line: None,
            instead: Vec::new(),
        }
    }

    #[test]
    fn what_an_earlier_version_said_otherwise_is_told_from_what_was_changed() {
        let outside = Stamp::unchecked(Unchecked::Outside);
        let elsewhere = Stamp::unchecked(Unchecked::Elsewhere);
        for (was, anchor, is, expected) in [
            (found(Some(Note::LinesOnly)), "", place("let a = 1;"), true),
            (found(Some(Note::FileOnly)), "", place("let a = 1;"), true),
            (found(Some(Note::LinesOnly)), "", place("let b = 1;"), false),
            (found(None), "let a", place("let a = 1;"), false),
            (found(Some(Note::CaseDiffers)), "LET A", wrong(true), true),
            (found(Some(Note::CaseDiffers)), "LET A", wrong(false), false),
            (found(None), "let a", wrong(true), false),
            (wrong(false), "`// let a`", found(None), true),
            (wrong(false), "let a", found(None), false),
            (
                Stamp::unchecked(Unchecked::Encoding),
                "let a",
                wrong(false),
                true,
            ),
            (
                Stamp::unchecked(Unchecked::Encoding),
                "let a",
                found(None),
                false,
            ),
            (
                found(None),
                "let … a",
                found(Some(Note::NegationCutOff)),
                true,
            ),
            (missing(Absent::Document), "let a", elsewhere.clone(), true),
            (missing(Absent::File), "let a", elsewhere, false),
            (outside.clone(), "let a", missing(Absent::Outside), true),
            (outside, "let a", missing(Absent::File), false),
        ] {
            let was = Stamped {
                citation: Citation {
                    anchor: Some(anchor.into()),
                    ..Citation::default()
                },
                extracted: false,
                stamp: was,
            };
            assert_eq!(
                is_older_version_stamp(&was, &is),
                expected,
                "{was:?} {is:?}"
            );
        }
    }
}
