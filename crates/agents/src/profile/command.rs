//! The profile of an agent that is given only by the name of its program.

use agon_record::spec::ToolName;

use super::Profile;

/// The prefix before the program in the name of such an agent.
const PREFIX: &str = "acp:";

/// The default profile of all such agents.
const ANY: &str = include_str!("../../tools/any.toml");

impl Profile {
    /// Returns the profile of an agent given by its program: `acp:my-agent` starts `my-agent` from
    /// the search path, without arguments.
    ///
    /// Nothing is known about it. Therefore none of its permission requests are granted, and if it
    /// offers modes, one must have a name that marks it as read-only. `None` if the name has
    /// another form; the program is given without a folder.
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

/// Returns the table of such a profile; the user's own table can override it.
pub(super) fn acp_agent_table(name: &str) -> Option<toml::Table> {
    let program = name.strip_prefix(PREFIX)?;
    if program.is_empty() || program.starts_with('-') || program.contains('/') {
        return None;
    }
    let mut table: toml::Table = toml::from_str(ANY).ok()?;
    table.insert("title".into(), program.into());
    table.insert("programs".into(), vec![program].into());
    let hint = format!("install a program named {program} on the PATH");
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
