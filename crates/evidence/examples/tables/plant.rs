//! Plants citations, true and false, in a real source.

use std::collections::BTreeMap;
use std::path::Path;

use agon_evidence::{FileKind, Source};
use agon_record::moves::{Citation, Ground};
use agon_record::stamp::StampKind;

/// Citations of each form and repository.
const EACH: usize = 14;

/// What a planted citation deserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Expected {
    Found,
    Moved,
    /// `place`: nothing is quoted.
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

/// Numbers that look random and are the same each time.
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

/// A line to cite, with the text it stands in.
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

    /// At most twelve words of the line.
    fn words(&self) -> String {
        let words: Vec<&str> = self.line().split_whitespace().take(12).collect();
        words.join(" ")
    }
}

/// Letters and digits only: an own, coarse form of comparison, to be sure of what is planted.
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
    /// A line that tells, and which stands once in its file.
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

    fn true_ones(&mut self) {
        use Expected::Found;
        let it = self.spot();
        self.cite(
            "lines and words",
            Found,
            cited(it, it.number(), &it.words()),
        );
        let it = self.spot();
        self.cite(
            "words alone",
            Found,
            Citation {
                lines: None,
                ..cited(it, 1, &it.words())
            },
        );
        let it = self.spot();
        let (first, last) = (it.number().saturating_sub(4).max(1), it.number() + 3);
        self.cite(
            "a range and words",
            Found,
            Citation {
                lines: Some([first, last]),
                ..cited(it, 1, &it.words())
            },
        );
        let it = self.spot();
        self.cite(
            "words as Markdown bends them",
            Found,
            cited(it, it.number(), &bent(&it.words())),
        );
        let it = self.spot();
        self.cite(
            "words with some left out",
            Found,
            cited(it, it.number(), &shortened(&it.words())),
        );
        let it = self.spot();
        self.cite(
            "words in back-ticks",
            Found,
            cited(it, it.number(), &format!("`{}`", it.line().trim())),
        );
        let it = self.spot();
        self.cite(
            "lines alone",
            Expected::Place,
            Citation {
                anchor: None,
                ..cited(it, it.number(), "")
            },
        );
        let it = self.comment();
        let words = format!(
            "{} {}",
            it.line(),
            it.lines[it.at + 1].trim_start_matches([' ', '/', '#', '*', '!'])
        );
        self.cite(
            "a comment over two lines",
            Found,
            cited(it, it.number(), &words),
        );
        let it = self.spot();
        self.cite(
            "a commit, lines and words",
            Found,
            Citation {
                commit: Some(self.commit[..10].into()),
                ..cited(it, it.number(), &it.words())
            },
        );
        let it = self.spot();
        let path = self.short(it.path);
        self.cite(
            "a part of the path",
            Found,
            Citation {
                file: Some(path),
                ..cited(it, it.number(), &it.words())
            },
        );
        let it = self.spot();
        self.prose(
            "prose: path:line",
            Found,
            format!("{}:{}", it.path, it.number()),
            format!("It says `{}`, which decides it.", it.words()),
        );
        let it = self.spot();
        self.prose(
            "prose: path:range",
            Found,
            format!("See {}:{}-{}.", it.path, it.number(), it.number() + 2),
            format!("The code `{}` is plain.", it.words()),
        );
        let it = self.spot();
        self.prose(
            "prose: link",
            Found,
            format!(
                "[the code]({}#L{}-L{})",
                it.path,
                it.number(),
                it.number() + 1
            ),
            format!("There stands `{}`.", it.words()),
        );
        let it = self.spot();
        let near = it.number() + 2;
        self.prose(
            "prose: around line",
            Found,
            "the code".into(),
            format!(
                "in `{}` around line {near} we read `{}`",
                it.path,
                it.words()
            ),
        );
        let it = self.spot();
        self.prose(
            "prose: lines of",
            Found,
            "reading it".into(),
            format!(
                "lines {} to {} of {} have `{}`",
                it.number(),
                it.number() + 1,
                it.path,
                it.words()
            ),
        );
        let it = self.spot();
        self.prose(
            "prose: at a commit",
            Found,
            format!(
                "{}:{} at commit {}",
                it.path,
                it.number(),
                &self.commit[..8]
            ),
            format!("It was `{}`.", it.words()),
        );
        let it = self.spot();
        self.prose(
            "prose: no words",
            Expected::Place,
            format!("{}:{}", it.path, it.number()),
            "This is where it happens.".into(),
        );
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

    fn false_ones(&mut self) {
        use Expected::False;
        let it = self.spot();
        let length = it.lines.len();
        let far = u32::try_from((it.at + length / 2) % length + 1).unwrap();
        self.cite("a line far away", False, cited(it, far, &it.words()));
        self.prose(
            "prose: a line far away",
            False,
            format!("{}:{far}", it.path),
            format!("`{}`", it.words()),
        );
        for form in ["another file", "prose: another file"] {
            let (it, other) = self.stranger();
            let line = u32::try_from(self.dice.below(other.lines.len()) + 1).unwrap();
            if form == "another file" {
                self.cite(form, False, cited(other, line, &it.words()));
            } else {
                self.prose(
                    form,
                    False,
                    format!("{}:{line}", other.path),
                    format!("There is `{}`.", it.words()),
                );
            }
        }
        let (it, other) = self.stranger();
        self.cite(
            "another file's words, no lines",
            False,
            Citation {
                lines: None,
                ..cited(other, 1, &it.words())
            },
        );
        let (it, words) = self.altered();
        self.cite("altered words", False, cited(it, it.number(), &words));
        let (it, words) = self.altered();
        self.cite(
            "altered words, no lines",
            False,
            Citation {
                lines: None,
                ..cited(it, 1, &words)
            },
        );
        let (it, words) = self.altered();
        self.prose(
            "prose: altered words",
            False,
            format!("{}:{}", it.path, it.number()),
            format!("It says `{words}`."),
        );
        let (it, words) = self.in_other_case();
        self.cite(
            "words in another case",
            False,
            cited(it, it.number(), &words),
        );
        let it = self.spot();
        let outside = format!("/srv/somebody/copy/{}", it.path);
        self.cite(
            "a path of another folder",
            False,
            Citation {
                file: Some(outside.clone()),
                ..cited(it, it.number(), &it.words())
            },
        );
        self.prose(
            "prose: a path of another folder",
            False,
            format!("{outside}:{}", it.number()),
            format!("It says `{}`.", it.words()),
        );
        let it = self.spot();
        let gone = format!("{:07x}c0ffee0{}", self.dice.below(0xfff_ffff), it.at % 10);
        self.cite(
            "a vanished commit",
            False,
            Citation {
                commit: Some(gone.clone()),
                ..cited(it, it.number(), &it.words())
            },
        );
        self.prose(
            "prose: a vanished commit",
            False,
            format!("{}:{} at commit {gone}", it.path, it.number()),
            format!("`{}`", it.words()),
        );
        let it = self.spot();
        self.cite("off by one", False, cited(it, it.number() + 1, &it.words()));
        let it = self.spot();
        let range = [it.number() + 1, it.number() + 6];
        self.cite(
            "a range off by one",
            False,
            Citation {
                lines: Some(range),
                ..cited(it, 1, &it.words())
            },
        );
        self.prose(
            "prose: a range off by one",
            False,
            format!("{}:{}-{}", it.path, range[0], range[1]),
            format!("`{}`", it.words()),
        );
        let (it, other) = (self.spot(), self.spot());
        let invented = format!("{}_{}", name(it.line()), name(other.line()));
        self.cite(
            "an invented line",
            False,
            cited(
                it,
                it.number(),
                &format!("pub fn {invented}(limit: usize) -> bool"),
            ),
        );
        self.prose(
            "prose: an invented line",
            False,
            format!("{}:{}", it.path, it.number()),
            format!("`let {invented} = {};`", it.at),
        );
        let path = it
            .path
            .replace(['a', 'e'], "o")
            .replace("src/", "src/core_");
        self.cite(
            "an invented file",
            False,
            Citation {
                file: Some(format!("lib/{path}")),
                ..cited(it, it.number(), &it.words())
            },
        );
        self.prose(
            "prose: an invented file",
            False,
            format!("lib/{path}:{}", it.number()),
            "It is there.".into(),
        );
        let beyond = u32::try_from(it.lines.len()).unwrap() + 40;
        self.prose(
            "prose: lines beyond the end",
            False,
            format!("{}:{beyond}", it.path),
            "It is there.".into(),
        );
    }

    /// A line of a comment that goes on in the next.
    fn comment(&mut self) -> Spot<'a> {
        loop {
            let path = self.names[self.dice.below(self.names.len())];
            let lines = &self.files[path];
            let at = self.dice.below(lines.len() - 1);
            let spot = Spot { path, lines, at };
            let is_comment = |line: &str| {
                ["///", "//", "# ", "* "]
                    .iter()
                    .any(|it| line.trim().starts_with(it))
            };
            if is_comment(&lines[at])
                && is_comment(&lines[at + 1])
                && telling(spot.line())
                && telling(&lines[at + 1])
            {
                return spot;
            }
        }
    }

    /// The end of a path, long enough to be the only one.
    fn short(&self, path: &str) -> String {
        let starts = path
            .match_indices('/')
            .map(|(at, _)| at + 1)
            .collect::<Vec<_>>();
        let ends = starts.into_iter().rev().map(|at| &path[at..]);
        let only = |end: &&str| {
            let same = |it: &&&str| it.ends_with(&format!("/{end}")) || **it == *end;
            self.names.iter().filter(same).count() == 1
        };
        ends.into_iter().find(only).unwrap_or(path).to_owned()
    }

    /// A line, and a file in which it does not stand.
    fn stranger(&mut self) -> (Spot<'a>, Spot<'a>) {
        loop {
            let (it, other) = (self.spot(), self.spot());
            if !self.squashed[other.path].contains(&squashed(&it.words())) {
                return (it, other);
            }
        }
    }

    /// A line, and its words in capitals, as which they stand nowhere in the file.
    fn in_other_case(&mut self) -> (Spot<'a>, String) {
        loop {
            let it = self.spot();
            let words = it.words().to_uppercase();
            // The line is the only one with these words in any case.
            if words.chars().skip(1).ne(it.words().chars().skip(1)) {
                return (it, words);
            }
        }
    }

    /// A line, and its words with one changed so that they stand nowhere in the file.
    fn altered(&mut self) -> (Spot<'a>, String) {
        loop {
            let it = self.spot();
            let mut words: Vec<String> = it.words().split_whitespace().map(str::to_owned).collect();
            let at = self.dice.below(words.len());
            match self.dice.below(4) {
                0 => words[at] = words[at].replace(|c: char| c.is_ascii_digit(), "7"),
                1 => words.insert(at, "not".into()),
                2 => words[at] = words[at].replace("self", "other").replace('e', "i"),
                _ => words.swap(at, 0),
            }
            let words = words.join(" ");
            if !self.squashed[it.path].contains(&squashed(&words)) {
                return (it, words);
            }
        }
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

/// Other quotation marks, dashes and spaces.
fn bent(words: &str) -> String {
    words
        .replace('\'', "’")
        .replace(" - ", " – ")
        .replace(' ', "  ")
        .replace("...", "…")
}

/// The words less some in the middle.
fn shortened(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    let [first, .., last] = words.as_slice() else {
        return words.join(" ");
    };
    if words.len() < 5 {
        return words.join(" ");
    }
    format!("{first} {} … {last}", words[1])
}

/// The longest name in a line.
fn name(line: &str) -> String {
    let names = line.split(|c: char| !c.is_alphanumeric());
    names
        .max_by_key(|it| it.len())
        .unwrap_or("x")
        .to_lowercase()
}
