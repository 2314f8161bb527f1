//! The call slots of one account, shared by everything in this process that calls it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::AccountUse;
use super::outage::Outage;
use super::window::Window;

/// The limit of one account.
#[derive(Debug)]
pub(crate) struct AccountLimit {
    state: Mutex<State>,
    /// Wakes the calls that wait, when there may be a free slot.
    freed: Notify,
}

#[derive(Debug)]
struct State {
    window: Window,
    running: usize,
    waiting: usize,
    refused: u64,
    ended: u64,
    /// No call begins before this time, because the provider asked to wait or has an outage.
    paused_until: Option<Instant>,
    outage: Outage,
}

impl State {
    /// Returns the number of calls that may be under way now.
    fn room(&self) -> usize {
        match self.outage.is_on() {
            true => 1,
            false => self.window.size(),
        }
    }

    /// Lets no call begin for a time.
    fn pause(&mut self, pause: Duration) {
        let until = Instant::now() + pause;
        self.paused_until = self.paused_until.max(Some(until));
    }

    fn is_paused(&self) -> bool {
        self.paused_until
            .is_some_and(|until| Instant::now() < until)
    }
}

/// The result of a call, as far as the limit depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEnd {
    /// The provider answered.
    Answered,
    /// The provider refused it because there were too many calls, and may have asked to wait.
    Refused(Option<Duration>),
    /// The provider cannot be reached or has an error of its own, and may have asked to wait.
    Unavailable(Option<Duration>),
    /// It failed for another reason, or was cancelled.
    Other,
}

/// A slot for one call. Dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Slot {
    limit: Arc<AccountLimit>,
    era: u64,
}

/// Counts a call as waiting until it is dropped.
struct Waiting<'a>(&'a AccountLimit);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.lock().waiting -= 1;
        // It may have been woken for a slot that it did not take, because it was cancelled.
        self.0.freed.notify_one();
    }
}

impl AccountLimit {
    pub(super) fn new(first: usize, most: usize) -> Self {
        Self {
            state: Mutex::new(State {
                window: Window::new(first, most),
                running: 0,
                waiting: 0,
                refused: 0,
                ended: 0,
                paused_until: None,
                outage: Outage::default(),
            }),
            freed: Notify::new(),
        }
    }

    /// Returns the number of simultaneous calls that are currently allowed.
    pub(super) fn current(&self) -> usize {
        self.lock().window.size()
    }

    pub(super) fn describe(&self, account: &str) -> AccountUse {
        let state = self.lock();
        AccountUse {
            account: account.to_owned(),
            limit: state.window.size(),
            running: state.running,
            waiting: state.waiting,
            refused: state.refused,
            ended: state.ended,
        }
    }

    /// Waits for a free slot; `None` if cancelled first.
    pub(crate) async fn take(self: &Arc<Self>, cancel: &CancellationToken) -> Option<Slot> {
        self.lock().waiting += 1;
        let _waiting = Waiting(self);
        loop {
            let freed = self.freed.notified();
            tokio::pin!(freed);
            // Register before looking, so that a slot freed in between is not missed.
            freed.as_mut().enable();
            let paused = match self.try_take() {
                Ok(slot) => return Some(slot),
                Err(paused) => paused,
            };
            let pause = async {
                match paused {
                    Some(until) => sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => return None,
                () = freed => {}
                () = pause => {}
            }
        }
    }

    /// Takes a free slot, or returns the time until which no call may begin, if there is one.
    fn try_take(self: &Arc<Self>) -> Result<Slot, Option<Instant>> {
        let mut state = self.lock();
        if let Some(until) = state.paused_until {
            if Instant::now() < until {
                return Err(Some(until));
            }
            state.paused_until = None;
        }
        if state.running >= state.room() {
            return Err(None);
        }
        state.running += 1;
        let era = state.window.era();
        if state.running < state.room() {
            self.freed.notify_one();
        }
        drop(state);
        Ok(Slot {
            limit: Arc::clone(self),
            era,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slot {
    /// Frees the slot and adapts the limit to how its call ended.
    pub(crate) fn end(self, end: CallEnd) {
        let mut state = self.limit.lock();
        state.ended += 1;
        match end {
            CallEnd::Answered => {
                // Calls that end together have already given up their slots, so ask who waits. After
                // an outage, waiting calls do not mean that the window was full.
                let is_first = state.outage.is_on();
                let was_full = state.waiting > 0 || state.running >= state.window.size();
                state.outage = Outage::default();
                state.window.on_answer(was_full && !is_first);
            }
            CallEnd::Refused(wait) => {
                state.refused += 1;
                // During an outage few calls run, which says nothing about the provider's limit.
                let running = match state.outage.is_on() {
                    true => state.window.size(),
                    false => state.running,
                };
                state.window.on_refusal(self.era, running);
                if let Some(wait) = wait {
                    state.pause(wait);
                }
            }
            CallEnd::Unavailable(wait) => {
                let is_paused = state.is_paused();
                let pause = state.outage.on_failure(is_paused);
                if let Some(pause) = wait.or(pause) {
                    state.pause(pause);
                }
            }
            CallEnd::Other => {}
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.limit.lock().running -= 1;
        self.limit.freed.notify_one();
    }
}

#[cfg(test)]
mod tests;
