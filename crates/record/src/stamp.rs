//! Stamps: the results of looking up citations.
//!
//! These are only the types; the look-up is elsewhere. A stamp says whether a text is there, never
//! whether it proves the claim.

mod display;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moves::Citation;

/// The result of looking up a citation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stamp", rename_all = "snake_case")]
pub enum Stamp {
    /// The cited place contains the words.
    Found {
        /// The text in the source.
        there: SourceText,
        /// How the match is weaker than quoted words at exact lines.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Note>,
    },
    /// The file contains the words, at other lines than the cited ones.
    Moved {
        /// The text in the source.
        there: SourceText,
        /// The first and the last cited line.
        cited: [u32; 2],
    },
    /// The place exists; no words were quoted that it could contain.
    Place {
        /// The text in the source.
        there: SourceText,
    },
    /// The place exists, but the file does not contain the words.
    Wrong {
        /// The text at the place.
        there: SourceText,
        /// The part of the same file that contains most of the words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<SourceText>,
        /// Whether the file contains the words in a different case: at `nearest`, or without one,
        /// at the place itself.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        case_differs: bool,
        /// Other files that contain the words: at most three, sorted by path.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elsewhere: Vec<Location>,
    },
    /// The place does not exist.
    Missing {
        /// What is missing.
        what: Absent,
        /// The last line of the file, if only the lines are missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_line: Option<u32>,
        /// Similar names, or other files that contain the words.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        instead: Vec<Location>,
    },
    /// The place may exist, but could not be reached.
    Unreachable {
        /// Why, as a sentence fragment.
        cause: String,
    },
    /// The place was not looked up.
    Unchecked {
        /// Why.
        reason: Unchecked,
        /// The files that may be meant, if there are several.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<String>,
    },
}

/// The kind of a stamp, without its details.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StampKind {
    /// See [`Stamp::Found`].
    Found,
    /// See [`Stamp::Moved`].
    Moved,
    /// See [`Stamp::Place`].
    Place,
    /// See [`Stamp::Wrong`].
    Wrong,
    /// See [`Stamp::Missing`].
    Missing,
    /// See [`Stamp::Unreachable`].
    Unreachable,
    /// See [`Stamp::Unchecked`].
    Unchecked,
}

impl StampKind {
    /// Every kind, in the order in which they are counted and shown.
    pub const ALL: [Self; 7] = [
        Self::Found,
        Self::Moved,
        Self::Place,
        Self::Wrong,
        Self::Missing,
        Self::Unreachable,
        Self::Unchecked,
    ];

    /// Returns the label after a count, such as `3 found` or `2 without words`.
    pub fn count_label(self) -> &'static str {
        match self {
            Self::Place => "without words",
            _ => self.name(),
        }
    }

    /// Returns the name in records, reports and prompts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Moved => "moved",
            Self::Place => "place",
            Self::Wrong => "wrong",
            Self::Missing => "missing",
            Self::Unreachable => "unreachable",
            Self::Unchecked => "unchecked",
        }
    }
}

/// Lines of a pinned file, document or recorded output.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Location {
    /// The path inside the source, with `/`; or the name of the document or command.
    pub file: String,
    /// The full id of the commit, if the file is cited from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// First and last line, from 1; both 0 if no lines are meant.
    pub lines: [u32; 2],
}

/// A text in the source, with its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceText {
    /// The cited lines; the text may extend beyond them.
    pub place: Location,
    /// The number of the first line of `text`.
    pub from: u32,
    /// Whole lines, each limited in length. This is untrusted text of the source: redact and fence
    /// it like any other.
    pub text: Vec<String>,
    /// Whether lines of the place, or ends of lines, were omitted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The hash of the file's bytes, as 64 hex digits of BLAKE3.
    pub blob: String,
}

