//! The recorded sizes, which limit the size of the program.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

/// How much larger than recorded the program may be, in percent.
const GROWTH: u64 = 5;

/// The sizes of the program's loaded sections, in bytes.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recorded {
    plain: u64,
    full: u64,
}

impl Recorded {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let text = fs::read_to_string(file).context("cannot read the recorded sizes")?;
        serde_json::from_str(&text).context("the recorded sizes are invalid")
    }

    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(file, text).context("cannot write the recorded sizes")
    }

    /// The size of the build with all features, or of the plain one.
    pub(super) const fn of(&mut self, full: bool) -> &mut u64 {
        match full {
            true => &mut self.full,
            false => &mut self.plain,
        }
    }
}

/// Returns the largest size that passes, in bytes.
pub(super) const fn limit(recorded: u64) -> u64 {
    recorded + recorded * GROWTH / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recorded_size_is_read_again_and_limits_each_build() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("recorded.json");
        Recorded {
            plain: 100,
            full: 0,
        }
        .write(&file)
        .unwrap();
        let mut recorded = Recorded::read(&file).unwrap();
        *recorded.of(true) = 2_000;
        recorded.write(&file).unwrap();
        let mut recorded = Recorded::read(&file).unwrap();
        assert_eq!((*recorded.of(false), *recorded.of(true)), (100, 2_000));
        assert_eq!((limit(100), limit(2_000)), (105, 2_100));
    }
}
