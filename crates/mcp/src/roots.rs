//! The folders that a client has open, asked for without being held up.
#![expect(
    deprecated,
    reason = "hosts that speak a version before 2026-07-28 still say their folders as roots"
)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_caller::file_uri::path_of_file_uri;
use rmcp::model::{ClientResult, ListRootsRequest, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer, ServiceError};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

// A client answers from memory, within milliseconds; each second is one in which its user waits for
// the list of tools.
/// How long a call waits for a question to be answered, from when it was asked.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(2);

// Some clients never answer. One that was busy does, and its answer counts from then on.
/// How long a question stays open; after that a call asks again.
const OPEN_FOR: Duration = Duration::from_secs(60);

/// The most folders that are taken of an answer.
const MAX_ROOTS: usize = 64;

/// What one client said of the folders that it has open.
#[derive(Debug, Default)]
pub(crate) struct Roots(Arc<Mutex<Answers>>);

#[derive(Debug, Default)]
struct Answers {
    /// What it said last.
    known: Vec<PathBuf>,
    /// The question that it has not answered yet.
    open: Option<RootsQuestion>,
}

#[derive(Clone, Debug)]
struct RootsQuestion {
    asked: Instant,
    /// Ends with the question.
    answered: watch::Receiver<()>,
}

impl Roots {
    /// The folders that the client has open; none where it has none, may not be asked or has not
    /// said so yet. Asks each time, since not every client tells of changes, and waits two seconds
    /// at most; while the client owes an answer from before, not at all.
    pub(crate) async fn ask(&self, context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
        let has_roots = context
            .client_capabilities()
            .is_some_and(|client| client.roots.is_some());
        if !has_roots {
            return Vec::new();
        }
        let mut question = self.question(context).await;
        // It ends with an error, too, once its sender is gone: that is the answer.
        let ended = question.answered.changed();
        timeout_at(question.asked + ROOTS_TIMEOUT, ended).await.ok();
        self.lock().known.clone()
    }

    /// The question that is open, or a new one.
    async fn question(&self, context: &RequestContext<RoleServer>) -> RootsQuestion {
        let (ends, answered) = watch::channel(());
        let question = RootsQuestion {
            asked: Instant::now(),
            answered,
        };
        {
            let mut answers = self.lock();
            let is_open = |open: &&RootsQuestion| open.answered.has_changed().is_ok();
            if let Some(open) = answers.open.as_ref().filter(is_open) {
                return open.clone();
            }
            answers.open = Some(question.clone());
        }
        // Sent from within the call, to whose stream it belongs over HTTP; its answer can come after
        // the call has ended.
        let options = PeerRequestOptions::with_timeout(OPEN_FOR);
        let request = ServerRequest::ListRootsRequest(ListRootsRequest::default());
        let sent = context
            .peer
            .send_cancellable_request(request, options)
            .await;
        let Ok(sent) = sent else {
            return question;
        };
        let answers = Arc::clone(&self.0);
        tokio::spawn(async move {
            let answer = sent.await_response().await;
            lock(&answers).take(answer);
            drop(ends);
        });
        question
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        lock(&self.0)
    }
}

impl Answers {
    fn take(&mut self, answer: Result<ClientResult, ServiceError>) {
        match answer {
            Ok(ClientResult::ListRootsResult(listed)) => {
                let uris = listed.roots.iter().take(MAX_ROOTS);
                self.known = uris
                    .filter_map(|root| path_of_file_uri(&root.uri))
                    .collect();
            }
            // What it said before is the best that is known.
            Err(ServiceError::Timeout { .. }) => {}
            // It refuses to say.
            Ok(_) | Err(_) => self.known.clear(),
        }
    }
}

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    // Nothing that holds it can leave it half changed.
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}
