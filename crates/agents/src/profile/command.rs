//! An agent without a profile, by the name of its program.

use agon_record::spec::ToolName;

use super::Profile;

/// What stands before the program in the name of such an agent.
const PREFIX: &str = "acp:";

/// What holds for each of them.
const ANY: &str = include_str!("../../tools/any.toml");

impl Profile {
    /// The profile of an agent that is named by its program: `acp:my-agent` starts `my-agent`,
    /// looked for like any other, without arguments.
    ///
    /// Nothing is known of it. So nothing is granted that it asks for, and where it offers modes
    /// it must offer one whose name says that it only reads. None where the name is not such a name;
    /// a program is named without its folder.
    ///
    /// ```
    /// # use agon_agents::Profile;
    /// let profile = Profile::from_acp_name(&"acp:my-agent".parse()?).ok_or("no name of an agent")?;
    /// assert_eq!(profile.programs, ["my-agent"]);
    /// assert_eq!(Profile::from_acp_name(&"my-agent".parse()?), None);
    /// assert_eq!(Profile::from_acp_name(&"acp:./my-agent".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_acp_name(name: &ToolName) -> Option<Self> {
        let mut table = acp_agent_table(name.as_str())?;
        table.insert("name".into(), name.as_str().into());
        Self::from_table(table).ok()
    }
}

/// The table of such a profile, for the user's own to be laid over.
pub(super) fn acp_agent_table(name: &str) -> Option<toml::Table> {
    let program = name.strip_prefix(PREFIX)?;
    if program.is_empty() || program.starts_with('-') || program.contains('/') {
        return None;
    }
    let mut table: toml::Table = toml::from_str(ANY).ok()?;
    table.insert("title".into(), program.into());
    table.insert("programs".into(), vec![program].into());
    let hint = format!("put a program called {program} on the PATH");
    for (at, key, text) in [
        ("install", "hint", hint.as_str()),
        ("login", "command", program),
    ] {
        if let Some(inner) = table.get_mut(at).and_then(toml::Value::as_table_mut) {
            inner.insert(key.into(), text.into());
        }
    }
    Some(table)
}
