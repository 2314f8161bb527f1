//! Members: joining, authentication and leaving.

use std::fmt;

use rusqlite::{Connection, OptionalExtension as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::id::{MemberName, RoleName, SessionId, TaskId};
use crate::store::actor::{Actor, LEAD, RESERVED};
use crate::store::edits::assign;
use crate::store::error::StoreError;
use crate::store::location::TeamLocation;
use crate::store::queue::apply_step;
use crate::store::rows::{parse, read_tasks};
use crate::store::team::Team;
use crate::store::write::Write;
use crate::task::{Assignee, TaskStep};

/// A request to join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The name. The name of a member who left may be reused.
    pub name: MemberName,
    /// The role in the roster.
    pub role: RoleName,
    /// The AI tool.
    pub host: String,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberDoc {
    /// Its name.
    pub name: MemberName,
    /// Its role.
    pub role: RoleName,
    /// Its host.
    pub host: String,
    /// Its AI tool.
    pub joined_ms: i64,
    /// When it left, in milliseconds since 1970; null for a current member.
    pub left_ms: Option<i64>,
}

/// Where a member joins from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinOrigin {
    /// Whether the lead or a person vouches for it; without that, a second lead is refused.
    pub is_vouched: bool,
    /// The session and processes of the joining AI tool; empty outside one. Two members that share
    /// any of them count as the same.
    pub host: Vec<String>,
}

/// The secret that identifies a member: 256 random bits, of which the store keeps only a hash.
///
/// It is written to a file beside the work tree's git data, or passed in the environment of a
/// process that Agon starts. It never appears in prompts, results or logs; debug output hides it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemberToken(String);

impl MemberToken {
    /// Reads a token from a file's text.
    pub fn from_text(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// Returns the token's text, to be written to its file or variable.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn mint() -> Result<Self, StoreError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| StoreError::Entropy)?;
        Ok(Self(
            bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    // A plain hash suffices, because 256 random bits cannot be guessed.
    fn hash(&self) -> [u8; 32] {
        *blake3::hash(self.0.as_bytes()).as_bytes()
    }
}

impl fmt::Debug for MemberToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemberToken(…)")
    }
}

impl Team {
    /// Lets a member join, and returns the only copy of its token.
    ///
    /// # Errors
    ///
    /// Fails if a current member has the name.
    pub fn join(&mut self, request: &JoinRequest) -> Result<MemberToken, StoreError> {
        let origin = JoinOrigin {
            is_vouched: true,
            ..JoinOrigin::default()
        };
        self.join_as(request, false, &origin, |_| Ok(()))
    }

    /// Lets a member join and binds it to a work tree. Its token is written there before the
    /// transaction commits. If the process is killed in between, that token is worthless and the
    /// name is free.
    ///
    /// # Errors
    ///
    /// Fails like [`Team::join`], if it would be a second lead that no member vouches for, or if the
    /// token cannot be written; the member has not joined then.
    pub fn join_in_work_tree(
        &mut self,
        request: &JoinRequest,
        location: &TeamLocation,
        origin: &JoinOrigin,
    ) -> Result<MemberToken, StoreError> {
        self.join_as(request, false, origin, |token| {
            location.write_token(&request.name, token)
        })
    }

    /// Lets a member join that Agon starts. A member that Agon started earlier gets this request's
    /// role and AI tool, and a new token that replaces the old one.
    ///
    /// # Errors
    ///
    /// Fails if a member that joined by hand, or one that is at work, has the name; its token stays
    /// valid.
    pub fn join_started(&mut self, request: &JoinRequest) -> Result<MemberToken, StoreError> {
        let origin = JoinOrigin {
            is_vouched: true,
            ..JoinOrigin::default()
        };
        self.join_as(request, true, &origin, |_| Ok(()))
    }

    fn join_as(
        &mut self,
        request: &JoinRequest,
        started: bool,
        origin: &JoinOrigin,
        keep: impl FnOnce(&MemberToken) -> Result<(), StoreError>,
    ) -> Result<MemberToken, StoreError> {
        let token = MemberToken::mint()?;
        let JoinRequest { name, role, host } = request;
        self.write(&Actor::team(), |write| {
            write.check_line("host", host)?;
            if RESERVED.contains(&name.as_str()) {
                return Err(StoreError::NameTaken(name.clone()));
            }
            if started {
                refuse_open_session(write, name)?;
            }
            if role.as_str() == LEAD && !origin.is_vouched && has_lead(write.db)? {
                return Err(StoreError::SecondLead(name.clone()));
            }
            let changed = write
                .db
                .prepare_cached(
                    "INSERT INTO member (name, role, host, token_hash, joined_ms, started)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                     ON CONFLICT (name) DO UPDATE SET role = ?2, host = ?3, token_hash = ?4,
                         joined_ms = ?5, left_ms = NULL, started = ?6
                     WHERE left_ms IS NOT NULL OR (member.started = 1 AND ?6)",
                )?
                .execute((
                    name.as_str(),
                    role.as_str(),
                    host,
                    token.hash().as_slice(),
                    write.now.wall_ms,
                    started,
                ))?;
            if changed == 0 {
                return Err(StoreError::NameTaken(name.clone()));
            }
            let mut detail = json!({ "role": role, "host": host });
            if !origin.host.is_empty() {
                detail["origin"] = json!(origin.host);
            }
            write.event("member.joined", name.as_str(), &detail)?;
            keep(&token)
        })?;
        Ok(token)
    }

