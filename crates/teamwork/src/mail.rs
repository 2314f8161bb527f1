//! Sends, fetches, acknowledges and rereads mail between members.

use agon_caller::depth::refuse_nested;
use agon_caller::system::format_time;
use agon_caller::{Caller, Failure};
use agon_team::id::{MemberName, MessageId, RoleName};
use agon_team::mail::{MailRefusal, MailState};
use agon_team::store::{Actor, Letter, MailHeader, MailRequest, Recipient, StoreError, Team};
use schemars::JsonSchema;
use serde::Serialize;

use super::mail_budget::{Cursor, MailBudget, TeamLetter, show_all, show_within};
use super::member::actor;
use super::open_team::{failure, open};
use super::spans::RequestSpan;
use super::text::{clean, clean_line};

/// The name and version of the document about a sent message.
pub const TEAM_MAIL_SENT_SCHEMA: &str = "agon.team_mail_sent/1";
/// The name and version of the mail document.
pub const TEAM_MAIL_SCHEMA: &str = "agon.team_mail/1";
/// The name and version of the message list document.
pub const TEAM_MAIL_LIST_SCHEMA: &str = "agon.team_mail_list/1";
/// The name and version of the document about acknowledged messages.
pub const TEAM_MAIL_ACKNOWLEDGED_SCHEMA: &str = "agon.team_mail_acknowledged/1";

/// A message that was sent: `agon.team_mail_sent/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMailSentDoc {
    #[schemars(extend("const" = TEAM_MAIL_SENT_SCHEMA))]
    schema: &'static str,
    /// Its id.
    pub message: MessageId,
    /// Its thread.
    pub thread: MessageId,
    /// Whether a message with the same key had been sent before; it was not sent again.
    pub repeated: bool,
}

/// Messages to the caller's member: `agon.team_mail/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMailDoc {
    #[schemars(extend("const" = TEAM_MAIL_SCHEMA))]
    schema: &'static str,
    /// The messages, in order.
    pub letters: Vec<TeamLetter>,
    /// The number of messages still to be fetched.
    pub unread: u64,
    /// The number of urgent messages among those.
    pub urgent: u64,
    /// The number of delivered messages, including these, that are not acknowledged.
    pub unacknowledged: u64,
    /// Where a thread continues if it was cut; null if it is complete.
    pub next: Option<Cursor>,
}

/// Messages that were acknowledged: `agon.team_mail_acknowledged/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMailAcknowledgedDoc {
    #[schemars(extend("const" = TEAM_MAIL_ACKNOWLEDGED_SCHEMA))]
    schema: &'static str,
    /// The ids of the messages.
    pub acknowledged: Vec<MessageId>,
    /// The number of messages still to be fetched.
    pub unread: u64,
    /// The number of delivered messages that are not acknowledged.
    pub unacknowledged: u64,
}

/// A message to send. Its sender and trust follow from the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendRequest {
    /// A member, or a role: all members with that role except the sender.
    pub to: String,
    /// The text.
    pub body: String,
    /// The thread to reply in.
    pub thread: Option<MessageId>,
    /// Whether its readers get it before other messages.
    pub urgent: bool,
    /// A key; a message with the same key is sent only once.
    pub key: Option<String>,
}

/// Sends a message to all of its recipients, or to none. Secrets and invisible characters are
/// removed.
///
/// # Errors
///
/// Fails if there is no such recipient, the text is empty or too long, an inbox is full, or the
/// thread has reached its limit of replies.
pub fn send(caller: &Caller, request: &SendRequest) -> Result<TeamMailSentDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let max = team.limits().mail.max_bytes;
    let bytes = request.body.len();
    // Check the length before cleaning, which would take long for a huge text.
    if bytes > max {
        let refusal = MailRefusal::TooLong { bytes, max };
        return Err(failure(StoreError::Mail(refusal)));
    }
    let request = MailRequest {
        to: recipient(&mut team, &request.to)?,
        body: clean(&request.body).trim().to_owned(),
        thread: request.thread,
        urgent: request.urgent,
        key: request.key.as_deref().map(clean_line),
    };
    let span = RequestSpan::begin("mail", "send", request.thread.as_ref().map(|it| it as _));
    span.by(actor.label());
    let receipt = span.end(team.send(&actor, &request).map_err(failure))?;
    Ok(TeamMailSentDoc {
        schema: TEAM_MAIL_SENT_SCHEMA,
        message: receipt.message,
        thread: receipt.thread,
        repeated: receipt.repeated,
    })
}

