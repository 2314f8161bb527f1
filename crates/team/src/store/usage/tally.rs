//! Counts the outcomes of members' requests from the events.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde_json::Value;

use crate::id::{MemberName, SessionId, TaskId};
use crate::store::actor::RESERVED;
use crate::store::error::StoreError;
use crate::store::rows::{from_json, parse};

/// The kind of a counted outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyKind {
    /// A refused claim.
    ClaimRefused,
    /// A lease that expired or was revoked.
    LeaseLost,
    /// A message that was sent.
    MailSent,
}

/// A counted outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Its kind.
    pub kind: TallyKind,
    /// The member.
    pub member: MemberName,
    /// The last session that the member had started by then.
    pub session: Option<SessionId>,
    /// When it happened, in milliseconds since 1970.
    pub at_ms: i64,
}

/// The event kind of a refused claim.
pub(in crate::store) const CLAIM_REFUSED: &str = "claim.refused";

const EVENTS: &str = "SELECT at_ms, actor, kind, subject, detail FROM event
    WHERE kind IN ('task.claimed', 'task.revoked', 'claim.refused', 'mail.sent', 'session.spawning')
    ORDER BY seq";

pub(super) fn read(db: &Connection) -> Result<Vec<Tally>, StoreError> {
    let mut holders: BTreeMap<TaskId, MemberName> = BTreeMap::new();
    let mut sessions: BTreeMap<MemberName, SessionId> = BTreeMap::new();
    let mut tallies = Vec::new();
    let mut statement = db.prepare_cached(EVENTS)?;
    let mut rows = statement.query(())?;
    while let Some(row) = rows.next()? {
        let text = |at: usize| row.get::<_, String>(at);
        let named = |key: &str| -> Result<Option<MemberName>, StoreError> {
            let detail: Value = from_json(&text(4)?)?;
            detail
                .get(key)
                .and_then(Value::as_str)
                .map(parse)
                .transpose()
        };
        let (actor, kind, subject) = (text(1)?, text(2)?, text(3)?);
        let (kind, member) = match kind.as_str() {
            "session.spawning" => {
                if let Some(member) = named("member")? {
                    sessions.insert(member, parse(&subject)?);
                }
                continue;
            }
            "task.claimed" => {
                if let Some(holder) = named("holder")? {
                    holders.insert(parse(&subject)?, holder);
                }
                continue;
            }
            "task.revoked" => (TallyKind::LeaseLost, holders.remove(&parse(&subject)?)),
            "mail.sent" => (TallyKind::MailSent, member_from_actor(&actor)),
            CLAIM_REFUSED => (TallyKind::ClaimRefused, member_from_actor(&actor)),
            _ => continue,
        };
        if let Some(member) = member {
            tallies.push(Tally {
                kind,
                session: sessions.get(&member).copied(),
                member,
                at_ms: row.get(0)?,
            });
        }
    }
    Ok(tallies)
}

/// Returns the member that caused an event, or `None` for a person or the team itself.
fn member_from_actor(actor: &str) -> Option<MemberName> {
    let name = actor.parse().ok();
    name.filter(|_| !RESERVED.contains(&actor))
}
