//! Texts that the real tools would interpret as commands, over every transport: each reaches the model
//! unchanged, and nothing is added to it.
//!
//! Normally a sample is tested. With `AGON_TEST_FULL=1` all texts, tools and transports are tested and
//! printed as a table, some of them with and without a folder to read.

mod shape;
mod texts;
mod user;

use std::collections::BTreeMap;

use agon_agents::profile::Transport;
use agon_testkit::{TOOLS, is_full, real_clis};

use super::common::left_of;
use shape::{has, shape};
use texts::{PLAIN, SAMPLE, SAMPLES, TEXTS};
use user::{CANARY, Place, User};

const CLI: Transport = Transport::Cli;
const ACP: Transport = Transport::Acp;
const PLACES: [Place; 3] = [Place::Reader(CLI), Place::Reader(ACP), Place::Member];

/// Texts for one tool, and the failures.
struct Telling<'a> {
    name: &'a str,
    user: User,
    /// The tool's model request for a text without anything to interpret, by place.
    plain: BTreeMap<String, Vec<String>>,
    wrong: Vec<String>,
}

impl<'a> Telling<'a> {
    fn of(name: &'a str) -> Option<Self> {
        Some(Self {
            name,
            user: User::planted(&real_clis()?),
            plain: BTreeMap::new(),
            wrong: Vec::new(),
        })
    }

    /// Sends the tool each of these texts at that place.
    async fn tell(&mut self, texts: &[(&str, &str)], place: Place) {
        for (what, text) in texts {
            let found = self.found(place, text).await;
            if is_full() {
                let found = found.as_deref().unwrap_or("unchanged");
                eprintln!(
                    "| {} | {place:?} | {what} | {text:?} | {found} |",
                    self.name
                );
            }
            let found = found.map(|found| format!("{place:?} · {what}: {found}"));
            self.wrong.extend(found);
        }
    }

    /// The problem with the model request, if any.
    async fn found(&mut self, place: Place, text: &str) -> Option<String> {
        let plain = match self.plain.get(&format!("{place:?}")) {
            Some(plain) => plain.clone(),
            None => {
                let (_, asked) = self.user.tell(self.name, place, PLAIN).await;
                let plain = shape(&asked, PLAIN);
                self.plain.insert(format!("{place:?}"), plain.clone());
                plain
            }
        };
        let text = self.user.fill(text);
        let (outcome, asked) = self.user.tell(self.name, place, &text).await;
        if !self.user.is_logged_in() {
            return Some("logged out".to_owned());
        }
        if asked.is_empty() {
            return Some(format!("answered by the host itself: {outcome:?}"));
        }
        if !asked.iter().any(|it| has(it, text.trim())) {
            return Some("changed".to_owned());
        }
        if asked.iter().any(|it| has(it, CANARY)) {
            return Some("a file is sent along".to_owned());
        }
        let asked = shape(&asked, &text);
        let more = asked.iter().filter(|it| !plain.contains(it));
        let less = plain.iter().filter(|it| !asked.contains(it));
        let differs: Vec<_> = more.chain(less).collect();
        if !differs.is_empty() {
            return Some(format!("differs from a plain text by {differs:?}"));
        }
        outcome.err()
    }

    fn end(self) {
        assert_eq!(self.wrong, Vec::<String>::new(), "{}", self.name);
        assert_eq!(
            left_of(&self.user.sandbox),
            Vec::<String>::new(),
            "{}",
            self.name
        );
    }
}

/// The sample at these places; in the full test, all similar texts at all places.
async fn passes_on(name: &str, places: &[Place]) {
    let Some(mut telling) = Telling::of(name) else {
        return;
    };
    let places = if is_full() { &PLACES[..] } else { places };
    let texts = if is_full() {
        SAMPLES
    } else {
        &[("most of them", SAMPLE)]
    };
    for place in places {
        telling.tell(texts, *place).await;
    }
    telling.end();
}

/// All texts as a debate topic over one transport.
async fn passes_every_text_on(name: &str, way: Transport) {
    let Some(mut telling) = Telling::of(name) else {
        return;
    };
    telling.tell(TEXTS, Place::Seat(way)).await;
    telling.end();
}

#[test]
fn the_texts_are_tried_with_every_tool() {
    assert_eq!(TOOLS.len(), 5, "a new tool needs a test of its own here");
    assert!(TEXTS.len() >= 30, "{}", TEXTS.len());
}

#[tokio::test]
async fn claude_passes_texts_on_as_they_are() {
    passes_on("claude", &PLACES).await;
}

#[tokio::test]
async fn codex_passes_texts_on_as_they_are() {
    let places = [Place::Reader(CLI), Place::Seat(ACP), Place::Member];
    passes_on("codex", &places).await;
}

/// Long tests, which only `cargo xtask test --full` runs.
mod full {
    use super::*;

    #[tokio::test]
    async fn gemini_passes_texts_on_as_they_are() {
        passes_on("gemini", &[Place::Reader(CLI), Place::Member]).await;
    }

    #[tokio::test]
    async fn opencode_passes_texts_on_as_they_are() {
        passes_on("opencode", &[Place::Seat(ACP)]).await;
    }

    #[tokio::test]
    async fn copilot_passes_texts_on_as_they_are() {
        passes_on("copilot", &[Place::Seat(ACP)]).await;
    }

    #[tokio::test]
    async fn claude_passes_every_text_on_over_its_command_line() {
        passes_every_text_on("claude", CLI).await;
    }

    #[tokio::test]
    async fn claude_passes_every_text_on_over_acp() {
        passes_every_text_on("claude", ACP).await;
    }

    #[tokio::test]
    async fn codex_passes_every_text_on_over_its_command_line() {
        passes_every_text_on("codex", CLI).await;
    }

    #[tokio::test]
    async fn codex_passes_every_text_on_over_acp() {
        passes_every_text_on("codex", ACP).await;
    }

    #[tokio::test]
    async fn gemini_passes_every_text_on_over_its_command_line() {
        passes_every_text_on("gemini", CLI).await;
    }

    #[tokio::test]
    async fn gemini_passes_every_text_on_over_acp() {
        passes_every_text_on("gemini", ACP).await;
    }

    #[tokio::test]
    async fn opencode_passes_every_text_on_over_its_command_line() {
        passes_every_text_on("opencode", CLI).await;
    }

    #[tokio::test]
    async fn opencode_passes_every_text_on_over_acp() {
        passes_every_text_on("opencode", ACP).await;
    }

    #[tokio::test]
    async fn copilot_passes_every_text_on_over_its_command_line() {
        passes_every_text_on("copilot", CLI).await;
    }

    #[tokio::test]
    async fn copilot_passes_every_text_on_over_acp() {
        passes_every_text_on("copilot", ACP).await;
    }
}
