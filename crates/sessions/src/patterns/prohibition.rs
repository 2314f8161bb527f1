//! Finds broken prohibitions: the user explicitly forbade an action, did not withdraw that, and a
//! call is exactly that action.

use std::collections::BTreeMap;

use super::act::{all_strings, file_name};
use super::lexicon::{Act, Ban, Noun, Role, Words};
use super::{Cure, EvidenceRole, Pattern, PatternEvidence, PatternFinding, Severity, Window};
use crate::ToolKind;
use crate::prose::{Quotes, Sentence, sentences};

mod breach;
mod broad;
mod parse;

use breach::breach;
use broad::{Broad, find_breach, find_broad_prohibitions, is_mentioned_in};
use parse::forbidden;

/// The confidence that such a call breaks the prohibition.
const CONFIDENCE: f64 = 0.9;
/// Most calls shown besides the prohibition.
const MAX_CALLS: usize = 4;
/// Most prohibitions in force at a time.
const MAX_RULES: usize = 64;
/// Longer messages contain pasted text, whose rules are not the user's.
const MAX_PROMPT: usize = 6_000;

/// A forbidden action.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Forbidden {
    act: Act,
    on: Object,
}

/// The object of a forbidden action.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Object {
    /// Anything.
    Any,
    /// A path, branch, program or service with this name.
    Name(String),
    /// A kind of thing.
    Kind(Noun),
}

/// A prohibition in force.
struct Rule<'a> {
    item: usize,
    sentence: &'a str,
    forbidden: Vec<Forbidden>,
    broad: Vec<Broad>,
    /// Whether it ends with the user's next message.
    is_temporary: bool,
    calls: BTreeMap<usize, String>,
}

/// Finds forbidden actions that were done.
pub(super) fn find(
    session: &Window<'_>,
    last: &Window<'_>,
    quotes: &mut Quotes,
) -> Vec<PatternFinding> {
    let mut rules: Vec<Rule<'_>> = Vec::new();
    let mut over: Vec<Rule<'_>> = Vec::new();
    let mut said = "";
    let mut branch: Option<String> = None;
    for (at, item) in session.items.iter().enumerate() {
        if let Some(prompt) = item.prompt() {
            if !rules.is_empty() {
                let (asked, spoken) = (parse_sentences(prompt.as_str()), parse_sentences(said));
                let is_only_asking = only_asks_questions(prompt.as_str());
                let is_over = |it: &Rule<'_>| {
                    it.is_temporary && !is_only_asking || is_withdrawn(it, &asked, &spoken)
                };
                let (gone, kept): (Vec<Rule<'_>>, _) = rules.into_iter().partition(is_over);
                rules = kept;
                over.extend(gone);
                for rule in &mut rules {
                    rule.broad.retain(|it| {
                        let offers =
                            |words: &Words| offers_something(words) && is_mentioned_in(it, words);
                        !asked.iter().any(|words| is_mentioned_in(it, words))
                            && !spoken.iter().any(offers)
                    });
                }
            }
            rules.extend(rules_in_message(at, prompt.as_str()));
            rules.truncate(MAX_RULES);
        } else if let Some(text) = item.model_text() {
            said = text.as_str();
        } else if let Some(call) = item.call() {
            if call.kind == ToolKind::Ask {
                // A question about the action lets the user allow it, so an unbroken rule no longer
                // applies.
                let asked: Vec<&str> = all_strings(&call.arguments).collect();
                let words = Words::of(&asked.join(" "));
                rules.retain(|it| {
                    !it.forbidden.iter().any(|it| mentions(&words, it)) || !it.calls.is_empty()
                });
            }
            branch = breach::branch_after(call).or(branch);
            for rule in rules.iter_mut().filter(|it| it.calls.len() < MAX_CALLS) {
                let done = rule
                    .forbidden
                    .iter()
                    .filter(|it| is_at_limited_place(it.act, rule.sentence, call))
                    .find_map(|it| breach(it, call, branch.as_deref()));
                let known = |path: &str| is_known(session, at, path);
                let mut broad = rule.broad.iter();
                let done = done.or_else(|| {
                    broad.find_map(|it| find_breach(it, call, branch.as_deref(), known))
                });
                if let Some(done) = done.filter(|it| !is_asked_for(session, rule, at, it)) {
                    rule.calls.insert(at, done);
                }
            }
        }
    }
    over.extend(rules);
    over.sort_by_key(|it| it.item);
    let broken = over.iter().filter(|it| !it.calls.is_empty());
    broken
        .map(|it| describe(it, session, last, quotes))
        .collect()
}

/// Returns whether a command goes to the place to which the sentence limits it.
fn is_at_limited_place(act: Act, sentence: &str, call: &crate::ToolCall) -> bool {
    let is_limited = matches!(
        act,
        Act::Migrate | Act::Deploy | Act::Apply | Act::Restart | Act::Stop | Act::Run
    );
    let places = broad::places(&Words::of(sentence));
    let line = call.command_line().unwrap_or_default().to_lowercase();
    !is_limited || places.is_empty() || places.iter().any(|it| line.contains(it))
}

