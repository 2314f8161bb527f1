//! Scans a text once and determines where to try which rule.

use std::ops::Range;
use std::sync::OnceLock;

use crate::command::{COMMANDS, Command};
use crate::dsn;
use crate::forms::{FORMS, SECRET_WORDS, TokenForm};
use crate::password_hash;
use crate::phrase::{PHRASES, Phrase};
use crate::putty;
use crate::recovery;
use crate::rules::RULES;
use crate::runs::LongRuns;
use crate::vendor;
use crate::word_search::WordSearch;

/// Parts of the names of secrets, in any case.
const STEMS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "credential",
    "kennwort",
    "senha",
    "clave",
    "contrase",
    "mdp",
    "schlüssel",
    "schluessel",
    "geheim",
    "jeton",
    "segredo",
    "segreto",
    "chave",
    "chiave",
    "wachtwoord",
    "senord",
    "hasło",
    "haslo",
    "sessid",
    "session",
    "psk",
    "sig=",
    "signature=",
    "clé",
    "cle_",
    "cle-",
    "pw",
    "dockerc",
    "erlangcookie",
    "mot de passe",
    "palavra-passe",
    "parola d'ordine",
    "phrase secr",
    "frase se",
    "adgangskod",
    "salasan",
    "hasł",
    "jelsz",
    "şifre",
    "арол",
    "pat",
    "auth_salt",
    "nonce_salt",
    "_in_salt",
    "wif",
    "totp",
];

/// A rule or token form to try at a position of the text.
#[derive(Clone, Copy)]
pub(crate) enum ScanMark {
    /// The rule with this number, whose match begins with the mark.
    Rule(usize),
    /// The form that has the mark as its prefix.
    Form(&'static TokenForm),
    /// A token of any vendor whose prefix contains the word.
    Prefix,
    /// A value assigned to a name.
    Stem,
    /// An address with a password.
    Address,
    /// The `Authorization` header.
    Authorization,
    /// The `Cookie` header.
    Cookie,
    /// A secret after certain words.
    Phrase(Phrase),
    /// The line count of a PuTTY private key.
    PuttyKey,
    /// A password hash after a user name.
    Hash,
    /// Recovery codes for a second factor.
    RecoveryCodes,
    /// The host of a URL without a scheme.
    Host,
    /// A program whose arguments may contain a password.
    Command(&'static Command),
    /// A rare keyword of the vendors' rules.
    VendorWord,
}

/// Finds marks.
pub(crate) struct Marks {
    finder: WordSearch,
    marks: Vec<ScanMark>,
    /// The rules whose mark is a single byte, which occurs everywhere.
    by_byte: Vec<(u8, ScanMark)>,
}

/// A mark and its position.
type MarkLocation = (ScanMark, Range<usize>);

impl Marks {
    /// Returns the marks of all rules.
    pub(crate) fn shared() -> &'static Self {
        static MARKS: OnceLock<Marks> = OnceLock::new();
        MARKS.get_or_init(|| {
            let (mut words, mut marks, mut by_byte) = (Vec::new(), Vec::new(), Vec::new());
            let mut add = |word: &'static str, mark| {
                if let [byte] = word.as_bytes() {
                    by_byte.push((*byte, mark));
                    return;
                }
                words.push(word);
                marks.push(mark);
            };
            for (number, rule) in RULES.iter().enumerate() {
                rule.marks
                    .iter()
                    .for_each(|word| add(word, ScanMark::Rule(number)));
            }
            for form in FORMS.iter() {
                add(form.prefix, ScanMark::Form(form));
            }
            SECRET_WORDS
                .iter()
                .for_each(|word| add(word, ScanMark::Prefix));
            STEMS.iter().for_each(|word| add(word, ScanMark::Stem));
            for command in COMMANDS {
                add(command.program, ScanMark::Command(command));
            }
            for (words, phrase) in PHRASES {
                add(words, ScanMark::Phrase(*phrase));
            }
            add(putty::HEADER, ScanMark::PuttyKey);
            password_hash::MARKS
                .iter()
                .for_each(|word| add(word, ScanMark::Hash));
            recovery::MARKS
                .iter()
                .for_each(|word| add(word, ScanMark::RecoveryCodes));
            dsn::MARKS.iter().for_each(|word| add(word, ScanMark::Host));
            for word in vendor::rare_keywords() {
                add(word, ScanMark::VendorWord);
            }
            add("://", ScanMark::Address);
            add("authorization", ScanMark::Authorization);
            add("cookie", ScanMark::Cookie);
            let finder = WordSearch::of(&words);
            Self {
                finder,
                marks,
                by_byte,
            }
        })
    }

    /// Returns every mark in `text`, with its position, ordered by end; among those with the same
    /// end, the longest first. A mark of one byte is returned only in a run of at least `VERY_LONG`
    /// bytes or directly before one.
    pub(crate) fn find<'m>(
        &'m self,
        text: &'m str,
        runs: &'m LongRuns,
    ) -> impl Iterator<Item = MarkLocation> + 'm {
        let words = self.finder.find(text);
        let words = words.filter_map(|found| Some((*self.marks.get(found.number)?, found.range)));
        let mut words = words.peekable();
        let mut bytes = self.find_bytes(text.as_bytes(), runs).peekable();
        std::iter::from_fn(move || {
            let Some((_, byte)) = bytes.peek() else {
                return words.next();
            };
            let end = byte.end;
            words
                .next_if(|(_, word)| word.end <= end)
                .or_else(|| bytes.next())
        })
    }

    /// Returns the marks of one byte.
    fn find_bytes(&self, text: &[u8], runs: &LongRuns) -> impl Iterator<Item = MarkLocation> {
        let mut done = 0;
        let places = runs.very_long.iter().flat_map(move |run| {
            let start = run.start.saturating_sub(1).max(done);
            done = run.end;
            start..run.end
        });
        places.flat_map(move |at| {
            let here = text.get(at);
            let marks = self.by_byte.iter();
            let marks = marks.filter(move |(byte, _)| here == Some(byte));
            marks.map(move |(_, mark)| (*mark, at..at + 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Marks, ScanMark};
    use crate::rules::RULES;
    use crate::runs::{LONG, LongRuns};

    #[test]
    fn a_mark_of_one_byte_is_found_in_and_before_a_very_long_run_in_order() {
        let text = format!("a.b 7|token-{}.{} -", "x".repeat(30), "y".repeat(10));
        let runs = LongRuns::of(text.as_bytes(), LONG);
        let found = Marks::shared().find(&text, &runs);
        let found: Vec<_> = found.map(|(_, place)| &text[place]).collect();
        assert_eq!(found, ["|", "token", "-", "."]);
    }

    #[test]
    fn a_rule_with_a_mark_of_one_byte_matches_very_long_runs_only() {
        let marks = &Marks::shared().by_byte;
        let tags = marks.iter().map(|(_, mark)| match mark {
            ScanMark::Rule(number) => RULES[*number].tag,
            _ => "no rule",
        });
        // A rule that is not listed here needs a look at its pattern.
        let tags: Vec<_> = tags.collect();
        assert_eq!(tags, ["discord-bot-token", "mailgun-key", "sanctum-token"]);
    }
}
