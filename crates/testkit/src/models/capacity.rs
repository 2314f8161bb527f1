//! A hidden limit of the fake model server on simultaneous requests, for each key.
//!
//! Accepted requests wait until the test answers a part of them. So the use of the limit is a number
//! of requests, which does not depend on the speed of the machine.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;

/// What happened to the requests with one key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CapacityUse {
    /// Requests that were accepted.
    pub accepted: usize,
    /// Requests that were refused with 429.
    pub refused: usize,
    /// Requests in flight now.
    pub in_flight: usize,
}

/// The limit, and the requests of each key.
#[derive(Debug, Default)]
pub(crate) struct Capacity {
    most: Option<usize>,
    keys: BTreeMap<String, Requests>,
}

#[derive(Debug, Default)]
struct Requests {
    counts: CapacityUse,
    /// Those that wait for the test, the oldest first.
    waiting: VecDeque<oneshot::Sender<()>>,
}

/// A request in flight; dropping it ends it.
#[derive(Debug)]
pub(crate) struct Accepted {
    capacity: Arc<Mutex<Capacity>>,
    key: String,
    answered: Option<oneshot::Receiver<()>>,
}

impl Capacity {
    pub(crate) fn set(&mut self, most: usize) {
        self.most = Some(most);
    }

    pub(crate) fn counts(&self) -> BTreeMap<String, CapacityUse> {
        let keys = self.keys.iter();
        keys.map(|(key, requests)| (key.clone(), requests.counts))
            .collect()
    }

    /// Lets up to `count` waiting requests with this key be answered, the oldest first.
    pub(crate) fn answer(&mut self, key: &str, count: usize) {
        let Some(requests) = self.keys.get_mut(key) else {
            return;
        };
        let count = count.min(requests.waiting.len());
        for waiting in requests.waiting.drain(..count) {
            // Its client may have given up.
            waiting.send(()).unwrap_or_default();
        }
    }
}

impl Accepted {
    /// Accepts a request, or returns `None` if the limit refuses it. Without a limit, it need not
    /// wait.
    pub(crate) fn accept(capacity: &Arc<Mutex<Capacity>>, key: &str) -> Option<Self> {
        let mut all = capacity.lock().unwrap();
        let most = all.most;
        let requests = all.keys.entry(key.to_owned()).or_default();
        if most.is_some_and(|most| requests.counts.in_flight >= most) {
            requests.counts.refused += 1;
            return None;
        }
        requests.counts.accepted += 1;
        requests.counts.in_flight += 1;
        let answered = most.map(|_| {
            let (answer, answered) = oneshot::channel();
            requests.waiting.push_back(answer);
            answered
        });
        Some(Self {
            capacity: Arc::clone(capacity),
            key: key.to_owned(),
            answered,
        })
    }

    /// Waits until the test lets it be answered.
    pub(crate) async fn wait(&mut self) {
        if let Some(answered) = self.answered.take() {
            drop(answered.await);
        }
    }
}

impl Drop for Accepted {
    fn drop(&mut self) {
        let mut all = self.capacity.lock().unwrap();
        if let Some(requests) = all.keys.get_mut(&self.key) {
            requests.counts.in_flight -= 1;
        }
    }
}