/// How a match is weaker than exact words at the cited lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The first letter has a different case, as at the beginning of a sentence.
    CaseDiffers,
    /// The words occur in order, with others between them that the citation omits.
    WordsLeftOut,
    /// The words are few or common; they count only because the lines are exact.
    CommonWords,
    /// A negation directly before or after the words is missing from the citation.
    NegationCutOff,
}

/// The part of a citation that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Absent {
    /// The file.
    File,
    /// The lines: the file is shorter.
    Lines,
    /// The commit.
    Commit,
    /// The document.
    Document,
    /// The page.
    Page,
    /// Any place: the path leads out of the project.
    Outside,
}

/// Why a citation was not looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unchecked {
    /// No source was pinned when the debate opened.
    NoSource,
    /// Only a part of the project was pinned, and the file is not in it.
    NotPinned,
    /// The pinned text is no longer available.
    NotKept,
    /// The project ignores the file.
    Ignored,
    /// The path leads out of the source, as a link can. If nothing is pinned, or prose names the
    /// path without lines, this includes absolute paths and paths with `..`.
    Outside,
    /// The debate has no such document.
    Elsewhere,
    /// The path names a folder.
    Folder,
    /// The file is binary.
    Binary,
    /// The file is over the size limit.
    Oversized,
    /// The file is a pointer to a large file stored elsewhere.
    LargeFile,
    /// The path is in a submodule.
    Submodule,
    /// The file could not be read when the source was pinned.
    Unreadable,
    /// The place may contain the words in another encoding, form or line count.
    Encoding,
    /// Several files may be meant.
    Ambiguous,
    /// The words are too few or too common to identify a place.
    Vague,
    /// Web pages are fetched only if the user asks for it.
    UrlNotAsked,
    /// No such command was run in the debate.
    NoRun,
    /// The ground is reasoning.
    Reasoning,
    /// No place is named.
    NoPlace,
}

/// A citation with its stamp, as stored in the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stamped {
    /// The citation as it was looked up.
    pub citation: Citation,
    /// Whether Agon extracted it from prose, because the ground has no citation of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extracted: bool,
    /// The stamp.
    #[serde(flatten)]
    pub stamp: Stamp,
}

impl Stamp {
    /// Returns the kind of this stamp.
    pub fn kind(&self) -> StampKind {
        match self {
            Self::Found { .. } => StampKind::Found,
            Self::Moved { .. } => StampKind::Moved,
            Self::Place { .. } => StampKind::Place,
            Self::Wrong { .. } => StampKind::Wrong,
            Self::Missing { .. } => StampKind::Missing,
            Self::Unreachable { .. } => StampKind::Unreachable,
            Self::Unchecked { .. } => StampKind::Unchecked,
        }
    }

    /// Returns whether the stamp is about a place, and not about a ground that names none.
    pub fn names_a_place(&self) -> bool {
        !matches!(
            self,
            Self::Unchecked {
                reason: Unchecked::Reasoning | Unchecked::NoPlace,
                ..
            }
        )
    }

    /// Returns the source text at the place, if the place exists.
    pub fn source_text(&self) -> Option<&SourceText> {
        match self {
            Self::Found { there, .. } | Self::Moved { there, .. } => Some(there),
            Self::Place { there } | Self::Wrong { there, .. } => Some(there),
            _ => None,
        }
    }

    /// Returns the same stamp with each of its texts replaced by `change`.
    #[must_use]
    pub fn map_source_texts(self, mut change: impl FnMut(SourceText) -> SourceText) -> Self {
        match self {
            Self::Found { there, note } => Self::Found {
                there: change(there),
                note,
            },
            Self::Moved { there, cited } => Self::Moved {
                there: change(there),
                cited,
            },
            Self::Place { there } => Self::Place {
                there: change(there),
            },
            Self::Wrong {
                there,
                nearest,
                case_differs,
                elsewhere,
            } => Self::Wrong {
                there: change(there),
                nearest: nearest.map(change),
                case_differs,
                elsewhere,
            },
            Self::Missing { .. } | Self::Unreachable { .. } | Self::Unchecked { .. } => self,
        }
    }

