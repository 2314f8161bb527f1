//! Which debates were suggested, in a file of the user's state folder that all processes share.
//!
//! It has hashes only: of sessions, and of topics with their project.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

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
    /// The topic that was suggested at the prompt before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    open: Option<String>,
    /// Whether the user refused a suggestion.
    is_refused: bool,
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

    /// Remembers the user's next prompt after a suggestion, and whether it refuses.
    pub(super) fn answered(&mut self, session: &str, is_refusal: bool) {
        let Some(session) = self.sessions.get_mut(session) else {
            return;
        };
        let open = session.open.take();
        if let Some(topic) = open.filter(|_| is_refusal) {
            session.is_refused = true;
            if let Some(topic) = self.topics.get_mut(&topic) {
                topic.is_refused = true;
            }
        }
    }

    /// Returns the position of the first topic that may be suggested.
    pub(super) fn choose(&self, session: &str, topics: &[String], now_ms: u64) -> Option<usize> {
        let session = self.sessions.get(session);
        if session.is_some_and(|it| it.is_refused || it.topics.len() >= MAX_PER_SESSION) {
            return None;
        }
        topics.iter().position(|topic| {
            let is_in_session = session.is_some_and(|it| it.topics.contains(topic));
            let is_known = self.topics.get(topic).is_some_and(|it| it.is_kept(now_ms));
            !is_in_session && !is_known
        })
    }

    /// Chooses a topic as [`Self::choose`] does, and remembers that it is suggested.
    pub(super) fn suggest(
        &mut self,
        session: &str,
        topics: &[String],
        now_ms: u64,
    ) -> Option<usize> {
        self.prune(now_ms);
        let chosen = self.choose(session, topics, now_ms)?;
        let topic = topics.get(chosen)?.clone();
        let suggested = SuggestedTopic {
            at_ms: now_ms,
            is_refused: false,
        };
        self.topics.insert(topic.clone(), suggested);
        let session = self.sessions.entry(session.to_owned()).or_default();
        session.at_ms = now_ms;
        session.topics.insert(topic.clone());
        session.open = Some(topic);
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

    fn topics(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_topic_is_suggested_once_in_a_session_and_once_a_week_in_a_project() {
        let mut log = SuggestionLog::default();
        let one = topics(&["a"]);
        assert_eq!(log.suggest("s", &one, 0), Some(0));
        assert_eq!(log.suggest("s", &one, 1), None);
        assert_eq!(log.suggest("t", &one, TOPIC_PAUSE_MS - 1), None);
        // The second topic of the same prompt may be new.
        assert_eq!(log.suggest("s", &topics(&["a", "b"]), 1), Some(1));
        assert_eq!(log.suggest("t", &one, TOPIC_PAUSE_MS), Some(0));
        // The session itself never hears of it again.
        assert_eq!(log.suggest("s", &one, 2 * TOPIC_PAUSE_MS), None);
    }

    #[test]
    fn a_no_silences_the_session_and_the_topic() {
        let mut log = SuggestionLog::default();
        assert!(!log.is_open("s"));
        log.suggest("s", &topics(&["a"]), 0);
        assert!(log.is_open("s"));
        log.answered("s", true);
        assert!(!log.is_open("s"));
        assert_eq!(log.suggest("s", &topics(&["b"]), 1), None);
        assert_eq!(log.suggest("t", &topics(&["a"]), 2 * TOPIC_PAUSE_MS), None);
        assert_eq!(log.suggest("t", &topics(&["b"]), 1), Some(0));
        // Only the next prompt answers a suggestion.
        log.answered("t", false);
        log.answered("t", true);
        assert_eq!(log.suggest("t", &topics(&["c"]), 1), Some(0));
        assert_eq!(log.suggest("u", &topics(&["a"]), REFUSED_MS), Some(0));
    }

    #[test]
    fn a_session_hears_of_few_topics() {
        let mut log = SuggestionLog::default();
        let all = ["a", "b", "c", "d", "e"].map(|name| topics(&[name]));
        let told = all.iter().filter(|it| log.suggest("s", it, 0).is_some());
        assert_eq!(told.count(), MAX_PER_SESSION);
    }

    #[test]
    fn what_is_old_or_too_much_is_forgotten() {
        let mut log = SuggestionLog::default();
        for at in 0..MAX_ENTRIES as u64 + 5 {
            log.suggest(&format!("s{at}"), &topics(&[&format!("t{at}")]), at);
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
}
