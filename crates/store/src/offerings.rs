//! The tools that AI tools were last seen to offer to their models: one small file for each AI
//! tool, in a folder of the user.

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use agon_files::Durable;
use agon_record::spec::ToolName;
use serde::{Deserialize, Serialize};

/// The schema id of the file.
const SCHEMA: &str = "agon.offering/1";
// Chosen, not measured: a tool offers at most a few dozen names. A larger file is ignored, and
// `agon tools doctor --deep` rewrites it.
/// Maximum size of a file, in bytes.
const MAX_BYTES: u64 = 256 * 1024;

/// The tools that one version of an AI tool offers to its model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offering {
    schema: String,
    /// The AI tool.
    pub tool: ToolName,
    /// Its version, if it reports one.
    pub version: Option<String>,
    /// The offered tools, by kind of seat.
    pub seats: Vec<SeatOffer>,
}

/// The tools offered in one kind of seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatOffer {
    /// Its transport, such as `cli`.
    pub transport: String,
    /// Whether it can read a folder.
    pub reads: bool,
    /// The names of the offered tools.
    pub tools: BTreeSet<String>,
}

impl Offering {
    /// Returns the offer of this version of an AI tool.
    pub fn new(tool: ToolName, version: Option<String>, seats: Vec<SeatOffer>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            tool,
            version,
            seats,
        }
    }
}

/// The folder that stores offers.
#[derive(Clone, Debug)]
pub struct Offerings {
    dir: PathBuf,
}

impl Offerings {
    /// Returns those saved in `dir`, which need not exist.
    pub fn in_dir(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// Returns the last saved offer of an AI tool; `None` if there is none, or it cannot be read.
    pub fn read(&self, tool: &ToolName) -> Option<Offering> {
        let text = agon_files::read(&self.file_path(tool), MAX_BYTES).ok()?;
        let offering: Offering = serde_json::from_slice(&text).ok()?;
        (offering.schema == SCHEMA && offering.tool == *tool).then_some(offering)
    }

    /// Saves an offer, replacing the earlier one.
    ///
    /// # Errors
    ///
    /// If it cannot be written; the earlier offer then stays.
    pub fn save(&self, offering: &Offering) -> io::Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.dir)?;
        let path = self.file_path(&offering.tool);
        let mut bytes = serde_json::to_vec(offering)?;
        bytes.push(b'\n');
        agon_files::replace(&path, &bytes, 0o600, Durable::Yes)
    }

    /// Returns the file of a tool; replaces characters of its name that a file name cannot contain.
    fn file_path(&self, tool: &ToolName) -> PathBuf {
        let name = tool.as_str().replace(['/', ':'], "_");
        self.dir.join(format!("{name}.json"))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_a_tool_offers_comes_back_as_it_was_kept_and_nothing_else_does() {
        let dir = tempfile::tempdir().unwrap();
        let offerings = Offerings::in_dir(dir.path().join("state/offers"));
        let [claude, other] = ["claude", "acp:/bin/x"].map(|tool| tool.parse().unwrap());
        assert_eq!(offerings.read(&claude), None);
        let seat = SeatOffer {
            transport: "cli".to_owned(),
            reads: true,
            tools: BTreeSet::from(["Read".to_owned()]),
        };
        for tool in [&claude, &other] {
            let offering =
                Offering::new(tool.clone(), Some("1.2.3".to_owned()), vec![seat.clone()]);
            offerings.save(&offering).unwrap();
            assert_eq!(offerings.read(tool), Some(offering));
        }
        fs::copy(offerings.file_path(&other), offerings.file_path(&claude)).unwrap();
        assert_eq!(offerings.read(&claude), None, "it is of another tool");
        fs::write(offerings.file_path(&claude), "{\"schema\":\"agon.off").unwrap();
        assert_eq!(offerings.read(&claude), None, "it is torn");
    }
}
