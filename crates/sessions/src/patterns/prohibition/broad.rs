//! Finds prohibitions by class of action, from word stems in a sentence and command patterns.
//! Understands less of a sentence than `parse`, so a call must contain the objects that the
//! sentence names.

use std::sync::LazyLock;

use regex::Regex;

use super::Object;
use super::breach::matches_path;
use crate::patterns::act::{command, file_name, paths, simple_commands};
use crate::patterns::lexicon::{Ban, Noun, Role, Words};
use crate::{ToolCall, ToolKind};

mod table;
mod words;

use table::{CLASSES, Class};
use words::{
    BEFORE_NOT, ENVIRONMENTS, FORBIDDEN, GENERIC, KINDS, LEFT, LISTS, LOCAL, LOOKS, MARKERS,
    MODALS, NARROWING, STATES, SUBJECTS, THERE, WANTING,
};

/// Most words between a negation and its act.
const MAX_GAP: usize = 6;

/// A prohibition of a class of actions.
#[derive(Clone, Debug)]
pub(super) struct Broad {
    class: &'static Class,
    /// Paths and other code names, one of which must be in the call.
    names: Vec<String>,
    /// The environments or branches to which it is limited.
    places: Vec<&'static str>,
    /// Other words of the clause that may name the object.
    objects: Vec<String>,
    /// Patterns of kinds of things, as they appear in a command.
    kinds: Vec<&'static str>,
    /// Kinds of files.
    nouns: Vec<Noun>,
}

