//! Members: they join, show their token, and leave.

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

/// Who wants to join.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// Under which name; that of a member who left may be taken again.
    pub name: MemberName,
    /// In which role of the roster.
    pub role: RoleName,
    /// In which host.
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
    /// When it joined, in milliseconds since 1970.
    pub joined_ms: i64,
    /// When it left; null while it is there.
    pub left_ms: Option<i64>,
}

/// From where a member joins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinOrigin {
    /// Whether the lead or a person says so: only they let a second lead in.
    pub is_vouched: bool,
    /// The session and processes of the AI tool that joins, empty outside of one. Two members that
    /// share one are the same, whatever they are called.
    pub host: Vec<String>,
}

/// The secret by which a member is known: 256 random bits, of which the store keeps a hash.
///
/// It goes into a file beside the work tree's git folder or into the environment of a process that
/// Agon starts, and never into a prompt, a result or a log: printed for debugging it is blank.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MemberToken(String);

impl MemberToken {
    /// The token as it stands in a file.
    pub fn from_text(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The token, to be written where it belongs.
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

    // A plain hash will do: 256 random bits are not guessed.
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
    /// Lets a member join, and gives the only copy of its token.
    ///
    /// # Errors
    ///
    /// If a member who is there has the name.
    pub fn join(&mut self, request: &JoinRequest) -> Result<MemberToken, StoreError> {
        let origin = JoinOrigin {
            is_vouched: true,
            ..JoinOrigin::default()
        };
        self.join_as(request, false, &origin, |_| Ok(()))
    }

    /// Lets a member join and binds it to a work tree. Its token is written there before the change is
    /// kept: one who is killed in between leaves a token that is worth nothing, and its name is free.
    ///
    /// # Errors
    ///
    /// As [`Team::join`], if it would lead beside another lead and no one vouches for it, and if the
    /// token cannot be written: then it has not joined.
    pub fn join_in(
        &mut self,
        request: &JoinRequest,
        location: &TeamLocation,
        origin: &JoinOrigin,
    ) -> Result<MemberToken, StoreError> {
        self.join_as(request, false, origin, |token| {
            location.write_token(&request.name, token)
        })
    }

    /// Lets a member join that Agon starts. One that it started before takes the role and the AI tool of
    /// this request, and gets another token: the one before is worth nothing then.
    ///
    /// # Errors
    ///
    /// If a member has the name who joined by itself, or one that is at work: its token stays.
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
                refuse_at_work(write, name)?;
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

    /// Gives a member that Agon starts again another token; the one before is worth nothing then.
    ///
    /// # Errors
    ///
    /// If there is no such member, or it joined by itself.
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

    /// The member whose token this is.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotMember`] if it is that of none who is there.
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

    /// Lets a member go: itself, or one that the lead or a person names. Its leases and locks end,
    /// its token is worth nothing, and its mail stays.
    ///
    /// # Errors
    ///
    /// If there is no such member, or another peer asks.
    pub fn leave(&mut self, actor: &Actor, name: &MemberName) -> Result<(), StoreError> {
        self.write(actor, |write| {
            if actor.name() != Some(name) {
                write.require_lead("let another member go")?;
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
            // What is kept for a member who left could be claimed by no one.
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

    /// Everyone who is or was a member, by name.
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
fn refuse_at_work(write: &Write<'_>, name: &MemberName) -> Result<(), StoreError> {
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

/// Whether a member who is there leads.
fn has_lead(db: &Connection) -> Result<bool, StoreError> {
    let found = db
        .prepare_cached("SELECT 1 FROM member WHERE role = ?1 AND left_ms IS NULL LIMIT 1")?
        .query_row([LEAD], |_| Ok(()))
        .optional()?;
    Ok(found.is_some())
}

/// The sessions and processes of AI tools from which a member of this name ever joined.
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

/// Whether two members joined from one session of an AI tool.
pub(super) fn share_origin(db: &Connection, one: &str, other: &str) -> Result<bool, StoreError> {
    let ours = origins(db, one)?;
    Ok(!ours.is_empty() && origins(db, other)?.iter().any(|it| ours.contains(it)))
}
