//! Fills a form with random characters.

/// A generator with a fixed seed (SplitMix64), so that the corpus is always the same.
pub(crate) struct Fill(u64);

const DIGIT: &str = "0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl Fill {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the form with each `{set:length}` filled; `{set:few-many}` has a length in that
    /// range.
    ///
    /// Sets: `d` digits, `x` hexadecimal, `X` the same in capitals, `a` letters, `l` lower-case
    /// ones, `u` capitals and digits, `n` letters and digits, `w` lower-case letters and digits,
    /// `b` base64, `s` URL-safe base64, `3` base32, `v` consonants and digits of container names,
    /// `e` bech32, `word` a word.
    pub(crate) fn form(&mut self, form: &str) -> String {
        let mut out = String::new();
        let mut rest = form;
        while let Some(open) = rest.find("{") {
            let Some((inner, length)) = rest[open + 1..]
                .find('}')
                .and_then(|close| rest[open + 1..open + 1 + close].split_once(':'))
                .filter(|(set, length)| {
                    known(set) && length.starts_with(|c: char| c.is_ascii_digit())
                })
            else {
                out.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
                continue;
            };
            out.push_str(&rest[..open]);
            self.put(inner, length, &mut out);
            rest = &rest[open + inner.len() + length.len() + 3..];
        }
        out.push_str(rest);
        out
    }

    fn put(&mut self, set: &str, length: &str, out: &mut String) {
        let (few, many) = length.split_once('-').unwrap_or((length, length));
        let (few, many): (usize, usize) = (few.parse().unwrap(), many.parse().unwrap());
        let length = few + self.below(many - few + 1);
        if set == "word" {
            for number in 0..length {
                out.push_str(if number > 0 { "-" } else { "" });
                out.push_str(WORDS[self.below(WORDS.len())]);
            }
            return;
        }
        let signs = signs(set);
        let signs: Vec<char> = signs.chars().collect();
        // Repeated until it has all properties of a random string of its kind.
        loop {
            let made: String = (0..length)
                .map(|_| signs[self.below(signs.len())])
                .collect();
            let mixed = length < 12
                || set == "a"
                || set == "l"
                || made.contains(|c: char| c.is_ascii_digit());
            if mixed {
                out.push_str(&made);
                return;
            }
        }
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(bound).unwrap()).unwrap()
    }
}

fn known(set: &str) -> bool {
    matches!(
        set,
        "d" | "x" | "X" | "a" | "l" | "u" | "n" | "w" | "b" | "s" | "3" | "v" | "e" | "word"
    )
}

fn signs(set: &str) -> String {
    match set {
        "d" => DIGIT.to_owned(),
        "x" => "0123456789abcdef".to_owned(),
        "X" => "0123456789ABCDEF".to_owned(),
        "a" => [LOWER, UPPER].concat(),
        "l" => LOWER.to_owned(),
        "u" => [UPPER, DIGIT].concat(),
        "w" => [LOWER, DIGIT].concat(),
        "b" => [LOWER, UPPER, DIGIT, "+/"].concat(),
        "s" => [LOWER, UPPER, DIGIT, "-_"].concat(),
        "3" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".to_owned(),
        "e" => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".to_owned(),
        "v" => "bcdfghjklmnpqrstvwxz2456789".to_owned(),
        _ => [LOWER, UPPER, DIGIT].concat(),
    }
}

const WORDS: &[&str] = &[
    "queue",
    "worker",
    "retry",
    "lock",
    "table",
    "index",
    "page",
    "scan",
    "vacuum",
    "cursor",
    "batch",
    "shard",
    "leader",
    "replica",
    "journal",
    "stream",
    "bucket",
    "policy",
    "token",
    "secret",
    "session",
    "config",
    "deploy",
    "migration",
    "schema",
    "handler",
    "parser",
    "render",
    "layout",
    "store",
];
