//! Parses the object of a forbidden act.

use super::{CONFIGS, Clause, STAYING, TOWARDS, is_option_or_program};
use crate::patterns::lexicon::{Act, Ban, Noun, Role, Topic, Words};
use crate::patterns::prohibition::{Forbidden, Object};

/// Words for database objects that are dropped.
const TABLES: &[&str] = &[
    "table",
    "tables",
    "database",
    "databases",
    "db",
    "schema",
    "schemas",
    "collections",
    "tabelle",
    "tabellen",
    "datenbank",
    "tablas",
    "tabla",
    "tabelas",
    "tabelle",
    "bases",
];
/// Words that begin a reason, although some are fillers in other languages.
const BECAUSE: &[&str] = &[
    "que", "because", "since", "weil", "denn", "car", "porque", "pois", "perché",
];

impl Clause<'_> {
    /// Parses "leave src/a alone" and "src/a is off limits".
    pub(super) fn parse_leave_alone(&self) -> Option<Vec<Forbidden>> {
        self.spans().find(|it| it.role == Role::Ban(Ban::Stays))?;
        let names = self.names();
        let is_known = |at: usize| {
            STAYING.contains(&self.text(at))
                || self.is_filler(at)
                || names.iter().any(|it| it.0 == at)
                || self.has(at, |it| it == Role::Ban(Ban::Stays))
        };
        let end = self.reason_start(self.start);
        if !(self.start..end).all(is_known) {
            return Some(Vec::new());
        }
        Some(self.things(&[Act::Change, Act::Delete]))
    }

    /// Returns the start of a reason or another matter.
    fn reason_start(&self, from: usize) -> usize {
        let is_end = |at: &usize| {
            self.has(*at, |it| {
                matches!(it, Role::Ban(Ban::Reason | Ban::Temporary))
            }) && !self.has(*at, |it| {
                matches!(it, Role::Noun(_) | Role::Ban(Ban::Filler))
            })
        };
        (from..self.end).find(is_end).unwrap_or(self.end)
    }

    fn on_things(&self, acts: &[Act], start: usize, end: usize) -> Vec<Forbidden> {
        let names = self.names();
        let last = self.reason_start(end);
        let is_known = |at: usize| {
            (start..end).contains(&at)
                || self.is_filler(at)
                || names.iter().any(|it| it.0 == at)
                || self.has(at, |it| matches!(it, Role::Act(_) | Role::Ban(Ban::Never)))
        };
        if (self.start..last).all(is_known) {
            self.things(acts)
        } else {
            Vec::new()
        }
    }

    /// Returns the named files and kinds of files.
    fn things(&self, acts: &[Act]) -> Vec<Forbidden> {
        let mut objects: Vec<Object> = self
            .names()
            .into_iter()
            .map(|it| Object::Name(it.1))
            .collect();
        // "The config" does not identify a file, so forbid nothing.
        if objects.is_empty() && (self.start..self.end).any(|at| CONFIGS.contains(&self.text(at))) {
            return Vec::new();
        }
        let nouns: Vec<Noun> = self
            .spans()
            .filter_map(|it| match it.role {
                Role::Noun(noun) => Some(noun),
                _ => None,
            })
            .collect();
        if objects.is_empty() {
            let kinds = nouns
                .iter()
                .filter(|it| !matches!(it, Noun::Anything | Noun::Pronoun | Noun::Dependency));
            objects.extend(kinds.map(|it| Object::Kind(*it)));
        }
        if objects.is_empty() && nouns.contains(&Noun::Anything)
            || objects.is_empty() && nouns.is_empty()
        {
            objects.push(Object::Any);
        }
        if objects.is_empty() && nouns.contains(&Noun::Pronoun) {
            objects.extend(self.antecedent());
        }
        objects.dedup();
        objects
            .into_iter()
            .flat_map(|on| {
                acts.iter().map(move |act| Forbidden {
                    act: *act,
                    on: on.clone(),
                })
            })
            .collect()
    }

    /// Returns the single path or kind named before, for "it" and "them".
    fn antecedent(&self) -> Option<Object> {
        let named = |words: &Words, end: usize| -> Vec<Object> {
            let names = words.tokens[..end].iter().filter(|it| it.is_name());
            let names: Vec<Object> = names.map(|it| Object::Name(it.text.clone())).collect();
            if !names.is_empty() {
                return names;
            }
            let kinds = words
                .spans
                .iter()
                .filter(|it| it.end <= end)
                .filter_map(|it| match it.role {
                    Role::Noun(
                        noun @ (Noun::Tests
                        | Noun::Migrations
                        | Noun::Lockfile
                        | Noun::Changelog
                        | Noun::Readme),
                    ) => Some(Object::Kind(noun)),
                    _ => None,
                });
            let mut kinds: Vec<Object> = kinds.collect();
            kinds.dedup();
            kinds
        };
        let mut objects = named(self.words, self.start);
        if objects.is_empty() {
            objects = self
                .before
                .map(|it| named(it, it.tokens.len()))
                .unwrap_or_default();
        }
        match objects.as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    /// Returns the objects of a forbidden act.
    pub(super) fn on(&self, act: Act, start: usize, end: usize) -> Vec<Forbidden> {
        match act {
            Act::Change | Act::Delete | Act::Rename | Act::Read => {
                let acts: &[Act] = if act == Act::Change {
                    &[Act::Change, Act::Delete]
                } else {
                    &[act]
                };
                let mut found = self.on_things(acts, start, end);
                if found.is_empty() && act == Act::Delete {
                    found.extend(self.folder(end));
                }
                // To forbid reading, moving or removing, a sentence must name a path.
                let is_certain = |it: &Forbidden| {
                    act == Act::Change
                        || matches!(
                            it.on,
                            Object::Name(_)
                                | Object::Kind(Noun::Tests | Noun::Migrations | Noun::Lockfile)
                        )
                };
                let is_any = |it: &Forbidden| {
                    act == Act::Change && it.act == Act::Delete && it.on == Object::Any
                };
                let deletes = |it: &Forbidden| act == Act::Delete && it.on == Object::Any;
                found
                    .into_iter()
                    .filter(|it| (is_certain(it) || deletes(it)) && !is_any(it))
                    .collect()
            }
            _ => {
                let mut last = self.reason_start(end);
                if matches!(act, Act::Restart | Act::Stop) {
                    let reason = |at: &usize| BECAUSE.contains(&self.text(*at));
                    last = (end + 1..last).find(reason).unwrap_or(last);
                }
                if matches!(act, Act::Run | Act::Use)
                    && let Some(command) = self.command(end)
                    && (act == Act::Run
                        || command.split(' ').next().is_some_and(is_option_or_program))
                {
                    return vec![Forbidden {
                        act: Act::Run,
                        on: Object::Name(command),
                    }];
                }
                let is_lead =
                    (self.start..start).all(|at| self.is_filler(at) || self.is_object(at));
                // In "the db must not be restarted", the object comes first, so search the whole
                // clause.
                let from = if matches!(act, Act::Restart | Act::Stop) {
                    self.start
                } else {
                    start
                };
                let rest: Vec<usize> = (from..last)
                    .filter(|at| {
                        !self.has(*at, |it| matches!(it, Role::Act(_) | Role::Ban(Ban::Never)))
                    })
                    .collect();
                let strange: Vec<usize> = rest
                    .iter()
                    .copied()
                    .filter(|at| !self.is_filler(*at))
                    .collect();
                let names: Vec<usize> = (self.start..last)
                    .filter(|at| self.words.tokens[*at].is_name())
                    .collect();
                if !is_lead && !matches!(act, Act::Restart | Act::Stop) {
                    return Vec::new();
                }
                self.on_name(act, &strange, &names)
            }
        }
    }

    /// Returns the folder named in a sentence such as "do not delete the old backups".
    fn folder(&self, from: usize) -> Option<Forbidden> {
        let last = self.reason_start(from);
        let strange: Vec<usize> = (from..last).filter(|at| !self.is_filler(*at)).collect();
        let at = *strange.last().filter(|_| strange.len() <= 2)?;
        let name = self.text(at);
        let is_word = name.len() >= 4 && name.chars().all(|it| it.is_ascii_alphabetic());
        (is_word && at + 1 == last).then(|| Forbidden {
            act: Act::Delete,
            on: Object::Name(name.to_owned()),
        })
    }

    /// Returns the command of two or more words after a verb such as "run".
    fn command(&self, from: usize) -> Option<String> {
        let is_word = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_lowercase())
                && text
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '/' | ':'))
        };
        let first = (from..self.end).find(|at| !self.is_filler(*at))?;
        let words: Vec<&str> = (first..self.end)
            .take_while(|at| is_word(self.text(*at).trim_start_matches('-')))
            .take_while(|at| !self.is_filler(*at))
            .map(|at| self.text(at))
            .collect();
        let rest = (first + words.len()..self.reason_start(first)).all(|at| self.is_filler(at));
        let is_command = (2..=4).contains(&words.len()) && rest;
        is_command.then(|| words.join(" "))
    }

    fn on_name(&self, act: Act, strange: &[usize], names: &[usize]) -> Vec<Forbidden> {
        let one = |on: Object| vec![Forbidden { act, on }];
        let named = |at: usize| Object::Name(self.text(at).to_owned());
        let nouns: Vec<Noun> = self
            .spans()
            .filter_map(|it| match it.role {
                Role::Noun(noun) => Some(noun),
                _ => None,
            })
            .collect();
        match act {
            Act::Install | Act::Add => match strange {
                [] if nouns.contains(&Noun::Dependency) => one(Object::Kind(Noun::Dependency)),
                [] if act == Act::Install => one(Object::Any),
                [at] if act == Act::Install => one(named(*at)),
                _ => Vec::new(),
            },
            Act::Run => {
                let topics = self.spans().find_map(|it| match it.role {
                    Role::Thing(Topic::Test) | Role::Noun(Noun::Tests) => Some(Noun::Tests),
                    Role::Thing(Topic::Migrate) | Role::Noun(Noun::Migrations) => {
                        Some(Noun::Migrations)
                    }
                    _ => None,
                });
                let options: Vec<&usize> = strange
                    .iter()
                    .filter(|at| self.text(**at).starts_with("--"))
                    .collect();
                if let [at] = options.as_slice() {
                    return vec![Forbidden {
                        act: Act::Use,
                        on: named(**at),
                    }];
                }
                match (strange, topics) {
                    ([at], _) if self.words.tokens[*at].is_name() => one(named(*at)),
                    ([], Some(noun)) => one(Object::Kind(noun)),
                    _ => Vec::new(),
                }
            }
            Act::Drop if strange.iter().all(|at| TABLES.contains(&self.text(*at))) => {
                one(Object::Any)
            }
            Act::Use => match strange {
                [at] if is_option_or_program(self.text(*at)) || self.words.tokens[*at].is_code => {
                    one(named(*at))
                }
                _ => Vec::new(),
            },
            Act::Restart | Act::Stop => match (strange, self.start.checked_sub(2)) {
                ([at], _) => one(named(*at)),
                // In "the exporter, but do NOT restart it", the word before the comma is the name.
                ([], Some(at)) if !self.words.tokens[at].is_mark => one(named(at)),
                _ => Vec::new(),
            },
            _ => {
                let has_thing = nouns
                    .iter()
                    .any(|it| !matches!(it, Noun::Anything | Noun::Pronoun));
                match strange {
                    [] if names.is_empty() && !(has_thing && act != Act::Migrate) => {
                        one(Object::Any)
                    }
                    [at] if at.checked_sub(1).is_some_and(|it| {
                        TOWARDS.contains(&self.text(it))
                            || it > 0 && TOWARDS.contains(&self.text(it - 1))
                    }) =>
                    {
                        one(named(*at))
                    }
                    _ => Vec::new(),
                }
            }
        }
    }
}
