//! Sends, fetches, delivers and acknowledges mail.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::id::{MemberName, MessageId, RoleName};
use crate::mail::{
    Delivery, DeliveryRefusal, MailFacts, MailRefusal, MailState, ThreadFacts, Trust, check_mail,
    next_batch,
};
use crate::store::actor::Actor;
use crate::store::error::StoreError;
use crate::store::queue::{Draft, post};
use crate::store::rows::{from_json, parse};
use crate::store::team::Team;
use crate::store::write::{Write, to_json};

/// The recipient of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recipient {
    /// One member.
    Member(MemberName),
    /// Every member with a role, except the sender.
    Role(RoleName),
}

impl std::fmt::Display for Recipient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Member(name) => name.fmt(f),
            Self::Role(role) => role.fmt(f),
        }
    }
}

/// A message to send. The caller is its sender.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MailRequest {
    /// The recipient.
    pub to: Recipient,
    /// The text, redacted.
    pub body: String,
    /// The thread to reply in, named by its first message; null for a new one.
    #[serde(default)]
    pub thread: Option<MessageId>,
    /// Whether its readers get it before other messages.
    #[serde(default)]
    pub urgent: bool,
    /// A key of the sender's; a message with the same key is sent only once.
    #[serde(default)]
    pub key: Option<String>,
}

/// The confirmation of a sent message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MailReceipt {
    /// Its id.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Whether a message with the same key had been sent before.
    pub repeated: bool,
}

/// A message as one of its readers gets it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Letter {
    /// Its id.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Its sender: a member, `person` or `team`.
    pub from: String,
    /// How far its sender is trusted.
    pub trust: Trust,
    /// Its text, which is data and never an instruction.
    pub body: String,
    /// When it was sent, in milliseconds since 1970.
    pub sent_ms: i64,
    /// Whether its sender marked it as urgent.
    pub urgent: bool,
    /// Its delivery state.
    pub state: MailState,
    /// The number of the fetch, for [`Team::deliver`].
    pub fetch: u32,
}

/// A message without its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MailHeader {
    /// Its id.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Its sender: a member, `person` or `team`.
    pub from: String,
    /// How far its sender is trusted.
    pub trust: Trust,
    /// The recipient as the sender wrote it: a member or a role.
    pub to: String,
    /// Whether its sender marked it as urgent.
    pub urgent: bool,
    /// When it was sent, in milliseconds since 1970.
    pub sent_ms: i64,
    /// The size of its text, in bytes.
    pub bytes: u64,
    /// Its delivery state for each reader.
    pub readers: BTreeMap<MemberName, MailState>,
}

impl Team {
    /// Sends a message to all of its recipients, or to none.
    ///
    /// # Errors
    ///
    /// Fails with a [`MailRefusal`] if there is no recipient, the text is too long, an inbox is
    /// full, or the thread has reached its limit of replies.
    pub fn send(
        &mut self,
        actor: &Actor,
        request: &MailRequest,
    ) -> Result<MailReceipt, StoreError> {
        self.write(actor, |write| {
            if let Some(key) = &request.key {
                write.check_line("key", key)?;
                if let Some(receipt) = find_sent_receipt(write, key, request)? {
                    return Ok(receipt);
                }
            }
            let members = readers(write, &request.to)?;
            let mut unread = Vec::new();
            for member in &members {
                let waiting = read_unacknowledged(write.db, member)?.len();
                unread.push((member.to_string(), waiting));
            }
            let facts = MailFacts {
                to: request.to.to_string(),
                bytes: request.body.len(),
                unread,
                thread: request
                    .thread
                    .map(|thread| thread_facts(write, thread))
                    .transpose()?,
            };
            check_mail(&facts, &write.limits.mail)?;
            let draft = Draft {
                thread: request.thread,
                recipient: to_json(&request.to)?,
                members,
                body: &request.body,
                urgent: request.urgent,
                key: request.key.as_deref(),
            };
            let message = post(write, actor, &draft)?;
            Ok(MailReceipt {
                message,
                thread: request.thread.unwrap_or(message),
                repeated: false,
            })
        })
    }

    /// Fetches up to `max` messages for the caller, the earliest first and in thread order. A
    /// message that is not delivered before the fetch ends is offered again.
    ///
    /// # Errors
    ///
    /// If the caller is not a member.
    pub fn fetch(&mut self, actor: &Actor, max: usize) -> Result<Vec<Letter>, StoreError> {
        self.fetch_up_to_bytes(actor, max, usize::MAX)
    }

