//! Parts of the content that can be installed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Content, ContentError, embedded, team};

/// A part of the content that can be installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentSet {
    /// Everything that debates need.
    #[default]
    Debate,
    /// Everything that teams need: roles, with their commands and skills.
    Team,
    /// Both.
    All,
}

impl ContentSet {
    /// All parts.
    pub const ALL: [Self; 3] = [Self::Debate, Self::Team, Self::All];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debate => "debate",
            Self::Team => "team",
            Self::All => "all",
        }
    }

    /// Returns its content. The team's part includes debate skills that one of its roles uses.
    ///
    /// # Errors
    ///
    /// If a file does not have the format of its folder; a test makes sure that all do.
    pub fn content(self) -> Result<Content, ContentError> {
        match self {
            Self::Debate => embedded(),
            Self::Team => {
                let mut content = team()?;
                let given = content.roles.iter().flat_map(|role| &role.skills);
                let given: BTreeSet<_> = given.cloned().collect();
                let shared = embedded()?.skills.into_iter();
                let shared = shared.filter(|skill| given.contains(&skill.name));
                content.skills.extend(shared);
                Ok(content)
            }
            Self::All => {
                let (mut content, team) = (embedded()?, team()?);
                content.skills.extend(team.skills);
                content.commands.extend(team.commands);
                content.agents.extend(team.agents);
                content.roles.extend(team.roles);
                Ok(content)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_has_every_skill_that_a_role_of_it_is_given() {
        for set in [ContentSet::Team, ContentSet::All] {
            let content = set.content().unwrap();
            let names = content.skills.iter().map(|skill| skill.name.as_str());
            let names: BTreeSet<_> = names.collect();
            assert_eq!(names.len(), content.skills.len(), "{set:?}");
            for role in &content.roles {
                for skill in &role.skills {
                    assert!(names.contains(skill.as_str()), "{}: {skill}", role.name);
                }
            }
        }
    }

    #[test]
    fn each_set_has_its_own_part() {
        let counts = ContentSet::ALL.map(|set| {
            let content = set.content().unwrap();
            let Content {
                skills,
                commands,
                agents,
                roles,
            } = content;
            [skills.len(), commands.len(), agents.len(), roles.len()]
        });
        assert_eq!(counts, [[4, 6, 3, 0], [24, 8, 0, 20], [25, 14, 3, 20]]);
    }
}
