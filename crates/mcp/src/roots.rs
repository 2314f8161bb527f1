//! Asks a client for its open folders without blocking the server.
#![expect(
    deprecated,
    reason = "hosts with protocol versions before 2026-07-28 report their folders as roots"
)]

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use agon_caller::file_uri::path_of_file_uri;
use rmcp::model::{ClientResult, ListRootsRequest, ServerRequest};
use rmcp::service::{PeerRequestOptions, RequestContext, RoleServer, ServiceError};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

// A client answers within milliseconds, and a longer wait would delay the list of tools.
/// The time that a call waits for an answer, from when the question was sent.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(2);

// Some clients never answer, so the server asks again. A late answer of a busy client still counts.
/// The time after which an unanswered question is sent again.
const OPEN_FOR: Duration = Duration::from_secs(60);

/// The maximum number of folders in an answer.
const MAX_ROOTS: usize = 64;

/// The open folders of one client.
#[derive(Debug, Default)]
pub(crate) struct Roots(Arc<Mutex<Answers>>);

#[derive(Debug, Default)]
struct Answers {
    /// The folders of its last answer.
    known: Vec<PathBuf>,
    /// The question that is still unanswered.
    open: Option<RootsQuestion>,
}

#[derive(Clone, Debug)]
struct RootsQuestion {
    asked: Instant,
    /// Closed when the question ends.
    answered: watch::Receiver<()>,
}

impl Roots {
    /// Returns the open folders of the client. The list is empty if the client has none, does not
    /// support the question, or has not answered yet. Asks each time, because not every client
    /// reports changes, and waits at most two seconds after the question was sent.
    pub(crate) async fn ask(&self, context: &RequestContext<RoleServer>) -> Vec<PathBuf> {
        let has_roots = context
            .client_capabilities()
            .is_some_and(|client| client.roots.is_some());
        if !has_roots {
            return Vec::new();
        }
        let mut question = self.open_question(context).await;
        // An error means that the sender was dropped, so the question has ended too.
        let ended = question.answered.changed();
        timeout_at(question.asked + ROOTS_TIMEOUT, ended).await.ok();
        self.lock().known.clone()
    }

    /// Returns the unanswered question, or sends a new one.
    async fn open_question(&self, context: &RequestContext<RoleServer>) -> RootsQuestion {
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
        // Sent during the call, because over HTTP the question travels on the stream of that call.
        // The answer may arrive after the call has ended.
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
            // No answer in time: keep the previous folders.
            Err(ServiceError::Timeout { .. }) => {}
            // The client cannot or will not answer: assume no folders.
            Ok(_) | Err(_) => self.known.clear(),
        }
    }
}

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    // No holder can leave it in an inconsistent state.
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}
