//! The caller of a request.

use crate::id::{MemberName, RoleName};
use crate::mail::Trust;

/// The caller of a request. A member is identified only by its token.
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

/// The role of the lead.
pub(super) const LEAD: &str = "lead";
/// The names of a person and of the team itself, which no member may use.
pub(super) const RESERVED: [&str; 2] = ["person", "team"];

impl Actor {
    /// Returns the actor for a person at a terminal. The caller must verify that it is a person;
    /// this never follows from anything that a member says.
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

    /// Returns the name in events and messages.
    pub fn label(&self) -> &str {
        match &self.0 {
            ActorKind::Member { name, .. } => name.as_str(),
            ActorKind::Person => RESERVED[0],
            ActorKind::Team => RESERVED[1],
        }
    }

    /// Returns its name if it is a member.
    pub const fn name(&self) -> Option<&MemberName> {
        match &self.0 {
            ActorKind::Member { name, .. } => Some(name),
            ActorKind::Person | ActorKind::Team => None,
        }
    }

    /// Returns its role if it is a member.
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

    /// Returns how far it is trusted.
    pub fn trust(&self) -> Trust {
        match &self.0 {
            ActorKind::Member { role, .. } if role.as_str() == LEAD => Trust::Lead,
            ActorKind::Member { .. } => Trust::Peer,
            ActorKind::Person => Trust::Person,
            ActorKind::Team => Trust::Team,
        }
    }
}
