//! How a message reaches one reader.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MessageId;
use crate::time::{Deadline, Moment};

/// How far a message is with one reader.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum MailState {
    /// To be fetched.
    Queued,
    /// Fetched; offered again when its lease ends before it was delivered.
    Leased,
    /// It reached the reader's session.
    Delivered,
    /// The reader said so.
    Acknowledged,
}

impl MailState {
    /// Its word in documents and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Leased => "leased",
            Self::Delivered => "delivered",
            Self::Acknowledged => "acknowledged",
        }
    }
}

/// One message on its way to one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Which message.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// How far it is.
    pub state: MailState,
    /// How often it was fetched: the number by which a fetch is told from a later one.
    pub fetch: u32,
    /// Whether its sender marked it as urgent.
    pub urgent: bool,
    /// When the fetch that has it ends.
    pub until: Option<Deadline>,
}

/// Why a delivery does not go on; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryRefusal {
    /// The fetch is over, and the message was or will be offered again.
    #[error("fetch {given} of {message} is over, it is at {current}")]
    Stale {
        /// The message.
        message: MessageId,
        /// The fetch that was named.
        given: u32,
        /// The fetch now.
        current: u32,
    },
    /// An earlier message of the thread has not been delivered.
    #[error("{message} comes after {earlier} in its thread, which has not been delivered")]
    OutOfOrder {
        /// The message.
        message: MessageId,
        /// The one before it.
        earlier: MessageId,
    },
    /// What was never delivered cannot be acknowledged.
    #[error("{message} is {}, so it cannot be acknowledged", .state.as_str())]
    NotDelivered {
        /// The message.
        message: MessageId,
        /// How far it is.
        state: MailState,
    },
    /// The message does not exist, or is not to this member.
    #[error("there is no message {message} to you")]
    Unknown {
        /// The number that was given.
        message: MessageId,
    },
}

impl Delivery {
    /// Whether a fetch may take it now.
    pub fn is_available(&self, now: &Moment) -> bool {
        match self.state {
            MailState::Queued => true,
            MailState::Leased => self
                .until
                .as_ref()
                .is_none_or(|until| until.has_passed(now)),
            MailState::Delivered | MailState::Acknowledged => false,
        }
    }

    /// It is fetched, until then.
    #[must_use]
    pub fn lease(&self, until: Deadline) -> Self {
        Self {
            state: MailState::Leased,
            fetch: self.fetch.saturating_add(1),
            until: Some(until),
            ..self.clone()
        }
    }

    /// The message of this fetch reached the reader's session. Again is the same.
    ///
    /// `all` are the deliveries to the same reader.
    ///
    /// # Errors
    ///
    /// If the fetch is over, or an earlier message of the thread is not there yet.
    pub fn deliver(&self, fetch: u32, all: &[Self], now: &Moment) -> Result<Self, DeliveryRefusal> {
        let message = self.message;
        if fetch == self.fetch && self.state > MailState::Leased {
            return Ok(self.clone());
        }
        let is_live = self.state == MailState::Leased && !self.is_available(now);
        if fetch != self.fetch || !is_live {
            return Err(DeliveryRefusal::Stale {
                message,
                given: fetch,
                current: self.fetch,
            });
        }
        let undelivered = |other: &&Self| {
            other.thread == self.thread
                && other.message < message
                && other.state < MailState::Delivered
        };
        match all.iter().find(undelivered) {
            Some(earlier) => Err(DeliveryRefusal::OutOfOrder {
                message,
                earlier: earlier.message,
            }),
            None => Ok(Self {
                state: MailState::Delivered,
                until: None,
                ..self.clone()
            }),
        }
    }

    /// The reader says that it has read it. Again is the same: nothing is acknowledged twice.
    ///
    /// # Errors
    ///
    /// If it was not delivered.
    pub fn acknowledge(&self) -> Result<Self, DeliveryRefusal> {
        if self.state < MailState::Delivered {
            return Err(DeliveryRefusal::NotDelivered {
                message: self.message,
                state: self.state,
            });
        }
        Ok(Self {
            state: MailState::Acknowledged,
            ..self.clone()
        })
    }
}

