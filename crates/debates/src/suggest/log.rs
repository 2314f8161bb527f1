//! Which debates were suggested, in a file of the user's state folder that all processes share.
//!
//! It has hashes only: of sessions, and of topics with their project.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::refusal::Answer;
use crate::hook_state::StateFile;

const DAY_MS: u64 = 24 * 3_600_000;
// Chosen, not measured: within a week it is likely to be the same piece of work.
/// How long a topic is not suggested again in a project.
const TOPIC_PAUSE_MS: u64 = 7 * DAY_MS;
/// How long a refused topic is not suggested again in a project.
const REFUSED_MS: u64 = 365 * DAY_MS;
/// How long a session is remembered after the last suggestion.
const SESSION_MS: u64 = 30 * DAY_MS;
// Chosen, not measured: more than three in a session are noise.
/// Maximum suggestions in a session.
const MAX_PER_SESSION: usize = 3;
// A project must not use up the lines of the user's topics.
/// Maximum suggestions in a session of topics that only the project's file has.
const MAX_OF_PROJECT: usize = 1;
/// Maximum topics and sessions that are remembered.
const MAX_ENTRIES: usize = 1_000;
const SCHEMA: &str = "agon.suggestions/1";

/// The file of the log.
// The hook of a prompt may not wait, and the lock is held for a few milliseconds.
pub(super) const FILE: StateFile = StateFile {
    folder: "suggestions",
    max_bytes: 4 * 1024 * 1024,
    lock_timeout: Duration::from_millis(25),
};
// A lost no costs the user more than this wait.
/// The file of the log, when it records a refusal.
pub(super) const FILE_FOR_REFUSAL: StateFile = StateFile {
    lock_timeout: Duration::from_millis(300),
    ..FILE
};

/// The suggested debates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SuggestionLog {
    schema: String,
    /// Topics in a project, by hash.
    topics: BTreeMap<String, SuggestedTopic>,
    /// Sessions with a suggestion, by hash.
    sessions: BTreeMap<String, KnownSession>,
}

/// A topic that was suggested in a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SuggestedTopic {
    at_ms: u64,
    is_refused: bool,
}

/// A session in which something was suggested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct KnownSession {
    at_ms: u64,
    /// The suggested topics.
    topics: BTreeSet<String>,
    /// Those of them that only the project's file has.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    topics_of_project: BTreeSet<String>,
    /// The topic that was suggested at the prompt before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open: Option<String>,
    /// Whether the user refused a suggestion.
    is_refused: bool,
}

/// A topic that may be suggested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Topic {
    /// The hash of the project and the topic's name.
    pub(super) hash: String,
    /// Whether only the project's file has it.
    pub(super) is_of_project: bool,
}

impl Default for SuggestionLog {
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            topics: BTreeMap::new(),
            sessions: BTreeMap::new(),
        }
    }
}

impl SuggestionLog {
    /// Returns whether the session awaits the user's answer to a suggestion.
    pub(super) fn is_open(&self, session: &str) -> bool {
        let session = self.sessions.get(session);
        session.is_some_and(|session| session.open.is_some())
    }

    /// Remembers what the user's next prompt after a suggestion answers.
    pub(super) fn answered(&mut self, session: &str, answer: Answer) {
        let Some(session) = self.sessions.get_mut(session) else {
            return;
        };
        let Some(topic) = session.open.take() else {
            return;
        };
        session.is_refused |= answer != Answer::Other;
        if let Some(topic) = self.topics.get_mut(&topic) {
            topic.is_refused |= answer == Answer::Refusal;
        }
    }

    /// Returns the position of the first topic that may be suggested.
    pub(super) fn choose(&self, session: &str, topics: &[Topic], now_ms: u64) -> Option<usize> {
        let session = self.sessions.get(session);
        if session.is_some_and(|it| it.is_refused) {
            return None;
        }
        topics.iter().position(|topic| {
            let is_in_session = session.is_some_and(|it| it.topics.contains(&topic.hash));
            let is_known = self.topics.get(&topic.hash);
            let is_known = is_known.is_some_and(|it| it.is_kept(now_ms));
            let is_full = session.is_some_and(|it| it.is_full(topic.is_of_project));
            !is_in_session && !is_known && !is_full
        })
    }

    /// Chooses a topic as [`Self::choose`] does, and remembers that it is suggested. With
    /// `is_answered`, the user's next prompt answers the suggestion.
    pub(super) fn suggest(
        &mut self,
        session: &str,
        topics: &[Topic],
        now_ms: u64,
        is_answered: bool,
    ) -> Option<usize> {
        self.prune(now_ms);
        let chosen = self.choose(session, topics, now_ms)?;
        let Topic {
            hash,
            is_of_project,
        } = topics.get(chosen)?.clone();
        let suggested = SuggestedTopic {
            at_ms: now_ms,
            is_refused: false,
        };
        self.topics.insert(hash.clone(), suggested);
        let session = self.sessions.entry(session.to_owned()).or_default();
        session.at_ms = now_ms;
        session.topics.insert(hash.clone());
        if is_of_project {
            session.topics_of_project.insert(hash.clone());
        }
        if is_answered {
            session.open = Some(hash);
        }
        Some(chosen)
    }

    /// Removes what is too old, and the oldest if there is too much.
    fn prune(&mut self, now_ms: u64) {
        self.topics.retain(|_, topic| topic.is_kept(now_ms));
        let is_young = |at_ms: u64| now_ms.saturating_sub(at_ms) < SESSION_MS;
        self.sessions.retain(|_, session| is_young(session.at_ms));
        let first = first_kept(self.topics.values().map(|it| it.at_ms));
        self.topics.retain(|_, topic| topic.at_ms >= first);
        let first = first_kept(self.sessions.values().map(|it| it.at_ms));
        self.sessions.retain(|_, session| session.at_ms >= first);
    }
}

