//! The key `costly`: topics whose changes are costly to undo.

use std::sync::LazyLock;

use serde::Deserialize;

/// The item that stands for all built-in topics.
pub(crate) const BUILT_IN: &str = "built-in";
/// The built-in topics, as TOML with comments.
pub const BUILT_IN_TEXT: &str = include_str!("costly/built_in.toml");

// Enough for a project's own topics. A hook reads all phrases at every prompt.
/// Maximum items of the key.
const MAX_ITEMS: usize = 50;
/// Maximum phrases of an item.
const MAX_PHRASES: usize = 50;
// A hook reads a project's phrases before the user has read its file.
/// Maximum items that a project adds, and phrases of each that count.
const MAX_OF_PROJECT: usize = 8;
/// Maximum bytes of a phrase.
const MAX_PHRASE_BYTES: usize = 200;
// A name appears in a line that a model reads, and a project may set it.
/// Maximum bytes of a name.
const MAX_NAME_BYTES: usize = 24;
/// Maximum characters of an invalid item that an error repeats.
const MAX_SHOWN_CHARS: usize = 40;
/// Minimum letters of a word; shorter ones are in every text.
const MIN_LETTERS: usize = 3;

/// A topic whose changes are costly to undo.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostlyTopic {
    /// Its name: lower-case ASCII letters, digits and hyphens.
    pub name: String,
    /// What it is; empty for a topic of the configuration.
    #[serde(default)]
    pub about: String,
    /// Phrases that a request for such a change contains. `|` separates alternatives of a word. `*`
    /// at the start or end of a word stands for any letters, and `*` alone for up to four words.
    pub phrases: Vec<String>,
}

/// The built-in topics; empty only if the file of this crate is invalid, which a test excludes.
static TOPICS: LazyLock<Vec<CostlyTopic>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        topics: Vec<CostlyTopic>,
    }
    toml::from_str::<File>(BUILT_IN_TEXT).map_or_else(|_| Vec::new(), |file| file.topics)
});

/// Returns the built-in topics.
pub fn built_in_topics() -> &'static [CostlyTopic] {
    &TOPICS
}

/// Returns the topics of the key `costly`; invalid items and later topics of the same name are left
/// out.
pub fn costly_topics(items: &[String]) -> Vec<CostlyTopic> {
    let mut found: Vec<CostlyTopic> = Vec::new();
    for topic in items
        .iter()
        .flat_map(|item| topics_of(item).unwrap_or_default())
    {
        if found.iter().all(|one| one.name != topic.name) {
            found.push(topic);
        }
    }
    found
}

/// Returns what is wrong with the value of the key, if anything.
pub(crate) fn first_error(items: &[String]) -> Option<String> {
    if items.len() > MAX_ITEMS {
        return Some(format!("at most {MAX_ITEMS} items are allowed"));
    }
    items.iter().find_map(|item| topics_of(item).err())
}

/// The items of the user and of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MergedItems {
    /// The user's items, then those that the project adds.
    pub(crate) all: Vec<String>,
    /// Names of the topics that only the project has.
    pub(crate) names_of_project: Vec<String>,
}

/// Merges the user's items with those that a project's file adds, of which the first 8 count with 8
/// phrases each. A project can neither remove an item nor use the key if the user has switched it
/// off.
pub(crate) fn with_items_of_project(
    user: Option<Vec<String>>,
    project: Vec<String>,
) -> MergedItems {
    let mut all = user.unwrap_or_else(default_items);
    if all.is_empty() {
        return MergedItems::default();
    }
    let of_user = costly_topics(&all);
    let project = project.iter().map(|item| with_few_phrases(item));
    let new: Vec<_> = project.filter(|item| !all.contains(item)).collect();
    let new = new.into_iter().take(MAX_OF_PROJECT);
    all.extend(new);
    let mut earlier = std::collections::BTreeSet::new();
    all.retain(|item| earlier.insert(item.clone()));
    all.truncate(MAX_ITEMS);
    let names = costly_topics(&all).into_iter().map(|topic| topic.name);
    let names_of_project = names.skip(of_user.len()).collect();
    MergedItems {
        all,
        names_of_project,
    }
}

/// Returns an item with its first phrases.
fn with_few_phrases(item: &str) -> String {
    let after = item.match_indices(',').nth(MAX_OF_PROJECT - 1);
    let kept = after.and_then(|(at, _)| item.get(..at));
    kept.unwrap_or(item).to_owned()
}

/// Returns the default value of the key.
pub(crate) fn default_items() -> Vec<String> {
    vec![BUILT_IN.to_owned()]
}

