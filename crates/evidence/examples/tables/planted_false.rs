//! Plants false citations.

use agon_record::moves::Citation;

use super::{Expected, Planter, Spot, cited, squashed};

impl<'a> Planter<'a> {
    pub(super) fn false_ones(&mut self) {
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

    /// Picks a line, and a file that does not contain it.
    fn stranger(&mut self) -> (Spot<'a>, Spot<'a>) {
        loop {
            let (it, other) = (self.spot(), self.spot());
            if !self.squashed[other.path].contains(&squashed(&it.words())) {
                return (it, other);
            }
        }
    }

    /// Picks a line, and its words in capitals, which the file does not contain.
    fn in_other_case(&mut self) -> (Spot<'a>, String) {
        loop {
            let it = self.spot();
            let words = it.words().to_uppercase();
            // No other line has these words in any case.
            if words.chars().skip(1).ne(it.words().chars().skip(1)) {
                return (it, words);
            }
        }
    }

    /// Picks a line, and its words with one changed, which the file does not contain.
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

/// The longest identifier in a line.
fn name(line: &str) -> String {
    let names = line.split(|c: char| !c.is_alphanumeric());
    names
        .max_by_key(|it| it.len())
        .unwrap_or("x")
        .to_lowercase()
}