impl KnownSession {
    /// Returns whether the session has had all suggestions of a kind.
    fn is_full(&self, is_of_project: bool) -> bool {
        let of_project = self.topics_of_project.len();
        match is_of_project {
            true => of_project >= MAX_OF_PROJECT,
            false => self.topics.len().saturating_sub(of_project) >= MAX_PER_SESSION,
        }
    }
}

impl SuggestedTopic {
    fn is_kept(&self, now_ms: u64) -> bool {
        let pause = if self.is_refused {
            REFUSED_MS
        } else {
            TOPIC_PAUSE_MS
        };
        now_ms.saturating_sub(self.at_ms) < pause
    }
}

/// Returns the time from which at most [`MAX_ENTRIES`] entries are, of those with these times.
fn first_kept(times: impl Iterator<Item = u64>) -> u64 {
    let mut times: Vec<_> = times.collect();
    times.sort_unstable();
    let first = times.len().checked_sub(MAX_ENTRIES);
    first
        .and_then(|first| times.get(first).copied())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(names: &[&str]) -> Vec<Topic> {
        let topic = |name: &&str| Topic {
            hash: (*name).to_owned(),
            is_of_project: name.starts_with("project"),
        };
        names.iter().map(topic).collect()
    }

    #[test]
    fn a_topic_is_suggested_once_in_a_session_and_once_a_week_in_a_project() {
        let mut log = SuggestionLog::default();
        let one = topics(&["a"]);
        assert_eq!(log.suggest("s", &one, 0, true), Some(0));
        assert_eq!(log.suggest("s", &one, 1, true), None);
        assert_eq!(log.suggest("t", &one, TOPIC_PAUSE_MS - 1, true), None);
        // The second topic of the same prompt may be new.
        assert_eq!(log.suggest("s", &topics(&["a", "b"]), 1, true), Some(1));
        assert_eq!(log.suggest("t", &one, TOPIC_PAUSE_MS, true), Some(0));
        // The session itself never hears of it again.
        assert_eq!(log.suggest("s", &one, 2 * TOPIC_PAUSE_MS, true), None);
    }

    #[test]
    fn a_no_silences_the_session_and_the_topic() {
        let mut log = SuggestionLog::default();
        assert!(!log.is_open("s"));
        log.suggest("s", &topics(&["a"]), 0, true);
        assert!(log.is_open("s"));
        log.answered("s", Answer::Refusal);
        assert!(!log.is_open("s"));
        assert_eq!(log.suggest("s", &topics(&["b"]), 1, true), None);
        assert_eq!(
            log.suggest("t", &topics(&["a"]), 2 * TOPIC_PAUSE_MS, true),
            None
        );
        assert_eq!(log.suggest("t", &topics(&["b"]), 1, true), Some(0));
        // Only the next prompt answers a suggestion.
        log.answered("t", Answer::Other);
        log.answered("t", Answer::Refusal);
        assert_eq!(log.suggest("t", &topics(&["c"]), 1, true), Some(0));
        assert_eq!(log.suggest("u", &topics(&["a"]), REFUSED_MS, true), Some(0));
    }

    #[test]
    fn a_session_hears_of_few_topics() {
        let mut log = SuggestionLog::default();
        let all = ["a", "b", "c", "d", "e"].map(|name| topics(&[name]));
        let told = all
            .iter()
            .filter(|it| log.suggest("s", it, 0, true).is_some());
        assert_eq!(told.count(), MAX_PER_SESSION);
    }

    #[test]
    fn what_is_old_or_too_much_is_forgotten() {
        let mut log = SuggestionLog::default();
        for at in 0..MAX_ENTRIES as u64 + 5 {
            log.suggest(&format!("s{at}"), &topics(&[&format!("t{at}")]), at, true);
        }
        log.prune(MAX_ENTRIES as u64 + 5);
        assert_eq!(
            (log.topics.len(), log.sessions.len()),
            (MAX_ENTRIES, MAX_ENTRIES)
        );
        assert!(!log.topics.contains_key("t4") && log.topics.contains_key("t5"));
        log.prune(SESSION_MS + 10_000);
        assert_eq!((log.topics.len(), log.sessions.len()), (0, 0));
    }

    #[test]
    fn a_doubtful_no_silences_the_session_only() {
        let mut log = SuggestionLog::default();
        log.suggest("s", &topics(&["a"]), 0, true);
        log.answered("s", Answer::Doubtful);
        assert_eq!(log.suggest("s", &topics(&["b"]), 1, true), None);
        let later = log.suggest("t", &topics(&["a"]), TOPIC_PAUSE_MS, true);
        assert_eq!(later, Some(0));
    }

    #[test]
    fn a_line_about_a_plan_awaits_no_answer() {
        let mut log = SuggestionLog::default();
        assert_eq!(log.suggest("s", &topics(&["a"]), 0, false), Some(0));
        assert!(!log.is_open("s"));
    }

    #[test]
    fn topics_of_a_project_have_one_line_that_is_not_the_user_s() {
        let mut log = SuggestionLog::default();
        let names = ["project-a", "project-b", "a", "b", "c", "d"];
        let told = names.map(|name| log.suggest("s", &topics(&[name]), 0, true).is_some());
        assert_eq!(told, [true, false, true, true, true, false]);
    }
}
