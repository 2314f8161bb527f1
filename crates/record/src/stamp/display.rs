//! Displays stamps, places and notes in words.

use std::fmt;

use super::{Absent, Location, Note, Stamp, StampKind, Unchecked};

impl fmt::Display for StampKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.lines {
            [0, _] => {}
            [first, last] if first == last => write!(f, ":{first}")?,
            [first, last] => write!(f, ":{first}-{last}")?,
        }
        match &self.commit {
            Some(commit) => write!(f, " at {}", short_commit(commit)),
            None => Ok(()),
        }
    }
}

/// Returns the abbreviated id of a commit.
fn short_commit(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}

/// One line for people and prompts, such as `moved: the words are at src/a.rs:41, not at 12`.
impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Found { there, note } => {
                write!(f, "found: {}", there.place)?;
                note.map_or(Ok(()), |note| write!(f, " ({note})"))
            }
            Self::Moved { there, cited } => {
                write!(f, "moved: the words are at {}, not at ", there.place)?;
                match cited {
                    [first, last] if first == last => write!(f, "{first}"),
                    [first, last] => write!(f, "{first}-{last}"),
                }
            }
            Self::Place { there } => match &there.place {
                Location {
                    file,
                    commit: Some(commit),
                    ..
                } if file.is_empty() => {
                    write!(f, "place: commit {}, nothing quoted", short_commit(commit))
                }
                place => write!(f, "place: {place}, nothing quoted"),
            },
            Self::Wrong {
                there,
                nearest,
                case_differs,
                elsewhere,
            } => {
                if *case_differs {
                    let place = &nearest.as_ref().unwrap_or(there).place;
                    write!(f, "wrong: {place} has the words in a different case")?;
                } else {
                    write!(f, "wrong: the words are not in {}", there.place.file)?;
                }
                write_places(f, "; they are in", elsewhere)
            }
            Self::Missing {
                what,
                last_line,
                instead,
            } => {
                write!(f, "missing: {what}")?;
                if let Some(last) = last_line {
                    write!(f, "; the last one is {last}")?;
                }
                write_places(f, "; there is", instead)
            }
            Self::Unreachable { cause } => write!(f, "unreachable: {cause}"),
            Self::Unchecked { reason, candidates } => {
                write!(f, "unchecked: {reason}")?;
                if candidates.is_empty() {
                    return Ok(());
                }
                write!(f, ": {}", candidates.join(", "))
            }
        }
    }
}

fn write_places(f: &mut fmt::Formatter<'_>, head: &str, places: &[Location]) -> fmt::Result {
    for (at, place) in places.iter().enumerate() {
        let before = if at == 0 { head } else { "," };
        write!(f, "{before} {place}")?;
    }
    Ok(())
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CaseDiffers => "in a different case",
            Self::WordsLeftOut => "with words left out",
            Self::CommonWords => "matched by shared words, at the exact lines",
            Self::NegationCutOff => "a negation next to the words is left out",
        })
    }
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "no such file",
            Self::Lines => "no such lines",
            Self::Commit => "no such commit",
            Self::Document => "no such document",
            Self::Page => "no such page",
            Self::Outside => "the path leads out of the project",
        })
    }
}

impl fmt::Display for Unchecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSource => "no files were given",
            Self::NotPinned => "not among the given files",
            Self::NotKept => "the text was not kept",
            Self::Ignored => "ignored by the project",
            Self::Outside => "outside the source",
            Self::Elsewhere => "not in the project",
            Self::Folder => "a folder",
            Self::Binary => "not a text file",
            Self::Oversized => "too large to read",
            Self::LargeFile => "a large file stored elsewhere",
            Self::Submodule => "in another repository",
            Self::Unreadable => "could not be read",
            Self::Encoding => "the text is in an encoding or form that cannot be compared",
            Self::Ambiguous => "several files may be meant",
            Self::Vague => "the words are too common to identify a place",
            Self::UrlNotAsked => "web pages are not checked",
            Self::NoRun => "no such command was run in the debate",
            Self::Reasoning => "reasoning",
            Self::NoPlace => "no place is named",
        })
    }
}