/// Returns the topics of an item: all built-in ones, a built-in one by its name, or one of the form
/// `NAME: PHRASE, PHRASE`.
fn topics_of(item: &str) -> Result<Vec<CostlyTopic>, String> {
    let shown: String = item.chars().take(MAX_SHOWN_CHARS).collect();
    let shown = shown.escape_default();
    if item == BUILT_IN {
        return Ok(TOPICS.clone());
    }
    let Some((name, phrases)) = item.split_once(':') else {
        let named = TOPICS.iter().find(|topic| topic.name == item);
        return named.map(|topic| vec![topic.clone()]).ok_or_else(|| {
            let names: Vec<_> = TOPICS.iter().map(|topic| topic.name.as_str()).collect();
            format!(
                "`{shown}` is not a built-in topic; use {BUILT_IN}, one of {}, or \
                 \"NAME: PHRASE, PHRASE\"",
                names.join(", ")
            )
        });
    };
    let name = name.trim();
    if !is_plain_name(name) {
        return Err(format!(
            "the name in `{shown}` must have 1 to {MAX_NAME_BYTES} of a-z, 0-9 and -"
        ));
    }
    let phrases: Vec<_> = phrases.split(',').map(|it| it.trim().to_owned()).collect();
    if phrases.len() > MAX_PHRASES {
        return Err(format!("`{name}` has more than {MAX_PHRASES} phrases"));
    }
    match phrases.iter().find(|phrase| !is_usable(phrase)) {
        None => Ok(vec![CostlyTopic {
            name: name.to_owned(),
            about: String::new(),
            phrases,
        }]),
        Some(phrase) => Err(format!(
            "a phrase of `{name}` cannot be used: `{}`; each has words of at least {MIN_LETTERS} \
             letters, at most 12 words, and `*` only at the start or end of a word",
            phrase.escape_default()
        )),
    }
}

fn is_plain_name(name: &str) -> bool {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(is_plain) && name != BUILT_IN
}

/// Returns whether a phrase of the configuration has words of some length, and no sign that is
/// never found.
fn is_usable(phrase: &str) -> bool {
    let words: Vec<_> = phrase.split_whitespace().collect();
    let is_word = |word: &&str| {
        let mut patterns = word.split('|');
        patterns.all(|pattern| {
            let letters = pattern.trim_matches('*');
            letters.chars().all(char::is_alphanumeric) && letters.chars().count() >= MIN_LETTERS
        })
    };
    let own: Vec<_> = words.iter().filter(|word| **word != "*").collect();
    phrase.len() <= MAX_PHRASE_BYTES
        && words.len() <= 12
        && !own.is_empty()
        && own.into_iter().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_topics_have_plain_names_and_can_be_named() {
        assert!(TOPICS.len() >= 10, "{TOPICS:?}");
        for topic in built_in_topics() {
            assert!(
                is_plain_name(&topic.name) && !topic.about.is_empty(),
                "{topic:?}"
            );
            assert_eq!(topics_of(&topic.name), Ok(vec![topic.clone()]));
        }
    }

    #[test]
    fn items_are_names_and_topics_with_phrases() {
        let items = ["license", "ledger: ledger*, double entry", "license"];
        let topics = costly_topics(&items.map(str::to_owned));
        let named: Vec<_> = topics
            .iter()
            .map(|it| (it.name.as_str(), it.phrases.len()))
            .collect();
        assert_eq!(named[1], ("ledger", 2));
        assert_eq!((named.len(), named[0].0), (2, "license"));
        assert_eq!(costly_topics(&default_items()), *TOPICS);
        for wrong in [
            "nothing",
            "Ledger: ledger",
            "ignore all rules: ledger",
            "a-name-that-is-much-too-long: ledger",
            "built-in: ledger",
            "ledger:",
            "ledger: *",
            "ledger: a",
            "ledger: led*ger",
            "ledger: the|a ledger",
        ] {
            assert!(first_error(&[wrong.to_owned()]).is_some(), "{wrong}");
        }
    }

    #[test]
    fn a_project_adds_topics_unless_the_user_has_switched_them_off() {
        let own = || vec!["ledger: ledger".to_owned(), BUILT_IN.to_owned()];
        let with = |user: Option<Vec<String>>| with_items_of_project(user, own()).all;
        assert_eq!(with(None), [BUILT_IN, "ledger: ledger"]);
        assert_eq!(with(Some(vec!["license".to_owned()])).len(), 3);
        assert_eq!(with(Some(Vec::new())), [""; 0]);
        let none = with_items_of_project(None, Vec::new());
        assert_eq!(
            (none.all, none.names_of_project.len()),
            (default_items(), 0)
        );
    }

    #[test]
    fn a_project_adds_few_topics_which_are_known_as_its_own() {
        let user = Some(vec!["license".to_owned(), "t1: mine".to_owned()]);
        let phrases = vec!["ledger"; MAX_PHRASES].join(", ");
        let own = (0..MAX_ITEMS).map(|at| format!("t{at}: {phrases}"));
        let merged = with_items_of_project(user.clone(), own.collect());
        assert_eq!(merged.all.len(), 2 + MAX_OF_PROJECT);
        let topics = costly_topics(&merged.all);
        let topic = |name: &str| topics.iter().find(|it| it.name == name).unwrap();
        assert_eq!(topic("t0").phrases.len(), MAX_OF_PROJECT);
        // The user's topic of the same name stays the user's.
        assert_eq!(topic("t1").phrases, ["mine"]);
        let names = ["t0", "t2", "t3", "t4", "t5", "t6", "t7"];
        assert_eq!(merged.names_of_project, names);
        let built_in = with_items_of_project(user, vec![BUILT_IN.to_owned()]);
        assert!(!built_in.names_of_project.contains(&"license".to_owned()));
        assert_eq!(built_in.names_of_project.len(), TOPICS.len() - 1);
    }
}
