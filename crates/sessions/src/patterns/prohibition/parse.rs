//! Parses prohibitions from the user's sentences. Any unknown word rejects the sentence.

use super::{Forbidden, Object};
use crate::patterns::lexicon::{Act, Ban, Noun, Role, Span, Words};
use crate::prose::Sentence;

mod object;

/// Most words and marks of a prohibition.
const MAX_TOKENS: usize = 60;
/// Negations that can follow the negated word.
const BEHIND: &[&str] = &[
    "nicht", "nichts", "niemals", "nie", "pas", "rien", "jamais", "nix",
];
/// First words of a next sentence that makes an exception.
pub(super) const EXCEPTIONS: &[&str] = &[
    "unless",
    "except",
    "exception",
    "only",
    "außer",
    "ausnahme",
    "sauf",
    "salvo",
    "excepto",
    "tranne",
    "exceto",
    "除非",
    "除了",
];
/// Question tags that only ask for agreement.
const TAGS: &[&str] = &[
    "ok", "okay", "right", "please", "yes", "ja", "gell", "oui", "vale", "sí", "d'accord",
    "accord", "好吗", "va bene",
];
/// Conjunctions between two clauses.
const JOINS: &[&str] = &[
    "but", "aber", "mais", "pero", "但", "但是", "and", "und", "et", "y", "then", "sondern",
];
/// Words before a branch or a place.
const TOWARDS: &[&str] = &[
    "to", "into", "onto", "on", "auf", "nach", "in", "vers", "sur", "en", "a", "à", "到", "往",
    "向", "dans",
];
/// Words next to the name of a folder.
const FOLDERS: &[&str] = &[
    "folder",
    "directory",
    "dir",
    "ordner",
    "verzeichnis",
    "dossier",
    "répertoire",
    "carpeta",
    "directorio",
    "目录",
    "文件夹",
    "config",
    "configuration",
    "konfiguration",
    "configuración",
    "配置",
];
/// Such words that follow a program's name, not a folder's.
const CONFIGS: &[&str] = &[
    "config",
    "configuration",
    "konfiguration",
    "configuración",
    "配置",
];
/// Programs that a user may forbid by name.
const PROGRAMS: &[&str] = &[
    "sudo", "npm", "yarn", "pnpm", "pip", "docker", "sed", "perl", "curl", "wget", "bun", "make",
    "poetry", "conda",
];
/// Words that occur with "leave … alone" and similar phrases.
const STAYING: &[&str] = &[
    "leave",
    "keep",
    "is",
    "are",
    "stays",
    "stay",
    "must",
    "remain",
    "remains",
    "should",
    "lass",
    "lasst",
    "bleibt",
    "bleiben",
    "laisse",
    "laissez",
    "deja",
    "dejad",
    "reste",
    "let",
    "sind",
    "ist",
    "von",
    "vom",
    "der",
    "die",
    "das",
    "bitte",
    "请",
    "把",
    "let",
    "doit",
    "debe",
    "strictly",
    "completely",
    "totally",
    "off",
    "from",
    "of",
    "you",
    "to",
];

/// Returns the quoted parts of a message that are longer than a name.
pub(super) fn quoted(prompt: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in prompt.char_indices() {
        match (c, open) {
            ('"' | '“' | '„' | '«', None) => open = Some(at),
            ('"' | '”' | '“' | '»', Some(start)) => {
                if prompt[start..at].split_whitespace().count() > 3 {
                    found.push((start, at));
                }
                open = None;
            }
            _ => {}
        }
    }
    found
}

/// Returns whether a sentence is in quotation marks or on a line that begins with `>`.
pub(super) fn is_quoted(prompt: &str, sentence: &Sentence<'_>, quoted: &[(usize, usize)]) -> bool {
    let (start, end) = (sentence.start, sentence.start + sentence.text.len());
    let line = prompt[..start].rfind('\n').map_or(0, |at| at + 1);
    let is_marked = prompt[line..start].trim_start().starts_with('>');
    is_marked || quoted.iter().any(|(from, to)| start < *to && *from < end)
}

/// Returns whether a question only asks for agreement, as in "no commits, ok?"
pub(super) fn is_tag_question(words: &Words) -> bool {
    let mut last = words.tokens.iter().rev().filter(|it| !it.is_mark);
    last.next()
        .is_some_and(|it| TAGS.contains(&it.text.as_str()))
}