/// Returns whether an earlier entry named the file.
fn is_known(session: &Window<'_>, at: usize, path: &str) -> bool {
    let name = file_name(path);
    session.items[..at].iter().any(|it| {
        let named = |text: &str| text.contains(name);
        it.prompt().is_some_and(|it| named(it.as_str()))
            || it.result().is_some_and(|it| named(it.text.as_str()))
            || it
                .call()
                .is_some_and(|it| all_strings(&it.arguments).any(named))
    })
}

/// Returns the prohibitions in a message.
fn rules_in_message(at: usize, prompt: &str) -> Vec<Rule<'_>> {
    if prompt.len() > MAX_PROMPT {
        return Vec::new();
    }
    let quoted = parse::quoted(prompt);
    let all: Vec<(Sentence<'_>, Words)> = sentences(prompt)
        .into_iter()
        .filter(|it| !parse::is_quoted(prompt, it, &quoted))
        .map(|it| (it, Words::of(it.text)))
        .collect();
    let mut rules = Vec::new();
    for (number, (sentence, words)) in all.iter().enumerate() {
        let before = number
            .checked_sub(1)
            .and_then(|it| all.get(it))
            .map(|it| &it.1);
        let after = all.get(number + 1).map(|it| &it.1);
        let has_exception = after.is_some_and(|it| {
            it.tokens
                .first()
                .is_some_and(|it| parse::EXCEPTIONS.contains(&it.text.as_str()))
        });
        if sentence.is_question() && !parse::is_tag_question(words) || has_exception {
            continue;
        }
        let mut broad = find_broad_prohibitions(words);
        broad.retain(|it| {
            let is_own = |other: usize| other == number && broad::protects_path(it);
            let mut others = all.iter().enumerate().filter(|(other, _)| !is_own(*other));
            !others.any(|(_, (_, words))| is_mentioned_in(it, words))
        });
        let (mut forbidden, is_temporary) = match forbidden(words, before) {
            Some(it) => it,
            None if broad.is_empty() => continue,
            None => (Vec::new(), words.bans(Ban::Temporary)),
        };
        // Drop a restart that the sentence also permits: "Don't restart it, a reload is enough."
        forbidden.retain(|it| it.act != Act::Restart || !is_mentioned_without_ban(words, it));
        // If another sentence of the message asks for the action, the prohibition is narrower: drop
        // it.
        forbidden.retain(|it| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != number);
            matches!(it.on, Object::Name(_))
                || !others
                    .into_iter()
                    .any(|(_, (_, words))| is_mentioned_without_ban(words, it))
        });
        if !forbidden.is_empty() || !broad.is_empty() {
            rules.push(Rule {
                item: at,
                sentence: sentence.text,
                forbidden,
                broad,
                is_temporary,
                calls: BTreeMap::new(),
            });
        }
    }
    rules
}

/// Returns whether a sentence forbids an action, in any of the known languages.
pub(crate) fn forbids_an_action(sentence: &str) -> bool {
    let words = Words::of(sentence);
    forbidden(&words, None).is_some() || !find_broad_prohibitions(&words).is_empty()
}

/// Returns whether the user withdraws or narrows a rule, by mentioning the thing without forbidding
/// it or by answering a model that did.
fn is_withdrawn(rule: &Rule<'_>, asked: &[Words], spoken: &[Words]) -> bool {
    rule.forbidden.iter().any(|it| {
        let is_kept = asked
            .iter()
            .any(|words| mentions(words, it) && words.bans(Ban::Never));
        let is_offered = || {
            spoken
                .iter()
                .any(|words| mentions(words, it) && offers_something(words))
        };
        asked
            .iter()
            .any(|words| is_mentioned_without_ban(words, it))
            || !is_kept && is_offered()
    })
}

fn parse_sentences(text: &str) -> Vec<Words> {
    sentences(text)
        .iter()
        .map(|it| Words::of(it.text))
        .collect()
}

/// First words of a message that only asks for information.
const ASKING: &[&str] = &[
    "how",
    "what",
    "why",
    "which",
    "who",
    "where",
    "wie",
    "was",
    "warum",
    "wieso",
    "welche",
    "wo",
    "combien",
    "pourquoi",
    "quel",
    "quelle",
    "comment",
    "qué",
    "cómo",
    "cuál",
    "cuánto",
    "come",
    "perché",
    "quanto",
    "qual",
    "为什么",
    "怎么",
    "什么",
];

/// Returns whether a message only asks questions and does not request work.
pub(super) fn only_asks_questions(prompt: &str) -> bool {
    let said = parse_sentences(prompt);
    let [words] = said.as_slice() else {
        return false;
    };
    let first = words.tokens.first();
    let is_question = first.is_some_and(|it| ASKING.contains(&it.text.as_str()));
    let is_act = |it: Role| matches!(it, Role::Act(act) if !matches!(act, Act::Read | Act::Use | Act::Migrate));
    is_question && !words.spans.iter().any(|it| is_act(it.role))
}