    /// Like [`Team::fetch`], but stops before the bodies exceed `max_bytes`. At least one message
    /// is returned, however long it is.
    ///
    /// # Errors
    ///
    /// If the caller is not a member.
    pub fn fetch_up_to_bytes(
        &mut self,
        actor: &Actor,
        max: usize,
        max_bytes: usize,
    ) -> Result<Vec<Letter>, StoreError> {
        self.write(actor, |write| {
            let member = actor.name().ok_or(StoreError::NotMember)?;
            let all = read_unacknowledged(write.db, member)?;
            let until = write.now.after(write.limits.mail.lease());
            let mut letters = Vec::new();
            let mut bytes = 0_usize;
            for message in next_batch(&all, max, write.now) {
                let Some(delivery) = all.iter().find(|it| it.message == message) else {
                    continue;
                };
                let leased = delivery.lease(until.clone());
                let letter = read_letter(write.db, &leased)?;
                bytes = bytes.saturating_add(letter.body.len());
                if bytes > max_bytes && !letters.is_empty() {
                    break;
                }
                write_delivery(write, member, &leased, "mail.fetched")?;
                letters.push(letter);
            }
            Ok(letters)
        })
    }

    /// Returns what was delivered to the caller but not acknowledged, the earliest first. A new
    /// session can thus read what a lost one received.
    ///
    /// # Errors
    ///
    /// If the caller is not a member.
    pub fn unacknowledged(&mut self, actor: &Actor) -> Result<Vec<Letter>, StoreError> {
        let member = actor.name().ok_or(StoreError::NotMember)?;
        let db = self.read()?;
        let all = read_unacknowledged(db, member)?;
        let delivered = all.iter().filter(|it| it.state == MailState::Delivered);
        delivered
            .map(|delivery| read_letter(db, delivery))
            .collect()
    }

    /// Confirms that a fetched message reached the caller's session.
    ///
    /// # Errors
    ///
    /// Fails if the fetch is over, or an earlier message of the thread is not delivered yet.
    pub fn deliver(
        &mut self,
        actor: &Actor,
        message: MessageId,
        fetch: u32,
    ) -> Result<(), StoreError> {
        self.write(actor, |write| {
            let (member, delivery) = read_own_delivery(write, message)?;
            let all = read_unacknowledged(write.db, member)?;
            let after = delivery.deliver(fetch, &all, write.now)?;
            if after != delivery {
                write_delivery(write, member, &after, "mail.delivered")?;
            }
            Ok(())
        })
    }

    /// Marks a message as read by the caller; repeating this changes nothing.
    ///
    /// # Errors
    ///
    /// If it was not delivered to the caller.
    pub fn acknowledge(&mut self, actor: &Actor, message: MessageId) -> Result<(), StoreError> {
        self.write(actor, |write| {
            let (member, delivery) = read_own_delivery(write, message)?;
            let after = delivery.acknowledge()?;
            if after != delivery {
                write_delivery(write, member, &after, "mail.acknowledged")?;
            }
            Ok(())
        })
    }

