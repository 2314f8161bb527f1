//! Word lists for recognizing claims and prohibitions, as data.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

mod token;

pub(super) use token::Token;
use token::tokens;

/// One file per language, all with the same keys. A key may be missing.
const LANGUAGES: &[(&str, &str)] = &[
    ("en", include_str!("lexicon/en.toml")),
    ("de", include_str!("lexicon/de.toml")),
    ("fr", include_str!("lexicon/fr.toml")),
    ("es", include_str!("lexicon/es.toml")),
    ("it", include_str!("lexicon/it.toml")),
    ("pt", include_str!("lexicon/pt.toml")),
    ("zh", include_str!("lexicon/zh.toml")),
];

/// The topic of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Topic {
    Test,
    Build,
    Types,
    Lint,
    Deploy,
    Push,
    Commit,
    Merge,
    Tag,
    Publish,
    Migrate,
    Install,
    Start,
    Download,
    Upload,
    Backup,
    Restore,
    Train,
    Bench,
    Render,
    Flash,
    Sign,
    Renew,
    Load,
}

/// The function of words in a sentence about an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Say {
    Everything,
    Total,
    Determiner,
    Success,
    Complete,
    Filler,
    Restrict,
    Negation,
    Unsure,
    Exception,
    Failure,
    Fixed,
    Still,
    Harmless,
    Person,
}

/// The function of words in a prohibition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ban {
    Never,
    Lead,
    Filler,
    Or,
    Reason,
    Temporary,
    Condition,
    Quoting,
    Stays,
}

/// An act that a user can forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Act {
    Push,
    ForcePush,
    Commit,
    Amend,
    Merge,
    Rebase,
    Tag,
    Publish,
    PullRequest,
    Deploy,
    Apply,
    Migrate,
    Install,
    Add,
    Change,
    Delete,
    Rename,
    Read,
    Run,
    Use,
    Restart,
    Stop,
    Stash,
    Reset,
    Drop,
}

/// A kind of thing that a user can forbid to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Noun {
    Anything,
    Dependency,
    Tests,
    Migrations,
    Lockfile,
    Workflows,
    Changelog,
    Readme,
    Pronoun,
}

/// The role of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Role {
    Thing(Topic),
    One(Topic),
    Done(Topic),
    Say(Say),
    Ban(Ban),
    Act(Act),
    Noun(Noun),
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Language {
    thing: BTreeMap<Topic, Vec<String>>,
    one: BTreeMap<Topic, Vec<String>>,
    done: BTreeMap<Topic, Vec<String>>,
    say: BTreeMap<Say, Vec<String>>,
    ban: BTreeMap<Ban, Vec<String>>,
    action: BTreeMap<Act, Vec<String>>,
    noun: BTreeMap<Noun, Vec<String>>,
}

/// A phrase: its words after the first, and its role.
struct Phrase {
    rest: Vec<String>,
    role: Role,
}

/// The phrases of all languages, by their first word.
struct Lexicon {
    phrases: HashMap<String, Vec<Phrase>>,
    /// Words of scripts without spaces.
    unspaced: HashSet<String>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let mut lexicon = Lexicon {
        phrases: HashMap::new(),
        unspaced: HashSet::new(),
    };
    for (_, text) in LANGUAGES {
        // A test parses every file, so an invalid one never ships.
        let language: Language = toml::from_str(text).unwrap_or_default();
        lexicon.add(&language.thing, Role::Thing);
        lexicon.add(&language.one, Role::One);
        lexicon.add(&language.done, Role::Done);
        lexicon.add(&language.say, Role::Say);
        lexicon.add(&language.ban, Role::Ban);
        lexicon.add(&language.action, Role::Act);
        lexicon.add(&language.noun, Role::Noun);
    }
    lexicon
});

impl Lexicon {
    fn add<K: Copy>(&mut self, lists: &BTreeMap<K, Vec<String>>, role: impl Fn(K) -> Role) {
        for (key, phrases) in lists {
            for phrase in phrases {
                let mut words = tokens(phrase, None).into_iter().map(|it| it.text);
                let Some(first) = words.next() else { continue };
                let rest: Vec<String> = words.collect();
                let unspaced = [&first].into_iter().chain(&rest);
                let unspaced = unspaced.filter(|it| it.starts_with(token::is_unspaced));
                self.unspaced.extend(unspaced.cloned());
                let role = role(*key);
                let all = self.phrases.entry(first).or_default();
                all.push(Phrase { rest, role });
            }
        }
    }
}