/// Messages without their texts: `agon.team_mail_list/1`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TeamMailListDoc {
    #[schemars(extend("const" = TEAM_MAIL_LIST_SCHEMA))]
    schema: &'static str,
    /// The messages, the earliest first. The lead and a person see all messages, other members only
    /// their own.
    pub messages: Vec<MailHeader>,
}

/// Which messages to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailFilter {
    /// Only messages that a recipient has not fetched yet.
    pub unread: bool,
    /// Only urgent ones.
    pub urgent: bool,
}

/// Lists messages with their senders, recipients and states. The lead and a person see all
/// messages, other members only messages that they sent or received. Returns the last `max`
/// messages.
///
/// # Errors
///
/// Fails if the caller is not a member.
pub fn list(
    caller: &Caller,
    filter: &MailFilter,
    max: Option<usize>,
) -> Result<TeamMailListDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let mut messages = team.mail_headers(&actor).map_err(failure)?;
    let waits = |state: &MailState| *state < MailState::Delivered;
    messages.retain(|it| {
        (!filter.urgent || it.urgent) && (!filter.unread || it.readers.values().any(waits))
    });
    let earlier = messages.len().saturating_sub(max.unwrap_or(usize::MAX));
    messages.drain(..earlier);
    for header in &mut messages {
        // The file can be edited by hand, so an invalid name is not printed.
        let is_name = header.from.parse::<MemberName>().is_ok();
        if !is_name {
            "unknown".clone_into(&mut header.from);
        }
        header.to = clean_line(&header.to);
    }
    Ok(TeamMailListDoc {
        schema: TEAM_MAIL_LIST_SCHEMA,
        messages,
    })
}

/// Formats the time when a message was sent by the wall clock, in a form that sorts.
pub fn format_mail_time(header: &MailHeader) -> String {
    format_time(u64::try_from(header.sent_ms).unwrap_or_default())
}

/// Returns the member with this name, otherwise the role.
fn recipient(team: &mut Team, to: &str) -> Result<Recipient, Failure> {
    let unknown = || {
        let to = clean_line(to).chars().take(40).collect();
        failure(StoreError::Mail(MailRefusal::NoRecipient { to }))
    };
    let name: MemberName = to.parse().map_err(|_| unknown())?;
    let members = team.members().map_err(failure)?;
    if members
        .iter()
        .any(|member| member.name == name && member.left_ms.is_none())
    {
        return Ok(Recipient::Member(name));
    }
    let role: RoleName = to.parse().map_err(|_| unknown())?;
    Ok(Recipient::Role(role))
}

/// Which messages to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchRequest {
    /// The most messages.
    pub max: usize,
    /// Whether to return delivered but unacknowledged messages instead of new ones.
    pub again: bool,
    /// The room for them; without a limit, each message is returned in full.
    pub budget: Option<MailBudget>,
}