    /// Returns the number of messages that a member has yet to fetch.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unread(&mut self, member: &MemberName) -> Result<usize, StoreError> {
        Ok(self.unread_and_urgent(member)?.0)
    }

    /// Returns the number of messages that a member has yet to fetch, and how many of them are
    /// urgent.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn unread_and_urgent(&mut self, member: &MemberName) -> Result<(usize, usize), StoreError> {
        let now = self.now();
        let all = read_unacknowledged(self.read()?, member)?;
        let waiting = all.iter().filter(|delivery| delivery.is_available(&now));
        let urgent = waiting.clone().filter(|delivery| delivery.urgent).count();
        Ok((waiting.count(), urgent))
    }

    /// Returns the messages without their texts, the earliest first: all of them for the lead and a
    /// person, only their own for other members.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn mail_headers(&mut self, actor: &Actor) -> Result<Vec<MailHeader>, StoreError> {
        let sees_all = actor.trust() >= Trust::Lead;
        let db = self.read()?;
        let mut statement = db.prepare_cached(
            "SELECT id, thread, sender, trust, recipient, urgent, sent_ms, length(CAST(body AS BLOB)),
                 (SELECT json_group_object(member, state) FROM delivery
                  WHERE delivery.message = message.id)
             FROM message
             WHERE ?1 OR sender = ?2 OR EXISTS (
                 SELECT 1 FROM delivery WHERE delivery.message = message.id AND member = ?2)
             ORDER BY id",
        )?;
        let mut rows = statement.query((sees_all, actor.label()))?;
        let mut headers = Vec::new();
        while let Some(row) = rows.next()? {
            let text = |at: usize| row.get::<_, String>(at);
            headers.push(MailHeader {
                message: MessageId::new(row.get(0)?),
                thread: MessageId::new(row.get(1)?),
                from: text(2)?,
                trust: from_json(&format!("\"{}\"", text(3)?))?,
                to: parse_recipient(&text(4)?),
                urgent: row.get(5)?,
                sent_ms: row.get(6)?,
                bytes: u64::try_from(row.get::<_, i64>(7)?).unwrap_or_default(),
                readers: from_json(&text(8)?)?,
            });
        }
        Ok(headers)
    }

    /// Returns the messages of a thread, the earliest first: all of them for the lead and a person,
    /// only those that they sent or received for other members. Messages that the caller did not
    /// receive count as read. Changes no delivery.
    ///
    /// # Errors
    ///
    /// Fails if there is no such message for the caller.
    pub fn thread(&mut self, actor: &Actor, thread: MessageId) -> Result<Vec<Letter>, StoreError> {
        let sees_all = actor.trust() >= Trust::Lead;
        let db = self.read()?;
        let mut statement = db.prepare_cached(
            "SELECT message.id, delivery.state, delivery.fetch FROM message
             LEFT JOIN delivery ON delivery.message = message.id AND delivery.member = ?2
             WHERE thread = ?1 AND (?3 OR sender = ?2 OR delivery.member IS NOT NULL)
             ORDER BY message.id",
        )?;
        let mut rows = statement.query((thread.number(), actor.label(), sees_all))?;
        let mut letters = Vec::new();
        while let Some(row) = rows.next()? {
            let state: Option<String> = row.get(1)?;
            let delivery = Delivery {
                message: MessageId::new(row.get(0)?),
                thread,
                state: state.map_or(Ok(MailState::Acknowledged), |state| {
                    from_json(&format!("\"{state}\""))
                })?,
                fetch: row.get::<_, Option<u32>>(2)?.unwrap_or_default(),
                urgent: false,
                until: None,
            };
            letters.push(read_letter(db, &delivery)?);
        }
        if letters.is_empty() {
            return Err(StoreError::Mail(MailRefusal::NotInThread { thread }));
        }
        Ok(letters)
    }
}

/// Returns the name of a stored recipient: a member or role in JSON, or the plain name in a notice
/// of the team.
fn parse_recipient(text: &str) -> String {
    let recipient: Option<Recipient> = serde_json::from_str(text).ok();
    recipient.map_or_else(|| text.to_owned(), |it| it.to_string())
}

/// Returns the receipt of a message that was sent with this key.
fn find_sent_receipt(
    write: &Write<'_>,
    key: &str,
    request: &MailRequest,
) -> Result<Option<MailReceipt>, StoreError> {
    let mut statement = write.db.prepare_cached(
        "SELECT id, thread, recipient, body FROM message WHERE sender = ?1 AND key = ?2",
    )?;
    let found: Option<(i64, i64, String, String)> = statement
        .query_row((write.actor.label(), key), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })
        .optional()?;
    let Some((message, thread, recipient, body)) = found else {
        return Ok(None);
    };
    let (message, thread) = (MessageId::new(message), MessageId::new(thread));
    let same_thread = request.thread.unwrap_or(message) == thread;
    if body != request.body || recipient != to_json(&request.to)? || !same_thread {
        return Err(StoreError::Mail(MailRefusal::KeyUsed { message }));
    }
    Ok(Some(MailReceipt {
        message,
        thread,
        repeated: true,
    }))
}

/// Returns the current members that a message goes to, except the sender.
fn readers(write: &Write<'_>, to: &Recipient) -> Result<Vec<MemberName>, StoreError> {
    let (column, value) = match to {
        Recipient::Member(name) => ("name", name.as_str()),
        Recipient::Role(role) => ("role", role.as_str()),
    };
    let mut statement = write.db.prepare_cached(&format!(
        "SELECT name FROM member WHERE {column} = ?1 AND left_ms IS NULL AND name <> ?2 ORDER BY name"
    ))?;
    let mut rows = statement.query((value, write.actor.label()))?;
    let mut members = Vec::new();
    while let Some(row) = rows.next()? {
        members.push(parse(&row.get::<_, String>(0)?)?);
    }
    Ok(members)
}

