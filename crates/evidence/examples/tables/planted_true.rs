//! Plants true citations.

use agon_record::moves::Citation;

use super::{Expected, Planter, Spot, cited, telling};

impl<'a> Planter<'a> {
    pub(super) fn true_ones(&mut self) {
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

    /// A comment line that continues on the next line.
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

    /// The shortest end of a path that is unique.
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
}

/// Uses other quotation marks, dashes and spaces.
fn bent(words: &str) -> String {
    words
        .replace('\'', "’")
        .replace(" - ", " – ")
        .replace(' ', "  ")
        .replace("...", "…")
}

/// Omits some words in the middle.
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