/// Returns the prohibitions in a sentence, by class.
pub(super) fn find_broad_prohibitions(words: &Words) -> Vec<Broad> {
    let has = |ban| words.bans(ban);
    let is_excepted = words
        .tokens
        .iter()
        .any(|it| super::parse::EXCEPTIONS.contains(&it.text.as_str()) && it.text != "only");
    if is_excepted || has(Ban::Quoting) || words.tokens.len() > 60 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let all = clauses(words);
    let begins_with_condition = |at: usize| {
        let first = all.get(at).map(|it| it.0);
        first.is_some_and(|first| words.is_at(first, is_condition))
    };
    for (number, &(start, end)) in all.iter().enumerate() {
        let is_conditional = number.checked_sub(1).is_some_and(begins_with_condition)
            || begins_with_condition(number + 1);
        if is_conditional {
            continue;
        }
        let texts: Vec<&str> = (start..end)
            .map(|at| words.tokens[at].text.as_str())
            .collect();
        let narrows = |it: &&str| NARROWING.contains(it);
        if texts.iter().any(narrows) || words.has_within((start, end), is_condition) {
            continue;
        }
        let stays = words
            .spans
            .iter()
            .any(|it| it.role == Role::Ban(Ban::Stays) && start <= it.start && it.end <= end);
        let left: Option<&str> = LEFT
            .iter()
            .find(|(said, _)| texts.contains(said))
            .map(|(_, is)| *is);
        let Some((from, to)) = find_negation(words, start, end)
            .or_else(|| (stays || left.is_some()).then_some((start, start)))
        else {
            continue;
        };
        if !stays && left.is_none() && !is_order(&texts, from - start) {
            continue;
        }
        let acts = CLASSES.iter().filter_map(|class| {
            let is_act = |at: &usize| {
                let text = words.tokens[*at].text.as_str();
                let whole: String = match text.is_ascii() {
                    true => text.to_owned(),
                    // Scripts without spaces may be split inside a word, so also try up to four
                    // tokens joined.
                    false => words.tokens[*at..end]
                        .iter()
                        .take(4)
                        .map(|it| it.text.as_str())
                        .collect(),
                };
                has_stem(text, class.stems) || has_stem(&whole, class.stems)
            };
            let behind = (to..end.min(to + MAX_GAP)).find(is_act);
            let at = behind.or_else(|| {
                (start..from)
                    .rev()
                    .find(is_act)
                    .filter(|_| may_negate_after_act(&texts))
            })?;
            Some((class, at))
        });
        let implied = CLASSES.iter().filter_map(|class| {
            let is_implied =
                stays && matches!(class.name, "change" | "place") || left == Some(class.name);
            is_implied.then_some((class, start))
        });
        let acts: Vec<(&'static Class, usize)> = acts.chain(implied).collect();
        let has_class = |name: &str| acts.iter().any(|(class, _)| class.name == name);
        let is_forced = has_class("force");
        // In "commit or push", neither act is the object of the other, so exclude the stems of
        // both.
        let is_list = texts.iter().any(|it| LISTS.contains(it));
        let stems = |of: &'static Class| -> Vec<&'static str> {
            let all = acts
                .iter()
                .filter(|(class, _)| is_list || class.name == of.name);
            all.flat_map(|(class, _)| class.stems.iter().copied())
                .collect()
        };
        for (class, _) in acts
            .iter()
            .filter(|(class, _)| !(is_forced && class.name == "push"))
        {
            let names: Vec<String> = (start..end)
                .map(|at| &words.tokens[at])
                .filter(|it| it.is_name())
                .map(|it| it.text.clone())
                .collect();
            let mut places: Vec<&'static str> = ENVIRONMENTS
                .iter()
                .filter(|(said, _)| texts.contains(said))
                .map(|(_, is)| *is)
                .collect();
            if places.is_empty() && texts.iter().any(|it| THERE.contains(it)) {
                places = self::places(words);
            }
            let kinds: Vec<&'static str> = KINDS
                .iter()
                .filter(|_| matches!(class.name, "delete" | "change"))
                .filter(|(stems, _)| texts.iter().any(|it| has_stem(it, stems)))
                .map(|(_, is)| *is)
                .collect();
            let objects: Vec<String> = (start..end)
                .filter(|_| !class.is_plain())
                .filter(|at| !(from..to).contains(at))
                .filter(|at| {
                    let text = words.tokens[*at].text.as_str();
                    let is_filler = words.is_at(*at, |it| {
                        matches!(
                            it,
                            Role::Ban(
                                Ban::Filler
                                    | Ban::Lead
                                    | Ban::Temporary
                                    | Ban::Or
                                    | Ban::Reason
                                    | Ban::Never
                            )
                        )
                    });
                    text.chars().count() >= 3
                        && !is_filler
                        && !GENERIC.contains(&text)
                        && !LEFT.iter().any(|(said, _)| *said == text)
                        && !stems(class).iter().any(|stem| has_stem(text, &[*stem]))
                        && !words.tokens[*at].is_name()
                })
                .map(|at| words.tokens[at].text.clone())
                .collect();
            let nouns: Vec<Noun> = words
                .spans
                .iter()
                .filter(|it| start <= it.start && it.end <= end)
                .filter_map(|it| match it.role {
                    Role::Noun(Noun::Anything | Noun::Pronoun | Noun::Dependency) => None,
                    Role::Noun(noun) => Some(noun),
                    _ => None,
                })
                .collect();
            // In "the API in src/a", the API is only a part of that file, so the rule is too
            // narrow.
            let is_part = (start + 1..end).any(|at| {
                let before = words.tokens[at - 1].text.as_str();
                words.tokens[at].is_name()
                    && matches!(
                        before,
                        "in" | "dans" | "en" | "em" | "of" | "von" | "de" | "from"
                    )
            });
            if is_part
                && !objects.is_empty()
                && matches!(class.name, "change" | "delete" | "rename")
            {
                continue;
            }
            let has_object = class.name == "change" && !nouns.is_empty()
                || !names.is_empty()
                || !objects.is_empty()
                || !kinds.is_empty();
            let is_certain = match class.name {
                "place" => places.contains(&"prod"),
                "read" => !names.is_empty(),
                _ => class.is_whole || has_object,
            };
            if is_certain {
                found.push(Broad {
                    class,
                    names,
                    places,
                    objects,
                    kinds,
                    nouns,
                });
            }
        }
    }
    found
}

/// Returns the places that a sentence names.
pub(super) fn places(words: &Words) -> Vec<&'static str> {
    let has = |said: &str| words.tokens.iter().any(|it| it.text == said);
    let named = ENVIRONMENTS.iter().filter(|(said, _)| has(said));
    named.map(|(_, is)| *is).collect()
}