/// Returns the forbidden actions, and whether they end with the user's next message.
pub(super) fn forbidden(words: &Words, before: Option<&Words>) -> Option<(Vec<Forbidden>, bool)> {
    let never = words.all(Role::Ban(Ban::Never)).map(|it| it.start).min();
    let is_quoting = words
        .all(Role::Ban(Ban::Quoting))
        .any(|it| never.is_none_or(|never| it.start < never));
    if words.tokens.len() > MAX_TOKENS || is_quoting {
        return None;
    }
    let temporary: Vec<&Span> = words.all(Role::Ban(Ban::Temporary)).collect();
    let is_conditional = words.all(Role::Ban(Ban::Condition)).any(|it| {
        !temporary
            .iter()
            .any(|over| over.start <= it.start && it.end <= over.end)
    });
    if is_conditional {
        return None;
    }
    let mut found: Vec<Forbidden> = Vec::new();
    let mut last_acts: Vec<Act> = Vec::new();
    for (start, end, is_list) in clauses(words) {
        let clause = Clause {
            words,
            start,
            end,
            before,
        };
        let new = clause.forbidden();
        if !new.is_empty() {
            last_acts = new.iter().map(|it| it.act).collect();
            found.extend(new);
        } else if is_list && !last_acts.is_empty() {
            // In "src/a and src/b", the second clause has no act of its own, so use the last ones.
            let names = clause.only_names();
            found.extend(names.into_iter().flat_map(|name| {
                last_acts.iter().map(move |act| Forbidden {
                    act: *act,
                    on: Object::Name(name.clone()),
                })
            }));
        } else {
            last_acts.clear();
        }
    }
    let is_broad = |it: &Forbidden| it.act == Act::Change && matches!(it.on, Object::Any);
    let is_temporary = !temporary.is_empty() || found.iter().any(is_broad);
    (!found.is_empty()).then_some((found, is_temporary))
}

/// Returns the start and end of each clause, and whether it continues a list.
fn clauses(words: &Words) -> Vec<(usize, usize, bool)> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut is_list = false;
    for (at, token) in words.tokens.iter().enumerate() {
        let is_join = JOINS.contains(&token.text.as_str()) && !token.is_code;
        if token.is_mark || is_join {
            if start < at {
                found.push((start, at, is_list));
            }
            is_list = matches!(token.text.as_str(), "," | "and" | "und" | "et" | "y" | "，");
            start = at + 1;
        }
    }
    if start < words.tokens.len() {
        found.push((start, words.tokens.len(), is_list));
    }
    found
}

struct Clause<'w> {
    words: &'w Words,
    start: usize,
    end: usize,
    before: Option<&'w Words>,
}

