//! What code found at the place that a citation names.
//!
//! These are only the shapes: how a place is looked up is not known here.
//! A stamp says whether a text is there, never whether it proves the claim.

mod words;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::moves::Citation;

/// What was found where a citation points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "stamp", rename_all = "snake_case")]
pub enum Stamp {
    /// The words stand at the place.
    Found {
        /// The real text.
        there: SourceText,
        /// In what way less was shown than a citation with words at its lines shows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<Note>,
    },
    /// The words stand in that file, at other lines than the citation names.
    Moved {
        /// The real text, where it stands.
        there: SourceText,
        /// The first and last line that the citation names.
        cited: [u32; 2],
    },
    /// The place exists; nothing was quoted that could stand there.
    Place {
        /// The real text.
        there: SourceText,
    },
    /// The place exists, and the words are nowhere in that file.
    Wrong {
        /// What stands there instead.
        there: SourceText,
        /// The part of the same file that has the most of the words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<SourceText>,
        /// Whether the words stand in that file in other upper and lower case: at `nearest`, or
        /// where there is none, at the place itself.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        case_differs: bool,
        /// Other files in which the words stand: at most three, in the order of their paths.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        elsewhere: Vec<Location>,
    },
    /// There is no such place.
    Missing {
        /// What is missing.
        what: Absent,
        /// The last line of the file, when only the lines are missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_line: Option<u32>,
        /// Names that are nearly the one cited, or other files in which the words stand.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        instead: Vec<Location>,
    },
    /// The place may exist, and could not be looked at.
    Unreachable {
        /// Why, as a fragment for people.
        cause: String,
    },
    /// Nothing was looked up.
    Unchecked {
        /// Why.
        reason: Unchecked,
        /// The files that could be meant, when there are several.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        candidates: Vec<String>,
    },
}

/// What a stamp says, without its particulars.
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

    /// What stands after a count of it, such as `3 found` or `2 without words`.
    pub fn count_label(self) -> &'static str {
        match self {
            Self::Place => "without words",
            _ => self.name(),
        }
    }

    /// The word that stands in records, reports and prompts.
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
    /// The whole id of the commit, when the file is meant as it was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// First and last line, from 1; both 0 when no lines are meant.
    pub lines: [u32; 2],
}

/// A text as it really stands at a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceText {
    /// The lines that the stamp speaks of; the text may begin and end around them.
    pub place: Location,
    /// The number of the first line of `text`.
    pub from: u32,
    /// Whole lines, each bounded in length; untrusted text of the source, to be redacted and
    /// fenced like any other.
    pub text: Vec<String>,
    /// Whether lines of the place, or ends of lines, were left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The hash of the bytes that the text was taken from, as 64 hex digits of BLAKE3.
    pub blob: String,
}

/// How a found place shows less than words at the lines that were named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The first letter stands there in the other case, as at the beginning of a sentence.
    CaseDiffers,
    /// The words stand there in order, with others between them that the citation leaves out.
    WordsLeftOut,
    /// The words are few or common; they count because the lines are exact.
    CommonWords,
    /// A negation stands directly before or after the words, and the citation leaves it out.
    NegationCutOff,
}

/// What a citation names that does not exist.
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
    /// Any place that is meant: the path leads out of the project.
    Outside,
}

/// Why a citation was not looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unchecked {
    /// No source was pinned when the debate opened.
    NoSource,
    /// The pinned source is a part of the project, and the file is not in it.
    NotPinned,
    /// The text as it was pinned is not there any more.
    NotKept,
    /// The file is ignored by the project.
    Ignored,
    /// The path leads out of the source, as a link does; where nothing is pinned, or prose names
    /// it without lines, also an absolute one or one with `..`.
    Outside,
    /// The document is none of the debate's.
    Elsewhere,
    /// The path names a folder.
    Folder,
    /// The file is binary.
    Binary,
    /// The file is larger than what is looked into.
    Oversized,
    /// The file is a pointer to a large file kept elsewhere.
    LargeFile,
    /// The path is in another repository inside this one.
    Submodule,
    /// The file could not be read when the source was pinned.
    Unreadable,
    /// The words may stand there in another encoding, form or count of lines.
    Encoding,
    /// Several files may be meant.
    Ambiguous,
    /// The words are too few or too common to tell one place by them.
    Vague,
    /// Pages are looked up only on the user's word.
    UrlNotAsked,
    /// No such command was run into the debate.
    NoRun,
    /// The ground is reasoning.
    Reasoning,
    /// Nothing names a place.
    NoPlace,
}

/// A citation with what was found: what a record keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stamped {
    /// The citation as it was looked up.
    pub citation: Citation,
    /// Whether code took it out of prose, since the ground has none of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub extracted: bool,
    /// What was found.
    #[serde(flatten)]
    pub stamp: Stamp,
}

impl Stamp {
    /// What this stamp says, without its particulars.
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

    /// Whether it is about a place, rather than about a ground that names none.
    pub fn names_a_place(&self) -> bool {
        !matches!(
            self,
            Self::Unchecked {
                reason: Unchecked::Reasoning | Unchecked::NoPlace,
                ..
            }
        )
    }

    /// The real text at the place, if there is such a place.
    pub fn source_text(&self) -> Option<&SourceText> {
        match self {
            Self::Found { there, .. } | Self::Moved { there, .. } => Some(there),
            Self::Place { there } | Self::Wrong { there, .. } => Some(there),
            _ => None,
        }
    }

    /// The same stamp with each text that it shows changed by `change`.
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

    /// An unchecked citation, for one reason and with no candidates.
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
                "moved: stands at a.rs:41, not at 12-14",
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
                "wrong: a.rs:9 has the words in other upper and lower case",
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
                "wrong: the words are not in a.rs; they stand in b.rs:2, c.rs:3-4 at 0123456789ab",
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