fn is_condition(role: Role) -> bool {
    role == Role::Ban(Ban::Condition)
}

fn has_stem(text: &str, stems: &[&str]) -> bool {
    stems.iter().any(|stem| match stem.strip_suffix('$') {
        Some(whole) => text == whole,
        None => text.starts_with(stem),
    })
}

/// Returns whether the negation may follow the act, as in German and scripts without spaces.
fn may_negate_after_act(texts: &[&str]) -> bool {
    texts.iter().any(|it| {
        matches!(
            *it,
            "nicht"
                | "nie"
                | "niemals"
                | "nichts"
                | "verboten"
                | "tabu"
                | "forbidden"
                | "prohibido"
                | "interdit"
                | "proibido"
                | "vietato"
                | "禁止"
                | "别"
                | "不要"
                | "away"
                | "kein"
                | "keine"
                | "keinen"
        )
    })
}

/// Returns the start and end of each clause: clauses end at punctuation and at words such as "but".
fn clauses(words: &Words) -> Vec<(usize, usize)> {
    let is_turn = |at: usize| {
        let token = &words.tokens[at];
        token.is_mark
            || matches!(
                token.text.as_str(),
                "but"
                    | "aber"
                    | "sondern"
                    | "mais"
                    | "pero"
                    | "sino"
                    | "ma"
                    | "mas"
                    | "但"
                    | "但是"
                    | "instead"
                    | "because"
                    | "so"
                    | "weil"
                    | "car"
                    | "porque"
                    | "perché"
                    | "since"
            )
    };
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..=words.tokens.len() {
        if at == words.tokens.len() || is_turn(at) {
            if start < at {
                found.push((start, at));
            }
            start = at + 1;
        }
    }
    found
}

/// Returns whether a clause says what a thing must do, instead of addressing the reader.
fn is_about_thing(texts: &[&str], at: usize) -> bool {
    let is_modal = |it: &&&str| MODALS.contains(*it);
    let modal = texts[..(at + 2).min(texts.len())]
        .iter()
        .rposition(|it| MODALS.contains(it));
    let addressed = ["you", "du", "ihr", "tu", "vous", "sie"];
    let is_passive = texts
        .iter()
        .any(|it| matches!(*it, "be" | "werden" | "être" | "ser" | "essere"));
    let has_subject = modal
        .is_some_and(|modal| modal > 0 && !texts[..modal].iter().any(|it| addressed.contains(it)));
    let is_bare = texts.get(at) == Some(&"not")
        && at > 0
        && !BEFORE_NOT.contains(&texts[at - 1])
        && texts[..at].iter().filter(is_modal).count() == 0;
    has_subject && !is_passive || is_bare
}

/// Returns the start and end of the words that forbid.
fn find_negation(words: &Words, start: usize, end: usize) -> Option<(usize, usize)> {
    let spans = words.spans.iter().filter(|it| {
        matches!(it.role, Role::Ban(Ban::Never)) && start <= it.start && it.end <= end
    });
    let spans = spans.map(|it| (it.start, it.end));
    let marked = (start..end)
        .filter(|at| MARKERS.contains(&words.tokens[*at].text.as_str()))
        .map(|at| (at, at + 1));
    spans
        .chain(marked)
        .min_by_key(|it| (it.0, std::cmp::Reverse(it.1)))
}

