//! One look over a text that says where which rule is to be tried.

use std::sync::OnceLock;

use crate::account;
use crate::command::{COMMANDS, Command};
use crate::dsn;
use crate::forms::{FORMS, SECRET_WORDS, TokenForm};
use crate::phrase::{PHRASES, Phrase};
use crate::putty;
use crate::recovery;
use crate::rules::RULES;
use crate::words::WordSearch;

/// What stands in the names of secrets, in upper or lower case.
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

/// What a place in a text is to be tried for.
#[derive(Clone, Copy)]
pub(crate) enum ScanMark {
    /// The rule of that number, whose match begins with the mark.
    Rule(usize),
    /// The form, whose prefix the mark is.
    Form(&'static TokenForm),
    /// A word in the prefix of a token of any vendor.
    Prefix,
    /// A value that is given to a name.
    Stem,
    /// An address with a password.
    Address,
    /// The header of that name.
    Authorization,
    /// The header of that name.
    Cookie,
    /// What follows certain words.
    Phrase(Phrase),
    /// The number of lines of a private key of PuTTY.
    PuttyKey,
    /// The hash of a password behind a user's name.
    Hash,
    /// Words for codes that stand in for a second factor.
    RecoveryCodes,
    /// The host of an address without a scheme.
    Host,
    /// A command line.
    Command(&'static Command),
}

/// Finds marks.
pub(crate) struct Marks {
    finder: WordSearch,
    marks: Vec<ScanMark>,
}

impl Marks {
    /// The marks of all rules.
    pub(crate) fn shared() -> &'static Self {
        static MARKS: OnceLock<Marks> = OnceLock::new();
        MARKS.get_or_init(|| {
            let (mut words, mut marks) = (Vec::new(), Vec::new());
            let mut add = |word: &'static str, mark| {
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
            account::MARKS
                .iter()
                .for_each(|word| add(word, ScanMark::Hash));
            recovery::MARKS
                .iter()
                .for_each(|word| add(word, ScanMark::RecoveryCodes));
            dsn::MARKS.iter().for_each(|word| add(word, ScanMark::Host));
            add("://", ScanMark::Address);
            add("authorization", ScanMark::Authorization);
            add("cookie", ScanMark::Cookie);
            let finder = WordSearch::of(&words);
            Self { finder, marks }
        })
    }

    /// Every mark in `text`, with its place, in the order of their ends.
    pub(crate) fn find<'m>(
        &'m self,
        text: &'m str,
    ) -> impl Iterator<Item = (ScanMark, std::ops::Range<usize>)> + 'm {
        self.finder
            .find(text)
            .filter_map(|found| Some((*self.marks.get(found.number)?, found.range)))
    }
}