/// Passes the caller's unread messages to `hand_over`. They count as delivered once it succeeds;
/// until then they are offered again.
///
/// # Errors
///
/// If the caller is not a member, or `hand_over` fails.
pub fn fetch(
    caller: &Caller,
    request: &FetchRequest,
    hand_over: impl FnOnce(&TeamMailDoc) -> Result<(), Failure>,
) -> Result<TeamMailDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let FetchRequest { max, again, budget } = *request;
    let max_bytes = budget.map_or(usize::MAX, |budget| budget.bytes());
    let span = RequestSpan::begin("mail", "fetch", None);
    span.by(actor.label());
    let found = match again {
        true => team
            .unacknowledged(&actor)
            .map(|all| take_within_bytes(all, max, max_bytes)),
        false => team.fetch_up_to_bytes(&actor, max, max_bytes),
    };
    let letters = span.end(found.map_err(failure))?;
    let new = letters.iter().filter(|_| !again).count() as u64;
    let shown = match budget {
        Some(budget) => show_all(&letters, budget)?,
        None => show_all(&letters, MailBudget::UNLIMITED)?,
    };
    let mut document = document(&mut team, &actor, shown, None)?;
    document.unacknowledged += new;
    hand_over(&document)?;
    if !again {
        for letter in &letters {
            team.deliver(&actor, letter.message, letter.fetch)
                .map_err(failure)?;
        }
    }
    Ok(document)
}

/// Returns the first messages that fit, and at least one.
fn take_within_bytes(letters: Vec<Letter>, max: usize, max_bytes: usize) -> Vec<Letter> {
    let mut bytes = 0_usize;
    let mut first = true;
    letters
        .into_iter()
        .take(max)
        .take_while(|letter| {
            bytes = bytes.saturating_add(letter.body.len());
            std::mem::take(&mut first) || bytes <= max_bytes
        })
        .collect()
}

/// Marks messages as read by the caller's member.
///
/// # Errors
///
/// Fails if a message was not delivered to the member; the ones before it stay acknowledged.
pub fn acknowledge(
    caller: &Caller,
    messages: &[MessageId],
) -> Result<TeamMailAcknowledgedDoc, Failure> {
    refuse_nested(caller)?;
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    for message in messages {
        let span = RequestSpan::begin("mail", "ack", Some(message));
        span.by(actor.label());
        span.end(team.acknowledge(&actor, *message).map_err(failure))?;
    }
    let (unread, unacknowledged) = counts(&mut team, &actor)?;
    Ok(TeamMailAcknowledgedDoc {
        schema: TEAM_MAIL_ACKNOWLEDGED_SCHEMA,
        acknowledged: messages.to_vec(),
        unread,
        unacknowledged,
    })
}

/// Returns the messages of a thread, starting at `from` if it is given: all of them for the lead
/// and a person, only those that they sent or received for other members.
///
/// # Errors
///
/// Fails if there is no such message for the caller.
pub fn thread(
    caller: &Caller,
    thread: MessageId,
    from: Option<&Cursor>,
    budget: Option<MailBudget>,
) -> Result<TeamMailDoc, Failure> {
    let (mut team, location) = open(caller)?;
    let actor = actor(caller, &team, &location)?;
    let letters = team.thread(&actor, thread).map_err(failure)?;
    let (shown, next) = match budget {
        Some(budget) => show_within(&letters, from, budget)?,
        None => show_within(&letters, from, MailBudget::UNLIMITED)?,
    };
    document(&mut team, &actor, shown, next)
}

fn document(
    team: &mut Team,
    actor: &Actor,
    letters: Vec<TeamLetter>,
    next: Option<Cursor>,
) -> Result<TeamMailDoc, Failure> {
    let (unread, unacknowledged) = counts(team, actor)?;
    let urgent = match actor.name() {
        Some(name) => team.unread_and_urgent(name).map_err(failure)?.1 as u64,
        None => 0,
    };
    Ok(TeamMailDoc {
        schema: TEAM_MAIL_SCHEMA,
        letters,
        unread,
        urgent,
        unacknowledged,
        next,
    })
}

/// Returns how many messages a member has unread, and how many delivered but unacknowledged.
pub(super) fn counts(team: &mut Team, actor: &Actor) -> Result<(u64, u64), Failure> {
    let Some(name) = actor.name() else {
        return Ok((0, 0));
    };
    let unread = team.unread(name).map_err(failure)?;
    let open = team.unacknowledged(actor).map_err(failure)?.len();
    Ok((unread as u64, open as u64))
}
