//! Who asks.

use crate::id::{MemberName, RoleName};
use crate::mail::Trust;

/// Who asks something of a team. That of a member is had by its token alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor(ActorKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum ActorKind {
    Member {
        name: MemberName,
        role: RoleName,
        token_hash: [u8; 32],
    },
    Person,
    Team,
}

/// The role that leads.
pub(super) const LEAD: &str = "lead";
/// What a person and the team itself are called; no member is.
pub(super) const RESERVED: [&str; 2] = ["person", "team"];

impl Actor {
    /// A person at a terminal. That it is one the caller vouches for: it never follows from anything
    /// that a member says.
    pub const fn person() -> Self {
        Self(ActorKind::Person)
    }

    pub(super) const fn team() -> Self {
        Self(ActorKind::Team)
    }

    pub(super) const fn member(name: MemberName, role: RoleName, token_hash: [u8; 32]) -> Self {
        Self(ActorKind::Member {
            name,
            role,
            token_hash,
        })
    }

    /// The name in events and messages.
    pub fn label(&self) -> &str {
        match &self.0 {
            ActorKind::Member { name, .. } => name.as_str(),
            ActorKind::Person => RESERVED[0],
            ActorKind::Team => RESERVED[1],
        }
    }

    /// Its name, if it is a member.
    pub const fn name(&self) -> Option<&MemberName> {
        match &self.0 {
            ActorKind::Member { name, .. } => Some(name),
            ActorKind::Person | ActorKind::Team => None,
        }
    }

    /// Its role, if it is a member.
    pub const fn role(&self) -> Option<&RoleName> {
        match &self.0 {
            ActorKind::Member { role, .. } => Some(role),
            ActorKind::Person | ActorKind::Team => None,
        }
    }

    pub(super) const fn token_hash(&self) -> Option<&[u8; 32]> {
        match &self.0 {
            ActorKind::Member { token_hash, .. } => Some(token_hash),
            ActorKind::Person | ActorKind::Team => None,
        }
    }

    /// How far its word goes.
    pub fn trust(&self) -> Trust {
        match &self.0 {
            ActorKind::Member { role, .. } if role.as_str() == LEAD => Trust::Lead,
            ActorKind::Member { .. } => Trust::Peer,
            ActorKind::Person => Trust::Person,
            ActorKind::Team => Trust::Team,
        }
    }
}
