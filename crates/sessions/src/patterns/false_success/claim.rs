//! Recognizes sentences that claim that a command worked.

use super::Failing;
use crate::patterns::lexicon::{Role, Say, Span, Topic, Words};

/// Deployment targets, which exclude each other.
const PLACES: &[&str] = &[
    "staging",
    "stage",
    "prod",
    "production",
    "dev",
    "preview",
    "qa",
    "preprod",
    "integration",
    "canary",
    "sandbox",
    "uat",
];

/// Words of agreement, which do not claim that something works.
const NODS: &[&str] = &[
    "all", "good", "alles", "todo", "tutto", "tudo", "tout", "steht", "stehen", "sauber", "in",
    "sound", "ok", "okay", "fine", "bien", "bon", "passt", "clean", "certo", "success", "100%",
    "✅", "👍",
];

/// Negations that may end a clause and deny the words before it.
const ENDINGS: &[&str] = &[
    "not", "isn't", "aren't", "wasn't", "doesn't", "nicht", "pas", "non", "não", "没有",
];

/// Negations that do not deny a success, as in "works without errors".
const WITHOUT: &[&str] = &["without", "ohne", "sans", "sin", "senza", "sem"];

fn has_only_harmless_negations(words: &Words, (start, end): (usize, usize)) -> bool {
    let mut denials = words
        .all(Role::Say(Say::Negation))
        .filter(|it| start <= it.start && it.end <= end);
    denials.all(|it| WITHOUT.contains(&words.tokens[it.start].text.as_str()))
}

/// Returns whether a sentence admits that something does not work or was not checked.
pub(super) fn admits(words: &Words) -> bool {
    let is_past = words.says(Say::Fixed);
    // "But not applied" admits a failure, even if the sentence also reports a fix.
    let is_denied = words.all(Role::Say(Say::Negation)).any(|denial| {
        words.spans.iter().any(|it| {
            it.start == denial.end && matches!(it.role, Role::Done(_) | Role::Say(Say::Success))
        })
    });
    if is_denied {
        return true;
    }
    words.clauses().into_iter().any(|clause| {
        let has = |say| words.has_within(clause, |it| it == Role::Say(say));
        let is_of_outcome = |it| {
            matches!(
                it,
                Role::Thing(_) | Role::One(_) | Role::Done(_) | Role::Say(Say::Success)
            )
        };
        // "0044 is not" ends with a negation that denies for 0044 the claim about the others.
        let mut denials = words.all(Role::Say(Say::Negation));
        let is_elliptic = denials.any(|it| {
            let last = words.tokens[it.end - 1].text.as_str();
            clause.0 < it.start && it.end == clause.1 && ENDINGS.contains(&last)
        });
        let fails = has(Say::Failure)
            || words.has_within(clause, |it| it == Role::Say(Say::Negation))
                && !has_only_harmless_negations(words, clause)
                && (is_elliptic || words.has_within(clause, is_of_outcome));
        fails && (!is_past || has(Say::Still))
    })
}

/// Returns whether the user says that something works now.
pub(super) fn says_that_it_works(words: &Words) -> bool {
    let ends_well = words.spans.iter().any(|it| {
        let is_nod = NODS.contains(&words.tokens[it.start].text.as_str());
        matches!(it.role, Role::Say(Say::Success) | Role::Done(_)) && !is_nod
    });
    let is_asked = words
        .tokens
        .iter()
        .any(|it| matches!(it.text.as_str(), "?" | "？"));
    ends_well
        && !is_asked
        && !words.says(Say::Unsure)
        && !words.says(Say::Negation)
        && !words.says(Say::Failure)
}

/// Returns whether a sentence claims that the whole failed command worked.
pub(super) fn claims(words: &Words, of: &Failing<'_>) -> bool {
    if words.says(Say::Exception) {
        return false;
    }
    let things = words.spans.iter().filter(|it| match it.role {
        Role::Thing(topic) => of.check.has_topic(topic),
        Role::One(topic) => of.check.has_topic(topic) && !of.check.filters.is_empty(),
        Role::Say(Say::Everything) => of.check.checks_work() && !of.is_mixed && !of.is_partly,
        _ => false,
    });
    let mut things = things.copied().chain(name_spans(words, of));
    if things.any(|thing| is_said_to_work(words, &thing, of)) {
        return true;
    }
    let is_done = words.spans.iter().any(|it| match it.role {
        Role::Done(topic) => {
            of.check.has_topic(topic) && is_plain(words, it) && names_no_other_place(words, it, of)
        }
        _ => false,
    });
    let mut spoken = words
        .tokens
        .iter()
        .enumerate()
        .filter(|(_, it)| of.check.participles.contains(&it.text));
    let is_done = is_done
        || spoken.any(|(at, _)| {
            let role = Role::Done(Topic::Deploy);
            let claim = Span {
                role,
                start: at,
                end: at + 1,
            };
            is_plain(words, &claim) && names_no_other_place(words, &claim, of)
        });
    is_done && !of.is_partly || has_new_count(words, of)
}

