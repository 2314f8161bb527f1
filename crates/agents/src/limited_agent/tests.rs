use std::sync::Mutex;

use agon_record::event::Usage;
use agon_record::spec::Effort;

use super::*;
use crate::dialect::DialectError;

/// A session whose calls end with the given errors, then with the last one.
struct Failing(Arc<Mutex<Vec<AgentError>>>);

#[async_trait]
impl Session for Failing {
    async fn ask(&mut self, _: Ask<'_>, _: &CancellationToken) -> Result<AgentAnswer, AgentError> {
        Err(self.0.lock().unwrap().pop().unwrap())
    }
}

fn error(code: CauseCode, usage: Option<Usage>) -> AgentError {
    let retry = Class::Retry { after_ms: 1 };
    let error = DialectError::new(code, retry, "busy");
    AgentError {
        usage,
        ..error_without_usage(CallFailure::Said(Box::new(error)))
    }
}

/// Asks a session whose calls end with `errors`, the last one first. Returns the number of calls
/// that were not made, and the account.
fn ask(errors: Vec<AgentError>) -> (usize, crate::call_limits::AccountUse) {
    let limits = CallLimits::new(8);
    let tool: ToolName = "claude".parse().unwrap();
    let limit = limits.account("claude".to_owned(), &tool, 4, 8);
    let errors = Arc::new(Mutex::new(errors));
    let mut session = LimitedSession {
        inner: Box::new(Failing(Arc::clone(&errors))),
        limit,
        repeats: MAX_REPEATS,
    };
    let ask = Ask {
        prompt: "",
        model: None,
        effort: Effort::Low,
        timeout: Duration::from_secs(1),
        reads: None,
        hears: None,
        schema: None,
        interview: None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    let said = runtime.block_on(session.ask(ask, &CancellationToken::new()));
    assert!(said.is_err());
    let left = errors.lock().unwrap().len();
    (left, limits.accounts().remove(0))
}

#[test]
fn a_refused_call_that_wrote_something_counts_as_refused_and_is_not_repeated() {
    let usage = Usage {
        output: 5,
        ..Usage::default()
    };
    let refused = || error(CauseCode::RateLimited, None);
    let wrote = error(CauseCode::RateLimited, Some(usage));
    let (left, account) = ask(vec![refused(), wrote, refused()]);
    assert_eq!((left, account.ended, account.refused), (1, 2, 2));
}

#[test]
fn a_call_is_repeated_in_an_outage_which_is_no_refusal() {
    let other = error(CauseCode::Failed, None);
    let outage = |_| error(CauseCode::Unavailable, None);
    let errors = std::iter::once(other).chain((0..5).map(outage));
    let (left, account) = ask(errors.collect());
    assert_eq!((left, account.ended, account.refused), (0, 6, 0));
    assert_eq!(account.limit, 4);
}