/// Returns whether the clause forbids an act, instead of denying a fact.
fn is_order(texts: &[&str], at: usize) -> bool {
    let before = &texts[..at];
    let wants = texts.iter().any(|it| WANTING.contains(it));
    let near = &before[before.len().saturating_sub(3)..];
    let near = if may_negate_after_act(texts) {
        texts
    } else {
        near
    };
    let is_told = !near.iter().any(|it| SUBJECTS.contains(it)) || wants;
    let is_said = before.last().is_some_and(|it| {
        matches!(
            *it,
            "is" | "are"
                | "was"
                | "were"
                | "has"
                | "have"
                | "did"
                | "does"
                | "there's"
                | "there"
                | "had"
                | "ist"
                | "wird"
                | "wurde"
                | "hat"
                | "kann"
                | "es"
                | "hay"
                | "há"
        )
    });
    // "Write that nobody may push" asks for a text and forbids nothing.
    if before
        .iter()
        .any(|it| matches!(*it, "that" | "dass" | "daß" | "que" | "che"))
    {
        return false;
    }
    let is_barred = texts.iter().any(|it| FORBIDDEN.contains(it));
    // "Nothing is pushed" states a fact; "nothing is to be pushed" gives an order.
    let is_state = texts.get(at + 1).is_some_and(|it| STATES.contains(it))
        && !texts
            .get(at + 2)
            .is_some_and(|it| matches!(*it, "to" | "allowed"));
    is_told && !is_about_thing(texts, at) && (!is_said && !is_state || is_barred)
}

/// Returns whether the rule protects a path, which its own sentence also names.
pub(super) fn protects_path(rule: &Broad) -> bool {
    rule.class.name == "place"
}

/// Returns whether a sentence mentions the rule's object or act in a clause that forbids nothing.
pub(super) fn is_mentioned_in(rule: &Broad, words: &Words) -> bool {
    clauses(words).into_iter().any(|(start, end)| {
        let tokens = &words.tokens[start..end];
        let has_name = || {
            let names = || rule.names.iter().map(|it| file_name(it));
            tokens
                .iter()
                .any(|it| names().any(|name| it.text.contains(name)))
        };
        let has_place = || {
            let said = ENVIRONMENTS
                .iter()
                .filter(|(_, is)| rule.places.contains(is));
            said.into_iter()
                .any(|(said, _)| tokens.iter().any(|it| it.text == *said))
        };
        let has_object = || {
            let is_object = |text: &str| rule.objects.iter().any(|it| it == text);
            let has_kind = KINDS.iter().any(|(stems, is)| {
                rule.kinds.contains(is) && tokens.iter().any(|it| has_stem(&it.text, stems))
            });
            let has_noun = rule
                .nouns
                .iter()
                .any(|it| words.has_within((start, end), |role| role == Role::Noun(*it)));
            has_kind || has_noun || tokens.iter().any(|it| is_object(&it.text))
        };
        let acts = || tokens.iter().any(|it| has_stem(&it.text, rule.class.stems));
        let is_meant = match rule.class.name {
            "place" => has_place(),
            "change" if !rule.names.is_empty() => has_name(),
            _ if rule.class.is_whole => acts(),
            _ => acts() && (has_object() || has_name()) || has_name(),
        };
        let stays = || words.has_within((start, end), |it| it == Role::Ban(Ban::Stays));
        is_meant && find_negation(words, start, end).is_none() && !stays()
    })
}

