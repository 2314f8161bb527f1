//! Commands that a person types after a slash.

use serde::Deserialize;

use super::front_matter;

/// Placeholder in a command for the text typed after its name.
pub const ARGUMENTS: &str = "{{arguments}}";

/// A command that a person types after a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlashCommand {
    /// Its name.
    pub name: String,
    /// What it does, as shown in the host's list.
    pub description: String,
    /// Its arguments, as shown to the user.
    pub arguments: Option<String>,
    /// The skill that replaces it in hosts that offer skills as commands.
    pub skill: Option<String>,
    /// The prompt, which contains [`ARGUMENTS`] once.
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
    /// Parses the command in the file `stem`.md.
    pub(crate) fn parse(stem: &str, text: &str) -> Result<Self, String> {
        let parts = front_matter::divide(text, "+++").map_err(|error| error.to_string())?;
        let front: CommandFront = toml::from_str(parts.front).map_err(|error| error.to_string())?;
        if front.name != stem {
            return Err(format!(
                "its name `{}` does not match its file name",
                front.name
            ));
        }
        let count = parts.body.matches(ARGUMENTS).count();
        if count != 1 {
            return Err(format!(
                "it contains {ARGUMENTS} {count} times instead of once"
            ));
        }
        Ok(Self {
            name: front.name,
            description: front.description,
            arguments: front.arguments,
            skill: front.skill,
            body: parts.body.trim().to_owned(),
        })
    }

    /// Returns the prompt with `placeholder` for the typed arguments.
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
        assert_eq!(refused, "it contains {{arguments}} 0 times instead of once");
        let refused = SlashCommand::parse("b", text).unwrap_err();
        assert_eq!(refused, "its name `a` does not match its file name");
    }
}
