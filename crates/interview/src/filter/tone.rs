//! Decides whether a sentence of a small model praises or criticizes something.
//!
//! Asked for an advantage, the model often names a drawback ("One drawback of Postgres is that it
//! can be slower"), and vice versa. A word list classifies most sentences; those that remain
//! unclear are not used.

use crate::question::Tone;

/// Words of praise.
const GOOD: &str = "\
    ability advantage advantages affordable allow allowing allows benefit benefits best better \
    cheaper clean cleaner clear clearer compact concise consistent convenient ease easier easily \
    easy effective efficiency efficient enables enhance enhances excellent fast faster \
    flexibility flexible good great greater help helps ideal improve improved improves improving \
    lightweight maintainable modern organized performant portable powerful predictable quick \
    quicker quickly readable reliability reliable robust safe safer safety save saves \
    scalability scalable secure security simple simpler simplicity simplifies smaller stable \
    strength strengths strong stronger support supports useful versatile well";

/// Words of criticism.
const BAD: &str = "\
    bad bloated bottleneck bug bugs burden challenge challenges challenging complex complexity \
    complicated conflict conflicts confusing confusion cost costly costs crash crashes \
    cumbersome delay delays difficult difficulty disadvantage downtime drawback drawbacks error \
    errors expensive fail fails failure failures fragile hard harder inconsistent inefficient \
    inflexible insecure issue issues latency limitation limitations limited limits loss messy \
    mistakes outdated overhead poor problem problems rigid risk risks risky slow slowdown slower \
    slows steep stressful tedious unreliable unresponsive unstable verbose vulnerabilities \
    vulnerable waste weak weakness worse wrong";

/// Words that reverse the following word: `less flexible`, `reveals bugs`.
const TURNING: &str = "\
    avoid avoids cannot cant catch catches decrease decreases detect detects doesnt dont \
    eliminate eliminates fewer fix fixes identify isnt lack lacking lacks less lower lowers \
    minimize minimizes never no not prevent prevents reduce reduces reducing reveal reveals \
    solve solves without";

/// Words that criticize if no word of praise or criticism follows.
const LACKING: &[&str] = &["lack", "lacks", "lacking", "cannot", "cant", "doesnt"];

// In `does not have the same level of flexibility`, the reversed word is the sixth after `not`.
/// Number of words that a reversing word affects.
const REACH: usize = 6;

// In `reduces the risk of errors`, `reduces` reverses both `risk` and `errors`.
/// Maximum distance of two words that are reversed together.
const TOGETHER: usize = 2;

/// The tone of a sentence about its subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spoken {
    /// It praises or criticizes.
    As(Tone),
    /// It does both.
    Mixed,
    /// It does neither.
    Neither,
}

/// A word that reverses what follows.
#[derive(Clone, Copy, Debug)]
struct Turning<'a> {
    word: &'a str,
    /// The last word that it affects.
    reach: usize,
    has_turned: bool,
}

impl Turning<'_> {
    /// Returns whether it reverses the word at this index. If so, it reverses further words only
    /// within [`TOGETHER`] words.
    fn is_reversed(&mut self, at: usize) -> bool {
        let turns = at <= self.reach;
        if turns {
            self.has_turned = true;
            self.reach = at + TOGETHER;
        }
        turns
    }

    /// Returns whether it criticizes on its own.
    fn is_criticism(self) -> bool {
        !self.has_turned && LACKING.contains(&self.word)
    }
}

/// Returns the tone of a sentence, given its lower-case words.
pub(super) fn tone(words: &[String]) -> Spoken {
    let (mut good, mut bad) = (false, false);
    let mut turning: Option<Turning> = None;
    for (at, word) in words.iter().map(String::as_str).enumerate() {
        let tone = match word {
            word if is_among(GOOD, word) => Some(Tone::Good),
            word if is_among(BAD, word) => Some(Tone::Bad),
            _ => None,
        };
        if let Some(tone) = tone {
            let turns = turning
                .as_mut()
                .is_some_and(|turning| turning.is_reversed(at));
            let tone = if turns { tone.opposite() } else { tone };
            good |= tone == Tone::Good;
            bad |= tone == Tone::Bad;
        }
        if is_among(TURNING, word) {
            bad |= turning.is_some_and(|turning| turning.is_criticism());
            turning = Some(Turning {
                word,
                reach: at + REACH,
                has_turned: false,
            });
        }
    }
    bad |= turning.is_some_and(|turning| turning.is_criticism());
    match (good, bad) {
        (true, true) => Spoken::Mixed,
        (true, false) => Spoken::As(Tone::Good),
        (false, true) => Spoken::As(Tone::Bad),
        (false, false) => Spoken::Neither,
    }
}

/// Returns whether a word is in the space-separated list `words`.
fn is_among(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Spoken {
        let words = agon_record::words::normalize_words(text);
        let words: Vec<_> = words.split_whitespace().map(str::to_owned).collect();
        tone(&words)
    }

    // Replies of SmolLM2 135M, and two sentences with reversing words.
    #[test]
    fn praise_and_blame_are_told_apart() {
        for (text, spoken) in [
            (
                "Plain files are faster, easier to use than SQLite.",
                Spoken::As(Tone::Good),
            ),
            (
                "One drawback of Postgres is that it can be slower than MongoDB, especially when \
                 working on large projects.",
                Spoken::As(Tone::Bad),
            ),
            (
                "One major issue with SQLite is its lack of scalability, making it difficult to \
                 handle large datasets without breaking them.",
                Spoken::As(Tone::Bad),
            ),
            (
                "One weakness of Postgres is the lack of scalability, especially with large \
                 amounts of data.",
                Spoken::As(Tone::Bad),
            ),
            (
                "Rewriting the billing service reduces administrative labor, which can be more \
                 expensive than writing new bills to clients.",
                Spoken::As(Tone::Bad),
            ),
            (
                "One problem with monorepo is it has no built-in storage.",
                Spoken::As(Tone::Bad),
            ),
            ("SQLite keeps every job in one file.", Spoken::Neither),
            (
                "TypeScript reduces the risk of errors.",
                Spoken::As(Tone::Good),
            ),
            ("YAML lacks comments on types.", Spoken::As(Tone::Bad)),
            ("TOML is less flexible than YAML.", Spoken::As(Tone::Bad)),
            (
                "One disadvantage of TypeScript is its type system, which can make it harder to \
                 debug issues faster than pure JavaScript.",
                Spoken::Mixed,
            ),
        ] {
            assert_eq!(of(text), spoken, "{text}");
        }
    }
}
