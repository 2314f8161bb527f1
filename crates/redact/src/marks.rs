//! Scans a text once and determines where to try which rule.

use std::sync::OnceLock;

use crate::command::{COMMANDS, Command};
use crate::dsn;
use crate::forms::{FORMS, SECRET_WORDS, TokenForm};
use crate::password_hash;
use crate::phrase::{PHRASES, Phrase};
use crate::putty;
use crate::recovery;
use crate::rules::RULES;
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
}

/// Finds marks.
pub(crate) struct Marks {
    finder: WordSearch,
    marks: Vec<ScanMark>,
}

impl Marks {
    /// Returns the marks of all rules.
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
            password_hash::MARKS
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

    /// Returns every mark in `text`, with its position, ordered by end.
    pub(crate) fn find<'m>(
        &'m self,
        text: &'m str,
    ) -> impl Iterator<Item = (ScanMark, std::ops::Range<usize>)> + 'm {
        self.finder
            .find(text)
            .filter_map(|found| Some((*self.marks.get(found.number)?, found.range)))
    }
}