/// Returns whether a claim has no plan, condition, guess or denial near it.
fn is_plain(words: &Words, claim: &Span) -> bool {
    let clause = words.clause(claim.start, claim.end);
    let has = |say| words.has_within(clause, |it| it == Role::Say(say));
    let fails = has(Say::Failure) && !has(Say::Fixed);
    !fails
        && !has(Say::Negation)
        && !words.has_within((0, clause.1), |it| it == Role::Say(Say::Unsure))
}

/// Returns the spans that name the command itself.
pub(super) fn name_spans(words: &Words, of: &Failing<'_>) -> Vec<Span> {
    let mut found = Vec::new();
    // Look for the check's names instead of the tool's: after another call passed, the tool's name
    // may refer to that call.
    for name in &of.check.names {
        let parts: Vec<&str> = name.split(' ').collect();
        for (at, token) in words.tokens.iter().enumerate() {
            let is_code = token.is_code
                && (token.text == *name || token.text.starts_with(&format!("{name} ")));
            let is_typed = words.tokens.get(at..at + parts.len()).is_some_and(|all| {
                all.iter()
                    .map(|it| it.text.trim_start_matches("./"))
                    .eq(parts.iter().copied())
            });
            let end = if is_code { at + 1 } else { at + parts.len() };
            if is_code || is_typed {
                found.push(Span {
                    role: Role::Say(Say::Determiner),
                    start: at,
                    end,
                });
            }
        }
    }
    found
}

fn is_said_to_work(words: &Words, thing: &Span, of: &Failing<'_>) -> bool {
    let is_everything = thing.role == Role::Say(Say::Everything);
    let is_total = || words.says(Say::Total);
    if of.is_partly && !is_total() || !is_whole(words, thing, of) {
        return false;
    }
    // "Tests are done" means that they are written; "deployment is done" means that it succeeded.
    let completes = !is_everything && !of.check.checks_work();
    let verbs = words.spans.iter().filter(|it| match it.role {
        Role::Say(Say::Success) => true,
        Role::Say(Say::Complete) => completes,
        _ => false,
    });
    verbs.into_iter().any(|verb| {
        let (from, to) = if verb.start >= thing.end {
            (thing.end, verb.start)
        } else if verb.end <= thing.start {
            (verb.end, thing.start)
        } else {
            return false;
        };
        let is_joined = (from..to).all(|at| can_follow_subject(words, at, is_everything, of));
        let claim = Span {
            role: verb.role,
            start: verb.start.min(thing.start),
            end: verb.end.max(thing.end),
        };
        is_joined
            && is_plain(words, &claim)
            && !counts_partial_success(words, thing, from, to, of)
            && names_no_other_place(words, &claim, of)
    })
}

/// Returns whether a word can be between a subject and its predicate.
fn can_follow_subject(words: &Words, at: usize, is_everything: bool, of: &Failing<'_>) -> bool {
    let token = &words.tokens[at];
    if token.is_mark {
        return matches!(token.text.as_str(), "," | ":" | "，" | "：") && !is_everything;
    }
    token.number().is_some()
        || parse_fraction_as_whole(&token.text).is_some()
        || of.check.words.contains(&token.text)
        || token.is_code && of.check.names.contains(&token.text)
        || words.is_at(at, |role| match role {
            Role::Say(Say::Filler | Say::Determiner | Say::Total | Say::Success) => true,
            Role::Thing(_) | Role::One(_) => !is_everything,
            _ => false,
        })
}

/// Returns whether a thing is named without a modifier that limits it to a part, such as in "unit
/// tests" or "the new tests".
fn is_whole(words: &Words, thing: &Span, of: &Failing<'_>) -> bool {
    let Some(at) = thing.start.checked_sub(1) else {
        return true;
    };
    let before = &words.tokens[at];
    before.is_mark
        || can_follow_subject(words, at, false, of)
        || words.is_at(at, |it| {
            matches!(it, Role::Say(Say::Fixed) | Role::Say(Say::Person))
        })
}

