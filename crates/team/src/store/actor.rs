//! Who asks.

use crate::id::{MemberName, RoleName};
use crate::mail::Trust;

/// Who asks something of a team. That of a member is had by its token alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Member {
        name: MemberName,
        role: RoleName,
        token_hash: [u8; 32],
    },
    Person,
    Team,
}

/// The role that leads.
const LEAD: &str = "lead";
/// What a person and the team itself are called; no member is.
pub(super) const RESERVED: [&str; 2] = ["person", "team"];

impl Actor {
    /// A person at a terminal. That it is one the caller vouches for: it never follows from anything
    /// that a member says.
    pub const fn person() -> Self {
        Self(Kind::Person)
    }

    pub(super) const fn team() -> Self {
        Self(Kind::Team)
    }

    pub(super) const fn member(name: MemberName, role: RoleName, token_hash: [u8; 32]) -> Self {
        Self(Kind::Member {
            name,
            role,
            token_hash,
        })
    }

    /// The name in events and messages.
    pub fn label(&self) -> &str {
        match &self.0 {
            Kind::Member { name, .. } => name.as_str(),
            Kind::Person => RESERVED[0],
            Kind::Team => RESERVED[1],
        }
    }

    /// Its name, if it is a member.
    pub const fn name(&self) -> Option<&MemberName> {
        match &self.0 {
            Kind::Member { name, .. } => Some(name),
            Kind::Person | Kind::Team => None,
        }
    }

    pub(super) const fn token_hash(&self) -> Option<&[u8; 32]> {
        match &self.0 {
            Kind::Member { token_hash, .. } => Some(token_hash),
            Kind::Person | Kind::Team => None,
        }
    }

    /// How far its word goes.
    pub fn trust(&self) -> Trust {
        match &self.0 {
            Kind::Member { role, .. } if role.as_str() == LEAD => Trust::Lead,
            Kind::Member { .. } => Trust::Peer,
            Kind::Person => Trust::Person,
            Kind::Team => Trust::Team,
        }
    }
}