    /// Returns an unchecked stamp with one reason and no candidates.
    pub fn unchecked(reason: Unchecked) -> Self {
        Self::Unchecked {
            reason,
            candidates: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(file: &str, lines: [u32; 2]) -> SourceText {
        SourceText {
            place: Location {
                file: file.into(),
                commit: None,
                lines,
            },
            from: lines[0],
            text: vec!["const MAX: u32 = 5;".into()],
            cut: false,
            blob: "ab".repeat(32),
        }
    }

    fn place(file: &str, lines: [u32; 2], commit: Option<&str>) -> Location {
        Location {
            file: file.into(),
            commit: commit.map(Into::into),
            lines,
        }
    }

    fn samples() -> Vec<(Stamp, StampKind, &'static str)> {
        vec![
            (
                Stamp::Found {
                    there: shown("a.rs", [4, 5]),
                    note: Some(Note::WordsLeftOut),
                },
                StampKind::Found,
                "found: a.rs:4-5 (with words left out)",
            ),
            (
                Stamp::Moved {
                    there: shown("a.rs", [41, 41]),
                    cited: [12, 14],
                },
                StampKind::Moved,
                "moved: the words are at a.rs:41, not at 12-14",
            ),
            (
                Stamp::Place {
                    there: shown("a.rs", [4, 5]),
                },
                StampKind::Place,
                "place: a.rs:4-5, nothing quoted",
            ),
            (
                Stamp::Place {
                    there: SourceText {
                        place: place("", [0, 0], Some("0123456789abcdef")),
                        ..shown("", [0, 0])
                    },
                },
                StampKind::Place,
                "place: commit 0123456789ab, nothing quoted",
            ),
            (
                Stamp::Wrong {
                    there: shown("a.rs", [1, 1]),
                    nearest: Some(shown("a.rs", [9, 9])),
                    case_differs: true,
                    elsewhere: Vec::new(),
                },
                StampKind::Wrong,
                "wrong: a.rs:9 has the words in a different case",
            ),
            (
                Stamp::Wrong {
                    there: shown("a.rs", [1, 1]),
                    nearest: None,
                    case_differs: false,
                    elsewhere: vec![
                        place("b.rs", [2, 2], None),
                        place("c.rs", [3, 4], Some("0123456789abcdef")),
                    ],
                },
                StampKind::Wrong,
                "wrong: the words are not in a.rs; they are in b.rs:2, c.rs:3-4 at 0123456789ab",
            ),
            (
                Stamp::Missing {
                    what: Absent::Lines,
                    last_line: Some(90),
                    instead: Vec::new(),
                },
                StampKind::Missing,
                "missing: no such lines; the last one is 90",
            ),
            (
                Stamp::Unreachable {
                    cause: "the clone is shallow".into(),
                },
                StampKind::Unreachable,
                "unreachable: the clone is shallow",
            ),
            (
                Stamp::Unchecked {
                    reason: Unchecked::Ambiguous,
                    candidates: vec!["a/x.rs".into(), "b/x.rs".into()],
                },
                StampKind::Unchecked,
                "unchecked: several files may be meant: a/x.rs, b/x.rs",
            ),
        ]
    }

    #[test]
    fn a_stamp_is_said_in_one_line() {
        for (stamp, kind, said) in samples() {
            assert_eq!((stamp.kind(), stamp.to_string().as_str()), (kind, said));
        }
    }

    #[test]
    fn a_stamp_comes_back_from_the_record_as_it_was() {
        for (stamp, kind, _) in samples() {
            let stamped = Stamped {
                citation: Citation::default(),
                extracted: true,
                stamp,
            };
            let json = serde_json::to_value(&stamped).unwrap();
            assert_eq!(json["stamp"], kind.name());
            assert_eq!(serde_json::from_value::<Stamped>(json).unwrap(), stamped);
        }
    }
}
