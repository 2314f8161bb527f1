//! The delivery of a message to one reader.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MessageId;
use crate::time::{Deadline, Moment};

/// The delivery state of a message for one reader.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum MailState {
    /// Not fetched yet.
    Queued,
    /// Fetched; offered again if it is not delivered before its lease ends.
    Leased,
    /// It reached the reader's session.
    Delivered,
    /// The reader acknowledged it.
    Acknowledged,
}

impl MailState {
    /// Returns its name in documents and in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Leased => "leased",
            Self::Delivered => "delivered",
            Self::Acknowledged => "acknowledged",
        }
    }
}

/// The delivery of one message to one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The message.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Its state.
    pub state: MailState,
    /// How often it was fetched, which identifies the current fetch.
    pub fetch: u32,
    /// Whether its sender marked it as urgent.
    pub urgent: bool,
    /// When the current fetch ends.
    pub until: Option<Deadline>,
}

/// Why a delivery step is refused; nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeliveryRefusal {
    /// The fetch is over; the message was or will be offered again.
    #[error("fetch {given} of {message} is over; the current one is {current}")]
    Stale {
        /// The message.
        message: MessageId,
        /// The fetch that was named.
        given: u32,
        /// The current fetch.
        current: u32,
    },
    /// An earlier message of the thread has not been delivered.
    #[error("{message} comes after {earlier} in its thread, which has not been delivered")]
    OutOfOrder {
        /// The message.
        message: MessageId,
        /// The earlier message.
        earlier: MessageId,
    },
    /// A message must be delivered before it is acknowledged.
    #[error("{message} is {}, so it cannot be acknowledged", .state.as_str())]
    NotDelivered {
        /// The message.
        message: MessageId,
        /// Its state.
        state: MailState,
    },
    /// The message does not exist, or was not sent to this member.
    #[error("you have no message {message}")]
    Unknown {
        /// The id that was named.
        message: MessageId,
    },
}

impl Delivery {
    /// Returns whether it can be fetched now.
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

    /// Returns the delivery in its state after a fetch that lasts until a deadline.
    #[must_use]
    pub fn lease(&self, until: Deadline) -> Self {
        Self {
            state: MailState::Leased,
            fetch: self.fetch.saturating_add(1),
            until: Some(until),
            ..self.clone()
        }
    }

    /// Returns the delivery in its state after this fetch has delivered it; repeating this changes
    /// nothing.
    ///
    /// `all` contains the deliveries to the same reader.
    ///
    /// # Errors
    ///
    /// Fails if the fetch is over, or an earlier message of the thread is not delivered yet.
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

    /// Returns the delivery in its state after the reader acknowledged it; repeating this changes
    /// nothing.
    ///
    /// # Errors
    ///
    /// Fails if it was not delivered.
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

/// Returns the messages that a fetch takes, at most `max`. Threads with a waiting urgent message
/// come first; within them, earlier messages come first.
///
/// `all` contains the deliveries to one reader, sorted by message. A thread stops at a message that
/// another fetch holds: if that fetch failed, later messages would arrive before it.
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
