//! A simulated provider with a hidden limit, in virtual time.

use std::cell::Cell;
use std::rc::Rc;

use tokio::task::LocalSet;
use tokio::time::{Instant, sleep};

use super::*;

/// A provider that answers after `latency`, refuses a call above `hidden` at once, and ends every
/// call during an outage at once.
#[derive(Debug)]
struct Provider {
    hidden: usize,
    latency: Duration,
    outage: Cell<Option<CallEnd>>,
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
            outage: Cell::new(None),
            running: Cell::new(0),
            calls: Cell::new(0),
            refused: Cell::new(0),
            busy_ms: Cell::new(0),
        })
    }

    async fn call(&self) -> CallEnd {
        self.calls.set(self.calls.get() + 1);
        if let Some(end) = self.outage.get() {
            return end;
        }
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
                    CallEnd::Refused(_) | CallEnd::Unavailable(_) | CallEnd::Other => {
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

/// Runs calls for a minute, an outage in which every call ends with `end`, and calls until `limit`
/// is back at 64. Returns the calls during the outage, and the answers after it.
fn answers_to_recover(end: CallEnd, outage: Duration) -> (u64, u64) {
    let found = Rc::new(Cell::new((0, 0)));
    let result = Rc::clone(&found);
    simulate(async move {
        let provider = Provider::new(1_000, Duration::from_secs(2));
        let limit = Arc::new(AccountLimit::new(4, 64));
        let calls = call_all(Arc::clone(&limit), Rc::clone(&provider), 100_000);
        let calls = tokio::task::spawn_local(calls);
        sleep(Duration::from_secs(60)).await;
        assert_eq!(limit.current(), 64);
        let before = provider.calls.get();
        provider.outage.set(Some(end));
        sleep(outage).await;
        provider.outage.set(None);
        let tried = provider.calls.get() - before;
        let answered = || provider.busy_ms.get() / provider.latency.as_millis();
        let before = answered();
        while limit.current() < 64 || limit.lock().outage.is_on() {
            sleep(Duration::from_millis(100)).await;
        }
        let answers = u64::try_from(answered() - before).unwrap();
        println!("{end:?} for {outage:?}: {tried} calls, back after {answers} answers");
        result.set((tried, answers));
        calls.abort();
    });
    found.get()
}

#[test]
fn an_outage_does_not_lower_the_limit_and_is_hardly_called() {
    let unavailable = CallEnd::Unavailable(None);
    for (seconds, most) in [(1, 70), (60, 80)] {
        let (tried, answers) = answers_to_recover(unavailable, Duration::from_secs(seconds));
        assert!(tried <= most, "{tried} calls in an outage of {seconds} s");
        assert!(answers <= 64 + 1, "{answers} answers after {seconds} s");
    }
}

#[test]
fn refusals_for_a_second_cost_at_most_a_hundred_answers() {
    let (_, answers) = answers_to_recover(CallEnd::Refused(None), Duration::from_secs(1));
    assert!(answers <= 100, "{answers} answers");
}

#[test]
fn a_refusal_in_an_outage_does_not_count_the_few_calls_that_it_leaves() {
    simulate(async {
        let limit = Arc::new(AccountLimit::new(64, 64));
        let cancel = CancellationToken::new();
        for _ in 0..3 {
            let slot = limit.take(&cancel).await.unwrap();
            slot.end(CallEnd::Unavailable(None));
        }
        let slot = limit.take(&cancel).await.unwrap();
        slot.end(CallEnd::Refused(None));
        assert_eq!(limit.current(), 57);
    });
}

#[test]
fn single_failures_between_answers_pause_nothing() {
    simulate(async {
        let limit = Arc::new(AccountLimit::new(4, 100));
        let cancel = CancellationToken::new();
        let begun = Instant::now();
        for _ in 0..10 {
            for end in [CallEnd::Unavailable(None), CallEnd::Answered] {
                limit.take(&cancel).await.unwrap().end(end);
            }
        }
        assert_eq!(begun.elapsed(), Duration::ZERO);
        assert!(limit.current() >= 4);
    });
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