/// Returns whether a number means a partial success, or is also in the failed run's output.
pub(super) fn counts_partial_success(
    words: &Words,
    thing: &Span,
    from: usize,
    to: usize,
    of: &Failing<'_>,
) -> bool {
    let start = thing.start.saturating_sub(5);
    // In "11 of 12", the second number is the total, so the success is partial if the two differ.
    let counts: Vec<u64> = (start..thing.start)
        .filter_map(|at| words.tokens[at].number())
        .collect();
    if let [part, whole] = counts.as_slice() {
        return part != whole;
    }
    let mut numbers = (start..thing.start).chain(from..to);
    numbers.any(|at| {
        let token = &words.tokens[at];
        match (token.number(), parse_fraction_as_whole(&token.text)) {
            (Some(number), _) => !words.says(Say::Total) && has_number(of.output, number),
            (None, Some(is_whole)) => !is_whole,
            (None, None) => false,
        }
    })
}

/// Parses a fraction such as "3/4" and returns whether it is the whole.
fn parse_fraction_as_whole(word: &str) -> Option<bool> {
    let (part, whole) = word.split_once('/')?;
    let (part, whole): (u64, u64) = (part.parse().ok()?, whole.parse().ok()?);
    Some(part == whole)
}

fn has_number(text: &str, number: u64) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|it| it.parse() == Ok(number))
}

/// Returns whether a sentence has a count, as in "15 passed", that the failed run did not print.
fn has_new_count(words: &Words, of: &Failing<'_>) -> bool {
    let is_of_tests = of.check.has_topic(Topic::Test);
    is_of_tests
        && !of.is_partly
        && !of.is_mixed
        && words.all(Role::Say(Say::Success)).any(|verb| {
            let before = verb.start.checked_sub(1).map(|at| &words.tokens[at]);
            before.is_some_and(
                |it| match (it.number(), parse_fraction_as_whole(&it.text)) {
                    (Some(number), _) => number > 0 && !has_number(of.output, number),
                    (None, whole) => whole == Some(true),
                },
            ) && is_plain(words, verb)
                && names_no_other_place(words, verb, of)
        })
}

/// Returns whether the rest of the sentence does not name another place, file or part.
pub(super) fn names_no_other_place(words: &Words, verb: &Span, of: &Failing<'_>) -> bool {
    let is_own = |text: &str| of.check.words.contains(text) || text.parse::<f64>().is_ok();
    let is_done = matches!(verb.role, Role::Done(_));
    let clause = words.clause(verb.start, verb.end);
    let names_other = words.tokens.iter().enumerate().any(|(at, it)| {
        let is_name = it.is_name() && parse_fraction_as_whole(&it.text).is_none();
        let is_mentioned =
            (verb.start..=verb.end).contains(&at) || is_done && (clause.0..clause.1).contains(&at);
        is_name
            && is_mentioned
            && !is_own(&it.text)
            && !of.check.names.contains(&it.text)
            && !is_in_command_or_output(of, &it.text)
    });
    if names_other_place(words, (0, words.tokens.len()), of) || names_other {
        return false;
    }
    if is_done {
        return true;
    }
    let mut at = verb.end;
    while words.is_at(at, |role| role == Role::Say(Say::Filler))
        && !words.is_at(at, |role| role == Role::Say(Say::Restrict))
    {
        at += 1;
    }
    if !words.is_at(at, |role| role == Role::Say(Say::Restrict)) {
        return true;
    }
    // Complements such as "on node 20" or "for the parser" must match the command.
    let mut next = at + 1;
    while words.is_at(next, |role| {
        matches!(role, Role::Say(Say::Determiner | Say::Total))
    }) {
        next += 1;
    }
    words.tokens.get(next).is_none_or(|it| {
        it.text.starts_with(|c: char| c.is_ascii_digit())
            || is_own(&it.text)
            || is_in_command_or_output(of, &it.text)
            || it.text.len() >= 4 && of.output.to_lowercase().contains(&it.text)
    })
}

/// Returns whether a sentence names another deployment target than the command.
pub(super) fn names_other_place(
    words: &Words,
    (start, end): (usize, usize),
    of: &Failing<'_>,
) -> bool {
    let own = || PLACES.iter().filter(|it| of.check.words.contains(**it));
    let named = words.tokens[start..end].iter().map(|it| it.text.as_str());
    let mut named = named.filter(|it| PLACES.contains(it));
    // "prod" and "production" are the same place, so compare prefixes.
    own().next().is_some()
        && named.any(|it| !own().any(|own| own.starts_with(it) || it.starts_with(own)))
}

/// Returns whether a word is in the command or its output.
fn is_in_command_or_output(of: &Failing<'_>, text: &str) -> bool {
    let mut parts = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|it| it.len() > 1);
    parts.next().is_some()
        && text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|it| it.len() > 1)
            .all(|it| of.check.words.contains(it))
}
