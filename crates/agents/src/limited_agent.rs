//! An agent whose calls share the adaptive limit of an account.

use std::sync::Arc;
use std::time::Duration;

use agon_proc::{PrivatePlaces, Watch};
use agon_record::event::{CauseCode, Class};
use agon_record::spec::ToolName;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use crate::agent::{Agent, AgentAnswer, AgentError, CallFailure, Session};
use crate::ask::{Ask, SchemaUse};
use crate::call_limits::{AccountLimit, CallEnd, CallLimits};
use crate::conversation::SavedConversation;
use crate::environment::Environment;
use crate::profile::{ContextDegradation, Profile, Transport};
use crate::transport::error_without_usage;

// Chosen, not measured: the limit falls with each refusal, so that eight in a row mean that other
// programs use up the account. The debate then decides, as it does for a single debate.
/// How often one call is repeated because the provider refused it or could not answer.
const MAX_REPEATS: u32 = 8;
/// The wait before a refused call is repeated if the provider did not say how long.
const PAUSE: Duration = Duration::from_millis(500);
// The eight waits then have two minutes, in which most outages end.
/// The longest wait before a call is repeated because the provider had an error of its own; the
/// first has half a second, and each further one is twice as long.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// An agent that waits for a slot of its account before each call.
///
/// A call that the provider refused, or could not answer, is repeated here, so that it does not
/// count against the calls of its debate.
pub(crate) struct LimitedAgent {
    inner: Arc<dyn Agent>,
    limit: Arc<AccountLimit>,
}

impl LimitedAgent {
    /// Limits the calls of `inner`, an agent for the tool of `profile`.
    pub(crate) fn new(
        inner: Arc<dyn Agent>,
        limits: &CallLimits,
        profile: &Profile,
        here: &Environment,
    ) -> Self {
        let first = profile.concurrency;
        let most = profile.most_calls(limits.most());
        let account = account_name(profile, here);
        let limit = limits.account(account, &profile.name, first, most);
        Self { inner, limit }
    }

    fn session(&self, inner: Box<dyn Session>) -> Box<dyn Session> {
        // A refused call may have ended a conversation over ACP, so only the engine can repeat it.
        let repeats = match self.inner.transport() {
            Transport::Http | Transport::Cli => MAX_REPEATS,
            Transport::Acp | Transport::Local | Transport::Human => 0,
        };
        Box::new(LimitedSession {
            inner,
            limit: Arc::clone(&self.limit),
            repeats,
        })
    }
}

impl Agent for LimitedAgent {
    fn name(&self) -> &ToolName {
        self.inner.name()
    }

    fn transport(&self) -> Transport {
        self.inner.transport()
    }

    fn private_places(&self) -> Option<PrivatePlaces> {
        self.inner.private_places()
    }

    fn context_degradation(&self, model: Option<&str>) -> ContextDegradation {
        self.inner.context_degradation(model)
    }

    fn schema_constraint(&self) -> SchemaUse {
        self.inner.schema_constraint()
    }

    fn token_budget(&self, model: Option<&str>) -> Option<u32> {
        self.inner.token_budget(model)
    }

    fn context_tokens(&self, model: Option<&str>) -> Option<u32> {
        self.inner.context_tokens(model)
    }

    fn open(&self, watch: Arc<dyn Watch>) -> Box<dyn Session> {
        self.session(self.inner.open(watch))
    }

    fn open_saved(
        &self,
        kept: SavedConversation,
        watch: Arc<dyn Watch>,
    ) -> Option<Box<dyn Session>> {
        Some(self.session(self.inner.open_saved(kept, watch)?))
    }
}

struct LimitedSession {
    inner: Box<dyn Session>,
    limit: Arc<AccountLimit>,
    repeats: u32,
}

#[async_trait]
impl Session for LimitedSession {
    fn retains_context(&self) -> bool {
        self.inner.retains_context()
    }

    fn id(&self) -> Option<&str> {
        self.inner.id()
    }

    fn saved_conversation(&self) -> Option<&SavedConversation> {
        self.inner.saved_conversation()
    }

    async fn ask(
        &mut self,
        ask: Ask<'_>,
        cancel: &CancellationToken,
    ) -> Result<AgentAnswer, AgentError> {
        let mut repeats = self.repeats;
        loop {
            let Some(slot) = self.limit.take(cancel).await else {
                return Err(error_without_usage(CallFailure::Cancelled));
            };
            let said = self.inner.ask(ask, cancel).await;
            let end = call_end(&said);
            slot.end(end);
            let wait = match end {
                CallEnd::Refused(wait) => wait.unwrap_or(PAUSE),
                CallEnd::Unavailable(wait) => {
                    let doubled =
                        PAUSE.saturating_mul(2_u32.saturating_pow(self.repeats - repeats));
                    wait.unwrap_or(doubled.min(MAX_PAUSE))
                }
                CallEnd::Answered | CallEnd::Other => return said,
            };
            // A call that wrote something is not repeated here, because its tokens must be recorded.
            let has_usage = said.as_ref().is_err_and(|error| error.usage.is_some());
            if repeats == 0 || has_usage {
                return said;
            }
            repeats -= 1;
            tokio::select! {
                biased;
                () = cancel.cancelled() => return said,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    async fn close(&mut self) {
        self.inner.close().await;
    }
}

/// Returns how a call ended for the limit.
fn call_end(said: &Result<AgentAnswer, AgentError>) -> CallEnd {
    let error = match said {
        Ok(_) => return CallEnd::Answered,
        Err(error) => error,
    };
    let CallFailure::Said(dialect) = &error.failure else {
        return CallEnd::Other;
    };
    // A spent quota has the class `User`: waiting does not help.
    if !matches!(dialect.class, Class::Retry { .. }) {
        return CallEnd::Other;
    }
    let wait = dialect.asked_wait_ms.map(Duration::from_millis);
    match dialect.code {
        CauseCode::RateLimited => CallEnd::Refused(wait),
        CauseCode::Unavailable => CallEnd::Unavailable(wait),
        _ => CallEnd::Other,
    }
}

/// Returns the name of the account that `profile` uses: the server and the variable with the key,
/// or the program. Never the key itself.
fn account_name(profile: &Profile, here: &Environment) -> String {
    let Some(http) = &profile.http else {
        return profile.name.to_string();
    };
    let server = http.url.host_and_port();
    match http.find_api_key(here) {
        Some((variable, _)) => format!("{server} ({variable})"),
        None => server,
    }
}

#[cfg(test)]
mod tests;