/// Returns whether the model offers something to the user in a sentence.
fn offers_something(words: &Words) -> bool {
    let is_asked = words
        .tokens
        .iter()
        .any(|it| matches!(it.text.as_str(), "?" | "？"));
    is_asked
        || words.tokens.iter().any(|it| {
            matches!(
                it.text.as_str(),
                "shall"
                    | "should"
                    | "want"
                    | "may"
                    | "soll"
                    | "darf"
                    | "voulez"
                    | "veux"
                    | "quieres"
                    | "要"
            )
        })
}

/// Returns whether a sentence mentions the thing in a clause that forbids nothing.
fn is_mentioned_without_ban(words: &Words, forbidden: &Forbidden) -> bool {
    words.clauses().into_iter().any(|clause| {
        let forbids = words.has_within(clause, |it| {
            matches!(it, Role::Ban(Ban::Never | Ban::Stays))
        });
        !forbids && mentions_within(words, clause, forbidden)
    })
}

fn mentions(words: &Words, forbidden: &Forbidden) -> bool {
    mentions_within(words, (0, words.tokens.len()), forbidden)
}

/// Returns whether an act's object is a file or program, whose name alone counts as a mention.
fn is_act_on_name(act: Act) -> bool {
    matches!(
        act,
        Act::Change | Act::Delete | Act::Rename | Act::Read | Act::Use | Act::Run | Act::Install
    )
}

fn mentions_within(words: &Words, clause: (usize, usize), forbidden: &Forbidden) -> bool {
    let has = |role: Role| words.has_within(clause, |it| it == role);
    let has_act = has(Role::Act(forbidden.act));
    match &forbidden.on {
        Object::Any => has_act,
        // A branch or a service is named all the time, so only the action counts as a mention.
        Object::Name(_) if !is_act_on_name(forbidden.act) => has_act,
        // A command of several words counts as mentioned by its last one: "apply" for `terraform
        // apply`.
        Object::Name(name) if name.contains(' ') => {
            let tokens = &words.tokens[clause.0..clause.1];
            let last = name.rsplit(' ').next();
            tokens.iter().any(|it| last == Some(it.text.as_str()))
        }
        Object::Name(name) => {
            let name = file_name(name);
            let tokens = &words.tokens[clause.0..clause.1];
            tokens
                .iter()
                .any(|it| file_name(&it.text) == name || it.text.contains(&format!("/{name}/")))
        }
        Object::Kind(Noun::Dependency) => {
            let acts = [Act::Install, Act::Add];
            has_act
                || acts.iter().any(|it| has(Role::Act(*it)))
                || has(Role::Noun(Noun::Dependency))
        }
        // Tests are mentioned all the time, so only a request to change them counts.
        Object::Kind(noun) => {
            let acts = [
                forbidden.act,
                Act::Change,
                Act::Add,
                Act::Delete,
                Act::Rename,
            ];
            has(Role::Noun(*noun)) && acts.iter().any(|it| has(Role::Act(*it)))
        }
    }
}

/// Returns whether the user has named this very file or package since.
fn is_asked_for(session: &Window<'_>, rule: &Rule<'_>, at: usize, done: &str) -> bool {
    let mut names = done
        .split_whitespace()
        .map(file_name)
        .filter(|it| it.len() > 3 && (it.contains('.') || !done.contains('/')));
    let prompts: Vec<&str> = session.items[rule.item..at]
        .iter()
        .filter_map(|it| it.prompt())
        .map(|it| it.as_str())
        .collect();
    let is_file = |it: &Forbidden| {
        matches!(
            it.act,
            Act::Change | Act::Delete | Act::Rename | Act::Read | Act::Install | Act::Add
        ) && it.on != Object::Any
    };
    rule.forbidden.iter().any(is_file)
        && names.any(|name| {
            let others = prompts
                .iter()
                .flat_map(|it| sentences(it))
                .filter(|it| it.text != rule.sentence);
            let mut wanted = others.map(|it| Words::of(it.text));
            let named = Forbidden {
                act: Act::Change,
                on: Object::Name(name.to_lowercase()),
            };
            wanted.any(|words| is_mentioned_without_ban(&words, &named))
        })
}

fn describe(
    rule: &Rule<'_>,
    session: &Window<'_>,
    last: &Window<'_>,
    quotes: &mut Quotes,
) -> PatternFinding {
    let cause = session.items[rule.item];
    let mut evidence = Vec::new();
    if let Some(text) = cause.prompt() {
        evidence.push(PatternEvidence::from_text(
            EvidenceRole::Cause,
            cause.entry,
            text,
            rule.sentence,
            quotes,
        ));
    }
    for (at, words) in &rule.calls {
        let entry = session.items[*at].entry;
        evidence.push(PatternEvidence::from_words(
            EvidenceRole::Effect,
            entry,
            words,
            quotes,
        ));
    }
    PatternFinding {
        pattern: Pattern::LostInTheMiddle,
        severity: Severity::Amber,
        confidence: CONFIDENCE,
        cure: Cure::Write,
        reason: "The user forbade an action, and a later call performed it.".to_owned(),
        is_current: evidence
            .iter()
            .any(|it| it.role == EvidenceRole::Effect && last.contains(it.entry)),
        evidence,
    }
}