impl Clause<'_> {
    fn spans(&self) -> impl Iterator<Item = &Span> {
        self.words
            .spans
            .iter()
            .filter(|it| self.start <= it.start && it.end <= self.end)
    }

    fn has(&self, at: usize, is: impl Fn(Role) -> bool) -> bool {
        self.spans()
            .any(|it| it.start <= at && at < it.end && is(it.role))
    }

    fn text(&self, at: usize) -> &str {
        &self.words.tokens[at].text
    }

    /// Returns its paths and identifiers, and folder names recognized by the adjacent word.
    fn names(&self) -> Vec<(usize, String)> {
        let is_folder = |at: Option<usize>| {
            at.is_some_and(|at| {
                (self.start..self.end).contains(&at) && FOLDERS.contains(&self.text(at))
            })
        };
        (self.start..self.end)
            .filter(|at| {
                let token = &self.words.tokens[*at];
                let is_known = self.has(*at, |it| matches!(it, Role::Ban(_) | Role::Act(_)));
                let is_owner = is_folder(Some(*at + 2))
                    && (self.start..self.end).contains(&(*at + 1))
                    && self.text(*at + 1) == "的";
                let is_folder = is_folder(Some(*at + 1))
                    || is_owner
                    || is_folder(at.checked_sub(1)) && !is_folder(Some(*at));
                token.is_name() || is_folder && !is_known
            })
            .map(|at| (at, self.words.tokens[at].text.clone()))
            .collect()
    }

    /// Returns the names, if the clause contains nothing else.
    fn only_names(&self) -> Vec<String> {
        let names = self.names();
        let is_plain = (self.start..self.end)
            .all(|at| names.iter().any(|it| it.0 == at) || self.is_filler(at));
        if is_plain {
            names.into_iter().map(|it| it.1).collect()
        } else {
            Vec::new()
        }
    }

    fn is_filler(&self, at: usize) -> bool {
        self.has(at, |it| {
            matches!(
                it,
                Role::Ban(Ban::Filler | Ban::Lead | Ban::Or | Ban::Temporary | Ban::Never)
                    | Role::Noun(_)
            )
        })
    }

    /// Returns the acts, the longest of overlapping ones.
    fn acts(&self) -> Vec<Span> {
        let all: Vec<Span> = self
            .spans()
            .filter(|it| matches!(it.role, Role::Act(_)))
            .copied()
            .collect();
        let is_longest = |it: &&Span| {
            !all.iter().any(|other| {
                other.start <= it.start
                    && it.end <= other.end
                    && other.end - other.start > it.end - it.start
            })
        };
        all.iter().filter(is_longest).copied().collect()
    }

    fn forbidden(&self) -> Vec<Forbidden> {
        if let Some(found) = self.parse_leave_alone() {
            return found;
        }
        let nevers: Vec<Span> = self
            .spans()
            .filter(|it| it.role == Role::Ban(Ban::Never))
            .copied()
            .collect();
        let Some(never) = nevers
            .iter()
            .min_by_key(|it| (it.start, std::cmp::Reverse(it.end)))
        else {
            return Vec::new();
        };
        let acts = self.acts();
        let behind: Vec<&Span> = acts.iter().filter(|it| it.start >= never.end).collect();
        let ahead: Vec<&Span> = acts.iter().filter(|it| it.end <= never.start).collect();
        let can_be_behind = BEHIND.contains(&self.text(never.end - 1));
        let acts = match (behind.first(), can_be_behind) {
            (Some(first), _) if self.is_directly_negated(never.end, first.start) => {
                self.acts_in_list(&behind)
            }
            (None, true) => ahead.last().map(|it| vec![**it]).unwrap_or_default(),
            _ => Vec::new(),
        };
        if acts.is_empty() {
            return self.parse_without_verb(never);
        }
        let start = acts
            .iter()
            .map(|it| it.start)
            .min()
            .unwrap_or(never.start)
            .min(never.start);
        let end = acts
            .iter()
            .map(|it| it.end)
            .max()
            .unwrap_or(never.end)
            .max(never.end);
        let mut found: Vec<Forbidden> = Vec::new();
        for span in &acts {
            if let Role::Act(act) = span.role {
                found.extend(self.on(act, start, end));
            }
        }
        found
    }

    /// Returns whether only fillers and objects are between a negation and its act.
    fn is_directly_negated(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| {
            let is_target = at
                .checked_sub(1)
                .is_some_and(|it| it >= from && TOWARDS.contains(&self.text(it)));
            self.is_filler(at)
                || self.is_object(at)
                || is_target
                || TOWARDS.contains(&self.text(at))
                || is_option_or_program(self.text(at))
        })
    }

    /// Returns the acts of a list such as "commit or push".
    fn acts_in_list(&self, acts: &[&Span]) -> Vec<Span> {
        let mut found: Vec<Span> = Vec::new();
        for act in acts {
            let is_next = found.last().is_none_or(|last| {
                act.start == last.start && act.end == last.end
                    || last.end < act.start
                        && (last.end..act.start).all(|at| self.is_filler(at))
                        && (last.end..act.start)
                            .any(|at| self.has(at, |it| it == Role::Ban(Ban::Or)))
            });
            if is_next {
                found.push(**act);
            }
        }
        found
    }

    fn is_object(&self, at: usize) -> bool {
        self.words.tokens[at].is_name()
            || self.has(at, |it| matches!(it, Role::Noun(_)))
            || self.names().iter().any(|it| it.0 == at)
    }

    /// Parses a prohibition without a verb: "no new dependencies", "without --force", "not npm".
    fn parse_without_verb(&self, never: &Span) -> Vec<Forbidden> {
        let rest: Vec<usize> = (never.end..self.end).collect();
        let is_dependency = |at: &usize| self.has(*at, |it| it == Role::Noun(Noun::Dependency));
        let lead = (self.start..never.start).all(|at| self.is_filler(at));
        if rest.iter().any(is_dependency) && lead {
            let before = rest.iter().take_while(|it| !is_dependency(it));
            let after = rest
                .iter()
                .skip_while(|it| !is_dependency(it))
                .take_while(|at| !self.has(**at, |it| it == Role::Ban(Ban::Reason)));
            if before.chain(after).all(|at| self.is_filler(*at)) {
                return vec![Forbidden {
                    act: Act::Add,
                    on: Object::Kind(Noun::Dependency),
                }];
            }
        }
        let tools: Vec<String> = rest
            .iter()
            .map(|at| self.text(*at).to_owned())
            .filter(|it| is_option_or_program(it))
            .collect();
        let is_only = rest
            .iter()
            .all(|at| is_option_or_program(self.text(*at)) || self.is_filler(*at));
        match tools.as_slice() {
            [tool] if is_only => vec![Forbidden {
                act: Act::Use,
                on: Object::Name(tool.clone()),
            }],
            _ => Vec::new(),
        }
    }
}

/// Returns whether a word is an option or a program that can be forbidden by name.
fn is_option_or_program(word: &str) -> bool {
    word.starts_with("--") && word.len() > 3 || PROGRAMS.contains(&word)
}
