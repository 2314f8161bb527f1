//! Plants true and false citations in a real source.

mod planted_false;
mod planted_true;

use std::collections::BTreeMap;
use std::path::Path;

use agon_evidence::{FileKind, Source};
use agon_record::moves::{Citation, Ground};
use agon_record::stamp::StampKind;

/// Number of citations of each form and repository.
const EACH: usize = 14;

/// The correct stamp of a planted citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Expected {
    Found,
    Moved,
    /// `place`: no words are quoted.
    Place,
    /// Neither `found` nor `place`.
    False,
}

impl Expected {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Found => "true",
            Self::Moved => "moved",
            Self::Place => "bare",
            Self::False => "false",
        }
    }

    pub(crate) fn is(self, kind: StampKind) -> bool {
        match self {
            Self::Found => kind == StampKind::Found,
            Self::Moved => kind == StampKind::Moved,
            Self::Place => kind == StampKind::Place,
            Self::False => !matches!(kind, StampKind::Found | StampKind::Place),
        }
    }
}

#[derive(Debug)]
pub(crate) enum Asked {
    Citation(Citation),
    Ground(Ground),
}

#[derive(Debug)]
pub(crate) struct Planted {
    pub(crate) form: &'static str,
    pub(crate) expected: Expected,
    pub(crate) asked: Asked,
}

/// A reproducible generator of pseudo-random numbers.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }
}

/// A line to cite, with its file's text.
#[derive(Clone, Copy)]
struct Spot<'a> {
    path: &'a str,
    lines: &'a [String],
    at: usize,
}

impl Spot<'_> {
    fn number(&self) -> u32 {
        u32::try_from(self.at + 1).unwrap()
    }

    fn line(&self) -> &str {
        self.lines[self.at].trim()
    }

    /// Returns at most twelve words of the line.
    fn words(&self) -> String {
        let words: Vec<&str> = self.line().split_whitespace().take(12).collect();
        words.join(" ")
    }
}

/// Keeps only letters and digits: a separate, coarse normalization, to verify the planted
/// citations.
fn squashed(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

fn telling(line: &str) -> bool {
    let letters = line.chars().filter(|c| c.is_alphanumeric()).count();
    (16..=110).contains(&letters)
        && line.split_whitespace().count() >= 3
        && !line.contains('`')
        && !line.contains('"')
}

pub(crate) fn plant(root: &Path, source: &Source, commit: &str) -> Vec<Planted> {
    let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, entry) in &source.manifest().entries {
        let code = [".rs", ".py", ".ts", ".md"]
            .iter()
            .any(|it| path.ends_with(it));
        if entry.kind == FileKind::Text && code && !path.ends_with(".d.ts") {
            let bytes = std::fs::read(root.join(path)).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            if lines.len() > 80 {
                files.insert(path.clone(), lines);
            }
        }
    }
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let squashed: BTreeMap<&str, String> = files
        .iter()
        .map(|(path, lines)| (path.as_str(), squashed(&lines.join("\n"))))
        .collect();
    let mut planter = Planter {
        files: &files,
        names,
        squashed,
        commit,
        dice: Dice::new(2_026),
        out: Vec::new(),
    };
    for _ in 0..EACH {
        planter.true_ones();
        planter.moved_ones();
        planter.false_ones();
    }
    planter.out
}

struct Planter<'a> {
    files: &'a BTreeMap<String, Vec<String>>,
    names: Vec<&'a str>,
    squashed: BTreeMap<&'a str, String>,
    commit: &'a str,
    dice: Dice,
    out: Vec<Planted>,
}

impl<'a> Planter<'a> {
    /// Picks a distinctive line that occurs only once in its file.
    fn spot(&mut self) -> Spot<'a> {
        loop {
            let path = self.names[self.dice.below(self.names.len())];
            let lines = &self.files[path];
            let at = self.dice.below(lines.len());
            let spot = Spot { path, lines, at };
            if telling(spot.line())
                && self.squashed[path]
                    .matches(&squashed(&spot.words()))
                    .count()
                    == 1
            {
                return spot;
            }
        }
    }

    fn cite(&mut self, form: &'static str, expected: Expected, citation: Citation) {
        self.out.push(Planted {
            form,
            expected,
            asked: Asked::Citation(citation),
        });
    }

    fn prose(&mut self, form: &'static str, expected: Expected, source: String, content: String) {
        let ground = Ground {
            source,
            content,
            relevance: String::new(),
            citation: None,
        };
        self.out.push(Planted {
            form,
            expected,
            asked: Asked::Ground(ground),
        });
    }

    fn moved_ones(&mut self) {
        let it = self.spot();
        let off = 2 + u32::try_from(self.dice.below(6)).unwrap();
        self.cite(
            "a few lines off",
            Expected::Moved,
            cited(it, it.number() + off, &it.words()),
        );
        let it = self.spot();
        let off = 2 + u32::try_from(self.dice.below(6)).unwrap();
        self.prose(
            "prose: a few lines off",
            Expected::Moved,
            format!("{}:{}", it.path, it.number() + off),
            format!("It says `{}`.", it.words()),
        );
    }
}

fn cited(spot: Spot<'_>, line: u32, words: &str) -> Citation {
    Citation {
        file: Some(spot.path.into()),
        lines: Some([line, line]),
        anchor: Some(words.into()),
        ..Citation::default()
    }
}
