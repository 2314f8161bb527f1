//! The file that defines a team's gates.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gate::{GateDefinition, GateFault};
use crate::id::GateName;

/// The name and version of the file.
pub const GATES_SCHEMA: &str = "agon.gates/1";

/// The gates of a team. Nothing but this file decides what is run for a gate.
///
/// ```
/// use agon_team::gate::GateFile;
/// let file = GateFile::parse(
///     r#"
///     schema = "agon.gates/1"
///     [gate.tests]
///     kind = "command"
///     argv = ["cargo", "test"]
///     "#,
/// )?;
/// assert_eq!(file.gates.len(), 1);
/// assert_eq!(GateFile::parse(&file.to_text())?, file);
/// # Ok::<(), agon_team::gate::GateFileFault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateFile {
    schema: String,
    /// The definitions, by name.
    #[serde(default, rename = "gate")]
    pub gates: BTreeMap<GateName, GateDefinition>,
}

impl Default for GateFile {
    fn default() -> Self {
        Self {
            schema: GATES_SCHEMA.to_owned(),
            gates: BTreeMap::new(),
        }
    }
}

/// Why a gate file is invalid; none of its gates runs then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateFileFault {
    /// It is not TOML, or contains an unknown key or invalid value.
    #[error("{0}")]
    Text(String),
    /// It has another schema version.
    #[error("the schema is {0:?}, but must be {GATES_SCHEMA:?}")]
    Schema(String),
    /// One of its gates is invalid.
    #[error("gate {0}: {1}")]
    Gate(GateName, GateFault),
}

impl GateFile {
    /// Parses a file.
    ///
    /// # Errors
    ///
    /// Fails if any part is invalid: a half-understood gate would pass too easily.
    pub fn parse(text: &str) -> Result<Self, GateFileFault> {
        let file: Self = toml::from_str(text)
            .map_err(|error| GateFileFault::Text(error.to_string().trim().to_owned()))?;
        if file.schema != GATES_SCHEMA {
            return Err(GateFileFault::Schema(file.schema));
        }
        for (name, gate) in &file.gates {
            let fault = |fault| GateFileFault::Gate(name.clone(), fault);
            gate.check().map_err(fault)?;
        }
        Ok(file)
    }

    /// Returns the file's text.
    pub fn to_text(&self) -> String {
        // Strings, numbers and tables can always be written as TOML.
        toml::to_string_pretty(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_understood_in_full_is_not_followed() {
        let with = |gate: &str| format!("schema = \"agon.gates/1\"\n[gate.g]\n{gate}");
        for (text, said) in [
            (String::new(), "missing field `schema`"),
            ("schema = \"agon.gates/2\"".to_owned(), "the schema is"),
            (with("kind = \"shell\""), "unknown variant `shell`"),
            (
                with("kind = \"command\"\nargv = [\"a\"]\nexpect = 1"),
                "unknown field `expect`",
            ),
            (
                with("kind = \"command\"\nargv = []"),
                "gate g: a command needs a program",
            ),
            (
                with("kind = \"command\"\nargv = [\"a\"]\ntimeout_s = 0"),
                "gate g: the time limit is 0 s",
            ),
            (
                with("kind = \"debate\"\ntopic = \" \""),
                "gate g: the topic has 0 bytes",
            ),
            (
                with("kind = \"debate\"\ntopic = \"x\"\nauthority = \"any\""),
                "unknown variant `any`",
            ),
            (with("kind = \"evidence\"\nfile = \"../x\""), "gate g: "),
            (
                with("kind = \"context\"\nargv = [\"a\"]"),
                "unknown field `argv`",
            ),
            (with("kind = \"review\"\nby = \"x\""), "unknown field `by`"),
        ] {
            let fault = GateFile::parse(&text).unwrap_err().to_string();
            assert!(fault.contains(said), "{text}\n{fault}");
        }
    }
}
