//! A command: what a person types after a slash.

use serde::Deserialize;

use super::front_matter;

/// Stands in a command for what was typed after its name.
pub const ARGUMENTS: &str = "{{arguments}}";

/// What a person types after a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlashCommand {
    /// Its name.
    pub name: String,
    /// What it does, in the host's list.
    pub description: String,
    /// What is typed after it.
    pub arguments: Option<String>,
    /// The skill that does the same, where a host offers skills as commands.
    pub skill: Option<String>,
    /// What the model is told, with [`ARGUMENTS`] in it.
    pub body: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandFront {
    name: String,
    description: String,
    arguments: Option<String>,
    skill: Option<String>,
}

impl SlashCommand {
    /// The command in the file called `stem`.
    pub(crate) fn parse(stem: &str, text: &str) -> Result<Self, String> {
        let parts = front_matter::divide(text, "+++").map_err(|error| error.to_string())?;
        let front: CommandFront = toml::from_str(parts.front).map_err(|error| error.to_string())?;
        if front.name != stem {
            return Err(format!(
                "its name is `{}`, not that of its file",
                front.name
            ));
        }
        let holds = parts.body.matches(ARGUMENTS).count();
        if holds != 1 {
            return Err(format!("it has {ARGUMENTS} {holds} times instead of once"));
        }
        Ok(Self {
            name: front.name,
            description: front.description,
            arguments: front.arguments,
            skill: front.skill,
            body: parts.body.trim().to_owned(),
        })
    }

    /// What the model is told, with `placeholder` for what was typed.
    pub fn body_with(&self, placeholder: &str) -> String {
        self.body.replace(ARGUMENTS, placeholder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_drops_what_was_typed_is_refused() {
        let text = "+++\nname = \"a\"\ndescription = \"b\"\n+++\nDo it.\n";
        let refused = SlashCommand::parse("a", text).unwrap_err();
        assert_eq!(refused, "it has {{arguments}} 0 times instead of once");
        let refused = SlashCommand::parse("b", text).unwrap_err();
        assert_eq!(refused, "its name is `a`, not that of its file");
    }
}
