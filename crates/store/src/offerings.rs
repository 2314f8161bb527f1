//! What tools were seen to offer to their models when they were last looked at: one small file a tool,
//! in a folder of the user's.

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use agon_files::Durable;
use agon_record::spec::ToolName;
use serde::{Deserialize, Serialize};

/// The name and version of the file.
const SCHEMA: &str = "agon.offering/1";
// Chosen, not measured: a tool offers at most some dozens of names. A larger file counts as not
// there, and `agon tools doctor --deep` writes it again.
/// Bytes of the largest file that is read.
const MAX_BYTES: u64 = 256 * 1024;

/// What one version of a tool offers to its model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offering {
    schema: String,
    /// The tool.
    pub tool: ToolName,
    /// Its version, where it says one.
    pub version: Option<String>,
    /// What it offers, by kind of seat.
    pub seats: Vec<SeatOffer>,
}

/// What a tool offers in one kind of seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatOffer {
    /// How it is spoken to, such as `cli`.
    pub transport: String,
    /// Whether it has a folder to read in.
    pub reads: bool,
    /// The names of the tools.
    pub tools: BTreeSet<String>,
}

impl Offering {
    /// What this version of a tool offers.
    pub fn new(tool: ToolName, version: Option<String>, seats: Vec<SeatOffer>) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            tool,
            version,
            seats,
        }
    }
}

/// The folder in which it is kept what tools offer.
#[derive(Clone, Debug)]
pub struct Offerings {
    dir: PathBuf,
}

impl Offerings {
    /// Those that are kept in `dir`, which need not be there.
    pub fn in_dir(dir: PathBuf) -> Self {
        Self { dir }
    }

    /// What was last seen of a tool; none where nothing was, or it cannot be read.
    pub fn read(&self, tool: &ToolName) -> Option<Offering> {
        let text = agon_files::read(&self.file_path(tool), MAX_BYTES).ok()?;
        let offering: Offering = serde_json::from_slice(&text).ok()?;
        (offering.schema == SCHEMA && offering.tool == *tool).then_some(offering)
    }

    /// Keeps what was seen of a tool, in place of what was kept of it.
    ///
    /// # Errors
    ///
    /// If it cannot be written; what was kept is then as it was.
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

    /// A tool's name can hold what a file's cannot.
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