/// Returns the words of a call that break the rule.
pub(super) fn find_breach(
    rule: &Broad,
    call: &ToolCall,
    branch: Option<&str>,
    known: impl Fn(&str) -> bool,
) -> Option<String> {
    if call.kind == ToolKind::Edit {
        let content = call.arguments.get("content").is_some()
            || crate::patterns::all_strings(&call.arguments)
                .any(|it| it.contains("*** Add File: "));
        let path = paths(call).into_iter().next()?;
        let is_meant = |path: &String| {
            let is_named = rule
                .names
                .iter()
                .any(|it| matches_path(&Object::Name(it.clone()), path));
            is_named
                || rule.names.is_empty()
                    && rule
                        .nouns
                        .iter()
                        .any(|it| matches_path(&Object::Kind(*it), path))
        };
        let is_changed = rule.class.name == "change" && !content;
        if let Some(path) = paths(call)
            .into_iter()
            .find(|it| is_changed && is_meant(it))
        {
            return Some(path);
        }
        let is_new = rule.class.name == "create" && content && !known(&path);
        return (is_new && rule.names.is_empty()).then_some(path);
    }
    if call.kind == ToolKind::Read {
        let mut all = paths(call).into_iter();
        return all.find(|path| {
            rule.class.name == "read"
                && rule
                    .names
                    .iter()
                    .any(|it| matches_path(&Object::Name(it.clone()), path))
        });
    }
    let line = command(call)?;
    let whole = line.to_lowercase();
    let is_trial = |it: &str| {
        it.contains("dry-run")
            || it.contains("--help")
            || it.contains("--check")
            || it.contains("--abort")
    };
    let regex = PATTERNS
        .iter()
        .find(|(name, _)| *name == rule.class.name)
        .and_then(|it| it.1.as_ref())?;
    let is_one = simple_commands(&line).into_iter().any(|words| {
        let text = words.join(" ");
        let small = text.to_lowercase();
        let first = words.first().map(|it| file_name(it)).unwrap_or_default();
        if is_trial(&small)
            || matches!(first, "echo" | "printf" | "grep" | "rg")
            || !regex.is_match(&text)
        {
            return false;
        }
        let has = |it: &str| small.contains(it);
        let in_line = |it: &str| whole.contains(it);
        // Queries also name such places but change nothing, so skip them.
        if rule.class.name == "place" {
            return rule.places.iter().any(|it| names_place(&whole, it))
                && !text
                    .split_whitespace()
                    .any(|it| LOOKS.contains(&it.to_lowercase().as_str()));
        }
        if matches!(rule.class.name, "network" | "send") && LOCAL.iter().any(|it| has(it)) {
            return false;
        }
        let place = rule.places.is_empty()
            || rule
                .places
                .iter()
                .any(|it| has(it) || branch.is_some_and(|of| of.contains(it)));
        let is_redirect =
            rule.class.name == "change" && CHANGES.as_ref().is_none_or(|it| !it.is_match(&text));
        if is_redirect {
            let mut pairs = words.iter().zip(words.iter().skip(1));
            return pairs.any(|(to, file)| {
                to == ">"
                    && rule
                        .names
                        .iter()
                        .any(|it| matches_path(&Object::Name(it.clone()), file))
            });
        }
        let name = rule.names.is_empty()
            || rule.names.iter().any(|it| {
                in_line(
                    it.trim_end_matches('/')
                        .trim_start_matches("./")
                        .trim_start_matches('*'),
                )
            });
        let is_stem = |it: &String| {
            let stem: String = it
                .chars()
                .take(6.max(it.chars().count().saturating_sub(2)))
                .collect();
            has(&stem)
        };
        let kind = KIND_PATTERNS.iter().any(|(of, it)| {
            rule.kinds.contains(of) && it.as_ref().is_some_and(|it| it.is_match(&text))
        });
        let object = kind
            || !rule.names.is_empty()
            || words.iter().any(|it| {
                rule.nouns
                    .iter()
                    .any(|of| matches_path(&Object::Kind(*of), it))
            })
            || rule.class.is_whole && rule.kinds.is_empty() && rule.objects.is_empty()
            || rule.objects.iter().any(is_stem);
        place && name && object
    });
    is_one.then_some(line)
}

/// Commands that change the files or tables given to them.
static CHANGES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?:^|\s)(?:sed|perl|tee|rm|mv|git)\s|(?i:update \w+ set|alter table|insert into|delete from|truncate|drop table)").ok()
});

/// Returns whether a line names a place as a word or as the beginning of a word.
fn names_place(line: &str, place: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric()).any(|it| {
        it.starts_with(place) && !it.starts_with("produc")
            || it.starts_with("produc") && it.len() >= 9
    })
}

static PATTERNS: LazyLock<Vec<(&'static str, Option<Regex>)>> = LazyLock::new(|| {
    CLASSES
        .iter()
        .map(|it| (it.name, Regex::new(it.pattern).ok()))
        .collect()
});

static KIND_PATTERNS: LazyLock<Vec<(&'static str, Option<Regex>)>> = LazyLock::new(|| {
    KINDS
        .iter()
        .map(|(_, is)| (*is, Regex::new(is).ok()))
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_a_class_and_a_kind_is_a_regex() {
        for (name, pattern) in PATTERNS.iter().chain(KIND_PATTERNS.iter()) {
            assert!(pattern.is_some(), "{name}");
        }
    }
}
