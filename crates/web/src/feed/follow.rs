//! Follows one debate for all its readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agon_caller::{Caller, Failure};
use agon_debates::live::LiveReader;
use agon_debates::status::watch::{EventDoc, Recorded, Watcher, follow};
use agon_debates::status::{RunState, inspect_debate};
use agon_record::id::AskKey;
use agon_record::state::State;
use serde_json::json;
use tokio::sync::{broadcast, watch};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::announce::announcement;

// The words are a convenience, so readers that fall behind miss some.
/// How many pieces of words are kept for a slow reader.
const WORDS: usize = 64;
/// The time between two checks for new words: 12 times a second looks like writing.
const WORDS_INTERVAL: Duration = Duration::from_millis(80);
/// The time between two attempts to connect to the process that has the words.
const CONNECT_INTERVAL: Duration = Duration::from_secs(1);
/// The time between two checks whether a debate at rest was continued.
const REST_INTERVAL: Duration = Duration::from_secs(1);

/// A line of the journal as the bytes that a reader gets.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) seq: u64,
    pub(crate) frame: Arc<str>,
}

/// Everything that is known of a debate so far.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    pub(crate) lines: Vec<Line>,
    pub(crate) run_state: Option<RunState>,
}

/// A debate that is followed as long as it has readers.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) log: watch::Sender<Log>,
    /// Pieces of words, as the bytes that a reader gets.
    pub(crate) words: broadcast::Sender<Arc<str>>,
}

impl Feed {
    pub(super) fn new() -> Self {
        let log = Log {
            lines: Vec::new(),
            run_state: None,
        };
        Self {
            log: watch::Sender::new(log),
            words: broadcast::Sender::new(WORDS),
        }
    }

    /// Follows the debate in `path` until `stop` is cancelled. Blocks the thread.
    pub(super) fn run(&self, caller: &Caller, path: &Path, stop: &CancellationToken) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.follow(path, stop) => {}
                () = self.forward_words(caller, path) => {}
            }
        });
    }

    /// Passes on the lines of the journal, also after the debate was continued.
    async fn follow(&self, path: &Path, stop: &CancellationToken) {
        let mut relay = LineRelay {
            feed: self,
            path: path.to_owned(),
        };
        loop {
            // A debate that cannot be read now may be readable later, so keep trying.
            let seen = follow(path, true, &mut relay, stop).await;
            if let Ok(Some(sight)) = &seen {
                self.set_run_state(sight.run_state);
            }
            let before = self.log.borrow().lines.last().map_or(0, |line| line.seq);
            loop {
                sleep(REST_INTERVAL).await;
                let Ok(sight) = inspect_debate(path) else {
                    continue;
                };
                self.set_run_state(sight.run_state);
                if sight.is_running_or_waiting() || sight.glance.lines > before {
                    break;
                }
            }
        }
    }

    fn set_run_state(&self, run_state: RunState) {
        self.log.send_if_modified(|log| {
            let is_new = log.run_state != Some(run_state);
            log.run_state = Some(run_state);
            is_new
        });
    }

    /// Passes on the words of the tools while a process offers them.
    async fn forward_words(&self, caller: &Caller, path: &Path) {
        let mut reader: Option<LiveReader> = None;
        let mut id: Option<String> = None;
        loop {
            let Some(open) = &mut reader else {
                // Read once, because the id of a debate never changes.
                id = id.or_else(|| debate_id(path));
                reader = id.as_deref().and_then(|id| LiveReader::connect(caller, id));
                sleep(CONNECT_INTERVAL).await;
                continue;
            };
            match open.read_new() {
                None => reader = None,
                Some(new) => {
                    for words in new {
                        let data = json!({"call": words.call.to_string(), "words": words.words});
                        let frame = format!("event: words\ndata: {data}\n\n");
                        // Sending fails only while no page is open.
                        self.words.send(frame.into()).ok();
                    }
                }
            }
            sleep(WORDS_INTERVAL).await;
        }
    }
}

fn debate_id(path: &Path) -> Option<String> {
    let seen = inspect_debate(path).ok()?;
    Some(seen.glance.state.spec.ulid.to_string())
}

/// Adds the lines of the journal to a feed.
struct LineRelay<'a> {
    feed: &'a Feed,
    path: PathBuf,
}

impl Watcher for LineRelay<'_> {
    fn on_opened(&mut self, _state: &State, _under_way: &[(AskKey, Duration)]) {
        let seen: Result<_, Failure> = inspect_debate(&self.path);
        if let Ok(sight) = seen {
            self.feed.set_run_state(sight.run_state);
        }
    }

    fn on_line(&mut self, state: &State, line: &[Recorded]) {
        let Some(seq) = line.first().map(|recorded| recorded.seq) else {
            return;
        };
        // After a pause, the debate is followed from its start again.
        let last = self.feed.log.borrow().lines.last().map_or(0, |it| it.seq);
        if seq <= last {
            return;
        }
        let events: Vec<EventDoc> = line
            .iter()
            .map(|recorded| EventDoc::new(state, recorded))
            .collect();
        let said: Vec<String> = line
            .iter()
            .filter_map(|recorded| announcement(state, recorded))
            .collect();
        let data = json!({"events": events, "said": said.join(" ")});
        let frame = format!("id: {seq}\nevent: line\ndata: {data}\n\n");
        self.feed.log.send_modify(|log| {
            log.lines.push(Line {
                seq,
                frame: frame.into(),
            });
        });
    }
}
