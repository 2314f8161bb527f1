//! Decides whether a message is accepted.

use std::time::Duration;

use agon_hint::Hint;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::MessageId;

/// The limits of mail; all of them are settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MailLimits {
    /// Maximum size of a body, in bytes.
    pub max_bytes: usize,
    /// The most unacknowledged messages of one member.
    pub max_unread: usize,
    /// Maximum number of replies in one thread.
    pub max_replies: usize,
    /// How long a fetched message may stay undelivered before it is offered again, in milliseconds.
    pub lease_ms: u64,
}

impl Default for MailLimits {
    // Chosen, not measured: a body fits a page of a log, a model can read a full inbox at once, and
    // a thread ends if two models only keep thanking each other.
    fn default() -> Self {
        Self {
            max_bytes: 32 * 1024,
            max_unread: 100,
            max_replies: 20,
            lease_ms: 60_000,
        }
    }
}

impl MailLimits {
    /// Returns how long a fetched message may stay undelivered.
    pub const fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms)
    }
}

/// The store's data about a message to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailFacts {
    /// The recipient, as the sender wrote it.
    pub to: String,
    /// The bytes of the body.
    pub bytes: usize,
    /// Each recipient with the number of its unacknowledged messages.
    pub unread: Vec<(String, usize)>,
    /// The thread to reply in.
    pub thread: Option<ThreadFacts>,
}

/// The store's data about a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadFacts {
    /// The id of its first message.
    pub id: MessageId,
    /// The number of replies.
    pub replies: usize,
    /// Whether the sender sent or received a message of the thread.
    pub includes_sender: bool,
}

/// Why a message is refused; nothing was sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailRefusal {
    /// No member has this name or role, or only the sender has.
    #[error("there is no other member with the name or role {to}")]
    NoRecipient {
        /// The recipient, as the sender wrote it.
        to: String,
    },
    /// The body is empty.
    #[error("the message is empty")]
    Empty,
    /// The body is longer than the limit.
    #[error("the message has {bytes} bytes, more than the limit of {max}")]
    TooLong {
        /// Its bytes.
        bytes: usize,
        /// The limit.
        max: usize,
    },
    /// A recipient has too many unacknowledged messages.
    #[error("{member} has {unread} unacknowledged messages; the limit is {max}")]
    Unread {
        /// The recipient.
        member: String,
        /// The number of its unacknowledged messages.
        unread: usize,
        /// The limit.
        max: usize,
    },
    /// The thread has reached its limit of replies.
    #[error("thread {thread} has reached its limit of {max} replies")]
    ThreadSpent {
        /// The thread.
        thread: MessageId,
        /// The limit.
        max: usize,
    },
    /// The sender is not part of that thread, or the thread does not exist.
    #[error("you are not part of thread {thread}")]
    NotInThread {
        /// The thread.
        thread: MessageId,
    },
    /// The key was used for another message.
    #[error("this key was already used for the message {message}")]
    KeyUsed {
        /// The other message.
        message: MessageId,
    },
}

impl MailRefusal {
    /// Returns what to do about it.
    pub fn hint(&self) -> Hint {
        let text = match self {
            Self::NoRecipient { .. } => {
                return Hint::new("list the members with ").quoted("team status");
            }
            Self::Empty => "write a message text",
            Self::TooLong { .. } => "put the long part into a file and name its path",
            Self::Unread { .. } => "that member does not read its mail: wait, or tell the lead",
            Self::ThreadSpent { .. } => {
                "decide from the thread so far, or ask the lead or a person"
            }
            Self::NotInThread { .. } => "start a new thread",
            Self::KeyUsed { .. } => {
                "use a new key for each new message; reuse a key only to resend the same message"
            }
        };
        text.into()
    }
}

/// Decides whether a message is accepted.
///
/// # Errors
///
/// Fails with the first limit that the message breaks.
pub fn check_mail(facts: &MailFacts, limits: &MailLimits) -> Result<(), MailRefusal> {
    if facts.bytes == 0 {
        return Err(MailRefusal::Empty);
    }
    if facts.bytes > limits.max_bytes {
        return Err(MailRefusal::TooLong {
            bytes: facts.bytes,
            max: limits.max_bytes,
        });
    }
    if facts.unread.is_empty() {
        return Err(MailRefusal::NoRecipient {
            to: facts.to.clone(),
        });
    }
    if let Some(thread) = &facts.thread {
        if !thread.includes_sender {
            return Err(MailRefusal::NotInThread { thread: thread.id });
        }
        if thread.replies >= limits.max_replies {
            return Err(MailRefusal::ThreadSpent {
                thread: thread.id,
                max: limits.max_replies,
            });
        }
    }
    let full = facts
        .unread
        .iter()
        .find(|(_, unread)| *unread >= limits.max_unread);
    match full {
        Some((member, unread)) => Err(MailRefusal::Unread {
            member: member.clone(),
            unread: *unread,
            max: limits.max_unread,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> MailFacts {
        MailFacts {
            to: "ben".to_owned(),
            bytes: 10,
            unread: vec![("ben".to_owned(), 2)],
            thread: Some(ThreadFacts {
                id: MessageId::new(1),
                replies: 2,
                includes_sender: true,
            }),
        }
    }

    fn limits() -> MailLimits {
        MailLimits {
            max_bytes: 10,
            max_unread: 3,
            max_replies: 3,
            lease_ms: 1,
        }
    }

    #[test]
    fn a_message_at_every_limit_is_taken() {
        assert_eq!(check_mail(&facts(), &limits()), Ok(()));
    }

    #[test]
    fn a_message_past_a_limit_is_refused_and_says_which() {
        let thread = |replies, includes_sender| {
            let id = MessageId::new(1);
            Some(ThreadFacts {
                id,
                replies,
                includes_sender,
            })
        };
        for (facts, words) in [
            (
                MailFacts {
                    bytes: 0,
                    ..facts()
                },
                "the message is empty",
            ),
            (
                MailFacts {
                    bytes: 11,
                    ..facts()
                },
                "the message has 11 bytes, more than the limit of 10",
            ),
            (
                MailFacts {
                    unread: vec![],
                    ..facts()
                },
                "there is no other member with the name or role ben",
            ),
            (
                MailFacts {
                    unread: vec![("ben".to_owned(), 3)],
                    ..facts()
                },
                "ben has 3 unacknowledged messages; the limit is 3",
            ),
            (
                MailFacts {
                    thread: thread(3, true),
                    ..facts()
                },
                "thread m1 has reached its limit of 3 replies",
            ),
            (
                MailFacts {
                    thread: thread(1, false),
                    ..facts()
                },
                "you are not part of thread m1",
            ),
        ] {
            let refusal = check_mail(&facts, &limits()).unwrap_err();
            assert_eq!(refusal.to_string(), words);
        }
    }
}