    /// Returns a new token for a member that Agon restarts; the old one becomes invalid.
    ///
    /// # Errors
    ///
    /// Fails if there is no such member, or it joined by hand.
    pub fn renew_token(&mut self, name: &MemberName) -> Result<MemberToken, StoreError> {
        let token = MemberToken::mint()?;
        self.write(&Actor::team(), |write| {
            let changed = write
                .db
                .prepare_cached(
                    "UPDATE member SET token_hash = ?2 WHERE name = ?1 AND left_ms IS NULL
                         AND started = 1",
                )?
                .execute((name.as_str(), token.hash().as_slice()))?;
            if changed == 0 {
                return Err(StoreError::NameTaken(name.clone()));
            }
            write.event("member.token_renewed", name.as_str(), &json!({}))?;
            Ok(())
        })?;
        Ok(token)
    }

    /// Returns the member that a token belongs to.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotMember`] if it belongs to no current member.
    pub fn authenticate(&self, token: &MemberToken) -> Result<Actor, StoreError> {
        let hash = token.hash();
        let mut statement = self
            .db()
            .prepare_cached("SELECT name, role FROM member WHERE token_hash = ?1")?;
        let found: Option<(String, String)> = statement
            .query_row([hash.as_slice()], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let (name, role) = found.ok_or(StoreError::NotMember)?;
        Ok(Actor::member(parse(&name)?, parse(&role)?, hash))
    }

    /// Lets a member leave: the caller itself, or one named by the lead or a person. Its leases and
    /// locks end, its token becomes invalid, and its mail stays.
    ///
    /// # Errors
    ///
    /// Fails if there is no such member, or another member than the lead names it.
    pub fn leave(&mut self, actor: &Actor, name: &MemberName) -> Result<(), StoreError> {
        self.write(actor, |write| {
            if actor.name() != Some(name) {
                write.require_lead("remove another member")?;
            }
            let changed = write
                .db
                .prepare_cached(
                    "UPDATE member SET token_hash = NULL, left_ms = ?2
                     WHERE name = ?1 AND left_ms IS NULL",
                )?
                .execute((name.as_str(), write.now.wall_ms))?;
            if changed == 0 {
                return Err(StoreError::NoMember(name.clone()));
            }
            write.event("member.left", name.as_str(), &json!({}))?;
            let mut statement = write
                .db
                .prepare_cached("SELECT id FROM task WHERE holder = ?1")?;
            let rows = statement.query_map([name.as_str()], |row| row.get(0).map(TaskId::new))?;
            let tasks: Vec<TaskId> = rows.collect::<Result<_, _>>()?;
            for task in tasks {
                let note = format!("{name} left");
                apply_step(write, task, &TaskStep::Revoke { note }, None)?;
            }
            // Remove the assignments to this member: no other member could claim those tasks.
            let kept = Assignee::Member(name.clone());
            let kept = read_tasks(write.db)?
                .into_iter()
                .filter(|task| task.assignee.as_ref() == Some(&kept));
            for task in kept {
                assign(write, &task, None)?;
            }
            Ok(())
        })
    }

    /// Returns all current and former members, sorted by name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn members(&mut self) -> Result<Vec<MemberDoc>, StoreError> {
        read_members(self.read()?)
    }
}

pub(super) fn read_members(db: &Connection) -> Result<Vec<MemberDoc>, StoreError> {
    let mut statement =
        db.prepare_cached("SELECT name, role, host, joined_ms, left_ms FROM member ORDER BY name")?;
    let mut rows = statement.query(())?;
    let mut members = Vec::new();
    while let Some(row) = rows.next()? {
        members.push(MemberDoc {
            name: parse(&row.get::<_, String>(0)?)?,
            role: parse(&row.get::<_, String>(1)?)?,
            host: row.get(2)?,
            joined_ms: row.get(3)?,
            left_ms: row.get(4)?,
        });
    }
    Ok(members)
}

/// Refuses a member with a session that has not ended.
fn refuse_open_session(write: &Write<'_>, name: &MemberName) -> Result<(), StoreError> {
    let open: Option<i64> = write
        .db
        .prepare_cached(
            "SELECT id FROM session WHERE member = ?1 AND closed = 0 AND ending IS NULL",
        )?
        .query_row([name.as_str()], |row| row.get(0))
        .optional()?;
    match open {
        None => Ok(()),
        Some(open) => Err(StoreError::HasSession {
            member: name.clone(),
            session: SessionId::new(open),
        }),
    }
}

/// Returns whether a current member is the lead.
fn has_lead(db: &Connection) -> Result<bool, StoreError> {
    let found = db
        .prepare_cached("SELECT 1 FROM member WHERE role = ?1 AND left_ms IS NULL LIMIT 1")?
        .query_row([LEAD], |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}

/// Returns the sessions and processes of AI tools from which a member with this name ever joined.
fn origins(db: &Connection, name: &str) -> Result<Vec<String>, StoreError> {
    let mut rows = db
        .prepare_cached("SELECT detail FROM event WHERE kind = 'member.joined' AND subject = ?1")?;
    let details = rows.query_map([name], |row| row.get::<_, String>(0))?;
    let mut all = Vec::new();
    for detail in details {
        let detail: serde_json::Value = serde_json::from_str(&detail?).unwrap_or_default();
        let list = detail["origin"].as_array().into_iter().flatten();
        all.extend(list.filter_map(|it| Some(it.as_str()?.to_owned())));
    }
    Ok(all)
}

/// Returns whether two members joined from the same session of an AI tool.
pub(super) fn share_origin(db: &Connection, one: &str, other: &str) -> Result<bool, StoreError> {
    let ours = origins(db, one)?;
    Ok(!ours.is_empty() && origins(db, other)?.iter().any(|it| ours.contains(it)))
}