/// The messages that a fetch takes, at most `max`: threads in which an urgent one waits come first,
/// and the earliest of them before the later ones.
///
/// `all` are the deliveries to one reader, in the order of their messages. A thread stops at a
/// message that another fetch has: should that fetch fail, the later ones would come first.
pub fn next_batch(all: &[Delivery], max: usize, now: &Moment) -> Vec<MessageId> {
    let mut stopped = BTreeSet::new();
    let mut batch = Vec::new();
    let waits = |it: &&Delivery| it.state < MailState::Delivered;
    let urgent: BTreeSet<MessageId> = all
        .iter()
        .filter(waits)
        .filter(|it| it.urgent)
        .map(|it| it.thread)
        .collect();
    let (first, rest): (Vec<&Delivery>, Vec<&Delivery>) =
        all.iter().partition(|it| urgent.contains(&it.thread));
    for delivery in first.into_iter().chain(rest) {
        if delivery.state >= MailState::Delivered || batch.len() >= max {
            continue;
        }
        if delivery.is_available(now) && !stopped.contains(&delivery.thread) {
            batch.push(delivery.message);
        } else {
            stopped.insert(delivery.thread);
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(uptime_ms: u64) -> Moment {
        Moment {
            boot: "one".into(),
            uptime_ms,
            wall_ms: 0,
        }
    }

    fn until(uptime_ms: u64) -> Deadline {
        now(0).after(std::time::Duration::from_millis(uptime_ms))
    }

    fn queued(message: i64, thread: i64) -> Delivery {
        Delivery {
            message: MessageId::new(message),
            thread: MessageId::new(thread),
            state: MailState::Queued,
            fetch: 0,
            urgent: false,
            until: None,
        }
    }

    fn batch(all: &[Delivery], max: usize, at: u64) -> Vec<i64> {
        next_batch(all, max, &now(at))
            .into_iter()
            .map(MessageId::number)
            .collect()
    }

    #[test]
    fn a_thread_stops_at_a_message_that_is_away() {
        let away = queued(1, 1).lease(until(10));
        let all = [away, queued(2, 2), queued(3, 1), queued(4, 2)];
        assert_eq!(batch(&all, 9, 5), [2, 4]);
        assert_eq!(batch(&all, 9, 10), [1, 2, 3, 4]);
        assert_eq!(batch(&all, 2, 10), [1, 2]);
    }

    #[test]
    fn a_thread_with_an_urgent_message_comes_first_and_in_order() {
        let urgent = |message, thread| Delivery {
            urgent: true,
            ..queued(message, thread)
        };
        let all = [queued(1, 1), queued(2, 2), queued(3, 3), urgent(4, 2)];
        assert_eq!(batch(&all, 9, 0), [2, 4, 1, 3]);
        assert_eq!(batch(&all, 1, 0), [2]);
        let read = Delivery {
            state: MailState::Delivered,
            ..urgent(5, 3)
        };
        assert_eq!(batch(&[queued(1, 1), queued(3, 3), read], 9, 0), [1, 3]);
    }

    #[test]
    fn a_message_that_was_not_delivered_is_offered_again() {
        let first = queued(1, 1).lease(until(10));
        let second = first.lease(until(30));
        assert_eq!(
            second.deliver(1, &[], &now(12)),
            Err(DeliveryRefusal::Stale {
                message: MessageId::new(1),
                given: 1,
                current: 2
            })
        );
        let there = second.deliver(2, &[], &now(12)).unwrap();
        assert_eq!(there.state, MailState::Delivered);
        assert_eq!(there.deliver(2, &[], &now(99)), Ok(there.clone()));
        assert!(second.deliver(2, &[], &now(30)).is_err());
        assert_eq!(batch(&[there], 9, 99), [] as [i64; 0]);
    }

    #[test]
    fn a_thread_is_delivered_in_order() {
        let all = [queued(1, 1).lease(until(10)), queued(2, 1).lease(until(10))];
        assert_eq!(
            all[1].deliver(1, &all, &now(1)),
            Err(DeliveryRefusal::OutOfOrder {
                message: MessageId::new(2),
                earlier: MessageId::new(1)
            })
        );
        let first = all[0].deliver(1, &all, &now(1)).unwrap();
        assert!(all[1].deliver(1, &[first, all[1].clone()], &now(1)).is_ok());
    }

    #[test]
    fn only_what_was_delivered_is_acknowledged() {
        let leased = queued(1, 1).lease(until(10));
        assert!(queued(1, 1).acknowledge().is_err());
        assert!(leased.acknowledge().is_err());
        let read = leased
            .deliver(1, &[], &now(1))
            .unwrap()
            .acknowledge()
            .unwrap();
        assert_eq!(read.state, MailState::Acknowledged);
        assert_eq!(read.acknowledge(), Ok(read));
    }
}
