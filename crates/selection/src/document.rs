//! The text of a skill, by field.

/// The text of a skill that requests are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillText {
    /// Its name, such as `code-review`.
    pub name: String,
    /// When to use it.
    pub description: String,
    /// Phrases that call for it.
    pub triggers: Vec<String>,
    /// Similar phrases that do not call for it.
    pub counter_phrases: Vec<String>,
    /// Requests that call for it, in any language.
    pub examples: Vec<String>,
    /// The headings of its sections.
    pub headings: Vec<String>,
    /// Its text, without headings.
    pub body: String,
    /// The roles that may get it; empty if every role may.
    pub roles: Vec<String>,
    /// The hosts that may get it; empty if every host may.
    pub hosts: Vec<String>,
}

/// A field of a document, each with its own weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkillField {
    /// Phrases that call for it.
    Triggers,
    /// Its name.
    Name,
    /// When to use it.
    Description,
    /// The headings of its sections.
    Headings,
    /// Its text.
    Body,
}

impl SkillField {
    /// All fields, in the order of their weights.
    pub const ALL: [Self; 5] = [
        Self::Triggers,
        Self::Name,
        Self::Description,
        Self::Headings,
        Self::Body,
    ];

    /// Its name in an explanation.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Triggers => "triggers",
            Self::Name => "name",
            Self::Description => "description",
            Self::Headings => "headings",
            Self::Body => "body",
        }
    }
}

/// The role and the host that skills are chosen for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asker<'a> {
    /// The role; `None` allows skills of every role.
    pub role: Option<&'a str>,
    /// The host that the model runs in; `None` allows skills of every host.
    pub host: Option<&'a str>,
}

/// Why a skill is left out before it is compared with the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// It is for other roles.
    Role,
    /// It is for other hosts.
    Host,
}

impl SkillText {
    /// Returns why `asker` does not get it, or `None` if it may.
    pub fn exclusion(&self, asker: Asker<'_>) -> Option<Exclusion> {
        let lacks = |wanted: Option<&str>, all: &[String]| {
            wanted.is_some_and(|one| !all.is_empty() && !all.iter().any(|it| it == one))
        };
        if lacks(asker.role, &self.roles) {
            return Some(Exclusion::Role);
        }
        lacks(asker.host, &self.hosts).then_some(Exclusion::Host)
    }

    /// Returns the texts of a field; a phrase never spans two of them.
    pub(crate) fn texts(&self, field: SkillField) -> Vec<&str> {
        match field {
            SkillField::Triggers => self.triggers.iter().map(String::as_str).collect(),
            SkillField::Name => vec![&self.name],
            SkillField::Description => vec![&self.description],
            SkillField::Headings => self.headings.iter().map(String::as_str).collect(),
            SkillField::Body => vec![&self.body],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_other_roles_or_hosts_is_left_out_and_what_names_none_is_for_all() {
        let document = SkillText {
            roles: vec!["critic".into()],
            hosts: vec!["codex".into()],
            ..SkillText::default()
        };
        let exclusion = |role, host| document.exclusion(Asker { role, host });
        assert_eq!(exclusion(None, None), None);
        assert_eq!(exclusion(Some("critic"), Some("codex")), None);
        assert_eq!(
            exclusion(Some("lead"), Some("codex")),
            Some(Exclusion::Role)
        );
        assert_eq!(
            exclusion(Some("critic"), Some("gemini")),
            Some(Exclusion::Host)
        );
        let for_all = SkillText::default();
        let asker = Asker {
            role: Some("lead"),
            host: Some("gemini"),
        };
        assert_eq!(for_all.exclusion(asker), None);
    }
}