/// A phrase in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) role: Role,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A sentence's words and the phrases in it.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) tokens: Vec<Token>,
    pub(super) spans: Vec<Span>,
}

impl Words {
    pub(super) fn of(sentence: &str) -> Self {
        let lexicon = &*LEXICON;
        let tokens = tokens(sentence, Some(&lexicon.unspaced));
        let mut spans = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            for phrase in lexicon.phrases.get(&token.text).into_iter().flatten() {
                let end = at + 1 + phrase.rest.len();
                let is_there = tokens
                    .get(at + 1..end)
                    .is_some_and(|rest| rest.iter().map(|it| &it.text).eq(phrase.rest.iter()));
                if is_there && !token.is_code {
                    let role = phrase.role;
                    spans.push(Span {
                        role,
                        start: at,
                        end,
                    });
                }
            }
        }
        let mut words = Self { tokens, spans };
        words.drop_harmless_phrases();
        words
    }

    /// Removes phrases such as "no errors", which are neither denials nor failure reports.
    fn drop_harmless_phrases(&mut self) {
        let harmless: Vec<(usize, usize)> = self
            .all(Role::Say(Say::Harmless))
            .map(|it| (it.start, it.end))
            .collect();
        self.spans.retain(|span| {
            // "Reports no errors" is also a report of success, so keep that role.
            let is_verdict = span.role == Role::Say(Say::Success);
            let is_within = |(start, end): &(usize, usize)| {
                *start <= span.start
                    && span.end <= *end
                    && !(is_verdict && (*start, *end) == (span.start, span.end))
            };
            !harmless.iter().any(is_within)
        });
        for (start, end) in harmless {
            let role = Role::Say(Say::Filler);
            self.spans.extend((start..end).map(|at| Span {
                role,
                start: at,
                end: at + 1,
            }));
        }
    }

    pub(super) fn all(&self, role: Role) -> impl Iterator<Item = &Span> {
        self.spans.iter().filter(move |it| it.role == role)
    }

    pub(super) fn says(&self, say: Say) -> bool {
        self.all(Role::Say(say)).next().is_some()
    }

    pub(super) fn bans(&self, ban: Ban) -> bool {
        self.all(Role::Ban(ban)).next().is_some()
    }

    /// Returns the clause with these words, delimited by punctuation.
    pub(super) fn clause(&self, start: usize, end: usize) -> (usize, usize) {
        let is_mark = |at: &usize| self.tokens.get(*at).is_some_and(|it| it.is_mark);
        let from = (0..start).rev().find(is_mark).map_or(0, |at| at + 1);
        let to = (end..self.tokens.len()).find(is_mark);
        (from, to.unwrap_or(self.tokens.len()))
    }

    /// Returns the start and end of each clause.
    pub(super) fn clauses(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let (start, end) = self.clause(at, at);
            if start < end {
                found.push((start, end));
            }
            at = end.max(at) + 1;
        }
        found
    }

    /// Returns whether a phrase between two words satisfies `is`.
    pub(super) fn has_within(
        &self,
        (start, end): (usize, usize),
        is: impl Fn(Role) -> bool,
    ) -> bool {
        let mut spans = self.spans.iter();
        spans.any(|it| start <= it.start && it.end <= end && is(it.role))
    }

    /// Returns whether the word at `at` is part of a phrase that satisfies `is`.
    pub(super) fn is_at(&self, at: usize, is: impl Fn(Role) -> bool) -> bool {
        let mut spans = self.spans.iter();
        spans.any(|it| it.start <= at && at < it.end && is(it.role))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_lists_of_known_names_that_are_not_empty() {
        for (name, text) in LANGUAGES {
            let language: Language = toml::from_str(text).unwrap();
            let says = language.say.values().all(|it| !it.is_empty());
            assert!(says && !language.action.is_empty(), "{name}");
            assert!(language.say.contains_key(&Say::Success), "{name}");
            assert!(language.ban.contains_key(&Ban::Never), "{name}");
        }
    }

    #[test]
    fn words_without_spaces_between_them_are_told_apart() {
        let words = Words::of("全部测试通过了。");
        assert!(words.says(Say::Success));
        assert!(words.all(Role::Thing(Topic::Test)).next().is_some());
    }

    #[test]
    fn no_errors_are_no_failure_and_deny_nothing() {
        let words = Words::of("It ran without errors.");
        assert!(!words.says(Say::Failure) && !words.says(Say::Negation));
    }
}