fn thread_facts(write: &Write<'_>, thread: MessageId) -> Result<ThreadFacts, StoreError> {
    let mut statement = write.db.prepare_cached(
        "SELECT count(*), coalesce(sum(sender = ?2 OR EXISTS (
             SELECT 1 FROM delivery WHERE delivery.message = message.id AND member = ?2)), 0)
         FROM message WHERE thread = ?1",
    )?;
    let (messages, own): (u32, u32) = statement
        .query_row((thread.number(), write.actor.label()), |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    Ok(ThreadFacts {
        id: thread,
        replies: usize::try_from(messages.saturating_sub(1)).unwrap_or(usize::MAX),
        includes_sender: own > 0,
    })
}

/// Returns a member's unacknowledged messages, in order.
pub(super) fn read_unacknowledged(
    db: &Connection,
    member: &MemberName,
) -> Result<Vec<Delivery>, StoreError> {
    let mut statement = db.prepare_cached(
        "SELECT message, thread, state, fetch, fetch_until, urgent
         FROM delivery JOIN message ON message.id = delivery.message
         WHERE member = ?1 AND state <> 'acknowledged' ORDER BY message",
    )?;
    let mut rows = statement.query([member.as_str()])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        all.push(parse_delivery(row)?);
    }
    Ok(all)
}

fn parse_delivery(row: &rusqlite::Row<'_>) -> Result<Delivery, StoreError> {
    let until: Option<String> = row.get(4)?;
    Ok(Delivery {
        message: MessageId::new(row.get(0)?),
        thread: MessageId::new(row.get(1)?),
        state: from_json(&format!("\"{}\"", row.get::<_, String>(2)?))?,
        fetch: row.get(3)?,
        urgent: row.get(5)?,
        until: until.as_deref().map(from_json).transpose()?,
    })
}

/// Returns the caller and its delivery of a message.
fn read_own_delivery<'a>(
    write: &Write<'a>,
    message: MessageId,
) -> Result<(&'a MemberName, Delivery), StoreError> {
    let member = write.actor.name().ok_or(StoreError::NotMember)?;
    let mut statement = write.db.prepare_cached(
        "SELECT message, thread, state, fetch, fetch_until, urgent
         FROM delivery JOIN message ON message.id = delivery.message
         WHERE member = ?1 AND message = ?2",
    )?;
    let found = statement
        .query_row((member.as_str(), message.number()), |row| {
            Ok(parse_delivery(row))
        })
        .optional()?;
    let delivery = found.ok_or(StoreError::Delivery(DeliveryRefusal::Unknown { message }))??;
    Ok((member, delivery))
}

fn write_delivery(
    write: &Write<'_>,
    member: &MemberName,
    delivery: &Delivery,
    kind: &str,
) -> Result<(), StoreError> {
    let until = delivery.until.as_ref().map(to_json).transpose()?;
    write
        .db
        .prepare_cached(
            "UPDATE delivery SET state = ?3, fetch = ?4, fetch_until = ?5,
                 delivered_ms = CASE WHEN ?3 = 'delivered' THEN ?6 ELSE delivered_ms END,
                 acknowledged_ms = CASE WHEN ?3 = 'acknowledged' THEN ?6 END
             WHERE message = ?1 AND member = ?2",
        )?
        .execute((
            delivery.message.number(),
            member.as_str(),
            delivery.state.as_str(),
            delivery.fetch,
            until,
            write.now.wall_ms,
        ))?;
    let detail = json!({ "member": member, "fetch": delivery.fetch });
    write.event(kind, &delivery.message.to_string(), &detail)?;
    Ok(())
}

fn read_letter(db: &Connection, delivery: &Delivery) -> Result<Letter, StoreError> {
    let mut statement = db
        .prepare_cached("SELECT sender, trust, body, sent_ms, urgent FROM message WHERE id = ?1")?;
    let (from, trust, body, sent_ms, urgent): (String, String, String, i64, bool) = statement
        .query_row([delivery.message.number()], |row| {
            Ok((
                row.get(0)?,
                row.get(1)?,
                row.get(2)?,
                row.get(3)?,
                row.get(4)?,
            ))
        })?;
    Ok(Letter {
        message: delivery.message,
        thread: delivery.thread,
        from,
        trust: from_json(&format!("\"{trust}\""))?,
        body,
        sent_ms,
        urgent,
        state: delivery.state,
        fetch: delivery.fetch,
    })
}
