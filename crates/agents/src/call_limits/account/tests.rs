//! A simulated provider with a hidden limit, in virtual time.

use std::cell::Cell;
use std::rc::Rc;

use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

use super::*;

/// A provider that answers after `latency` and refuses a call above `hidden` at once.
#[derive(Debug)]
struct Provider {
    hidden: usize,
    latency: Duration,
    running: Cell<usize>,
    calls: Cell<u64>,
    refused: Cell<u64>,
    busy_ms: Cell<u128>,
}

impl Provider {
    fn new(hidden: usize, latency: Duration) -> Rc<Self> {
        Rc::new(Self {
            hidden,
            latency,
            running: Cell::new(0),
            calls: Cell::new(0),
            refused: Cell::new(0),
            busy_ms: Cell::new(0),
        })
    }

    async fn call(&self) -> CallEnd {
        self.calls.set(self.calls.get() + 1);
        if self.running.get() >= self.hidden {
            self.refused.set(self.refused.get() + 1);
            return CallEnd::Refused(None);
        }
        self.running.set(self.running.get() + 1);
        sleep(self.latency).await;
        self.running.set(self.running.get() - 1);
        self.busy_ms
            .set(self.busy_ms.get() + self.latency.as_millis());
        CallEnd::Answered
    }
}

/// Makes `count` calls, each until it is answered.
async fn call_all(limit: Arc<AccountLimit>, provider: Rc<Provider>, count: usize) {
    let calls = (0..count).map(|_| {
        let (limit, provider) = (Arc::clone(&limit), Rc::clone(&provider));
        tokio::task::spawn_local(async move {
            let cancel = CancellationToken::new();
            loop {
                let slot = limit.take(&cancel).await.unwrap();
                let end = provider.call().await;
                slot.end(end);
                match end {
                    CallEnd::Answered => break,
                    CallEnd::Refused(_) | CallEnd::Other => {
                        sleep(Duration::from_millis(500)).await;
                    }
                }
            }
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
}

fn simulate(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(LocalSet::new().run_until(work));
}

#[test]
fn at_least_90_percent_of_a_hidden_limit_is_used_and_at_most_2_percent_refused() {
    for hidden in [3, 10, 50, 200] {
        simulate(async move {
            let provider = Provider::new(hidden, Duration::from_secs(2));
            let limit = Arc::new(AccountLimit::new(4, 1_000));
            let begun = Instant::now();
            call_all(Arc::clone(&limit), Rc::clone(&provider), 100 * hidden).await;
            let possible = begun.elapsed().as_millis() * hidden as u128;
            let used = provider.busy_ms.get() * 100 / possible;
            let (calls, refused) = (provider.calls.get(), provider.refused.get());
            println!("hidden {hidden}: {used} % used, {refused} of {calls} refused");
            assert!(used >= 90, "hidden limit {hidden}: {used} % used");
            assert!(
                refused * 100 <= 2 * calls,
                "hidden limit {hidden}: {refused} of {calls} refused"
            );
        });
    }
}

#[test]
fn a_slow_account_does_not_hold_up_another() {
    simulate(async {
        let slow = Provider::new(2, Duration::from_secs(600));
        let fast = Provider::new(20, Duration::from_secs(2));
        let limits = [(); 2].map(|()| Arc::new(AccountLimit::new(2, 100)));
        let slow_calls = call_all(Arc::clone(&limits[0]), slow, 20);
        let slow_calls = tokio::task::spawn_local(slow_calls);
        let begun = Instant::now();
        call_all(Arc::clone(&limits[1]), fast, 400).await;
        assert!(begun.elapsed() < Duration::from_secs(60));
        assert!(!slow_calls.is_finished());
        slow_calls.abort();
    });
}

#[test]
fn no_call_begins_before_the_time_that_the_provider_asked_for() {
    simulate(async {
        let limit = Arc::new(AccountLimit::new(4, 100));
        let cancel = CancellationToken::new();
        let slot = limit.take(&cancel).await.unwrap();
        slot.end(CallEnd::Refused(Some(Duration::from_secs(30))));
        let begun = Instant::now();
        let _slot = limit.take(&cancel).await.unwrap();
        assert!(begun.elapsed() >= Duration::from_secs(30));
    });
}

#[test]
fn a_cancelled_call_leaves_no_trace() {
    simulate(async {
        let limit = Arc::new(AccountLimit::new(1, 1));
        let cancel = CancellationToken::new();
        let held = limit.take(&cancel).await.unwrap();
        let stopped = CancellationToken::new();
        stopped.cancel();
        assert!(limit.take(&stopped).await.is_none());
        drop(held);
        let told = limit.describe("x");
        assert_eq!((told.running, told.waiting), (0, 0));
    });
}
