//! The process that owns a private folder, encoded in the folder's name.

use std::fmt;
use std::io;

use crate::system::{Stat, boot_id, machine_identity};

// 32 bits: two owners get the same value once in four billion times, and the folder's name stays
// short.
/// Number of digits that identify a boot, a machine, and a folder of a process.
pub(crate) const DIGITS: usize = 8;

/// The process that owns a folder: its number, its start time, a prefix of the boot id, and the
/// machine, which older names omit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) pid: i32,
    pub(crate) start: u64,
    pub(crate) boot: String,
    pub(crate) machine: Option<String>,
}

impl Owner {
    pub(crate) fn this_process() -> io::Result<Self> {
        let pid = i32::try_from(std::process::id()).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Self {
            pid,
            start: Stat::read(pid)?.start,
            boot: boot_id()?.chars().take(DIGITS).collect(),
            machine: Some(machine_fingerprint()),
        })
    }

    /// Parses the owner from a folder's name; `None` if the folder does not belong to Agon.
    pub(crate) fn from_folder_name(name: &str) -> Option<Self> {
        let parts: Vec<&str> = name.split('-').collect();
        let (pid, start, boot, machine, random) = match *parts.as_slice() {
            [pid, start, boot, random] => (pid, start, boot, None, random),
            [pid, start, boot, machine, random] => (pid, start, boot, Some(machine), random),
            _ => return None,
        };
        let digits = |text: &str| text.len() == DIGITS && text.bytes().all(is_lowercase_hex_digit);
        let ours = digits(boot) && digits(random) && machine.is_none_or(digits);
        ours.then_some(Self {
            pid: pid.parse().ok()?,
            start: start.parse().ok()?,
            boot: boot.to_owned(),
            machine: machine.map(str::to_owned),
        })
    }

    /// Returns whether the owner ran on another machine or in another container, whose process
    /// numbers mean nothing here.
    pub(crate) fn is_on_other_machine(&self) -> bool {
        self.machine
            .as_ref()
            .is_some_and(|name| *name != machine_fingerprint())
    }

    pub(crate) fn is_running(&self) -> bool {
        boot_id().is_ok_and(|boot| boot.starts_with(&self.boot))
            && Stat::read(self.pid).is_ok_and(|stat| stat.start == self.start && stat.is_running())
    }
}

/// A short fingerprint of this machine and its process numbers.
fn machine_fingerprint() -> String {
    let whole = machine_identity();
    // FNV-1a, because it is the same in every build of Agon.
    let add = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    format!("{:08x}", whole.bytes().fold(0x811c_9dc5, add))
}

fn is_lowercase_hex_digit(byte: u8) -> bool {
    byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.pid, self.start, self.boot)?;
        self.machine
            .iter()
            .try_for_each(|machine| write!(f, "-{machine}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_the_owner_with_or_without_its_machine() {
        let owner = |machine: Option<&str>| Owner {
            pid: 42,
            start: 7,
            boot: "0a1b2c3d".into(),
            machine: machine.map(str::to_owned),
        };
        for (name, machine) in [
            ("42-7-0a1b2c3d", None),
            ("42-7-0a1b2c3d-99999999", Some("99999999")),
        ] {
            assert_eq!(owner(machine).to_string(), name);
            let read = Owner::from_folder_name(&format!("{name}-00ff00ff"));
            assert_eq!(read, Some(owner(machine)));
        }
        for other in [
            "42-7-0a1b2c3d",
            "42-7-0a1b2c3d-00ff00ff-1",
            "42-7-0a1b2c3d-9-00ff00ff",
            "42-7-0a1b2c3d-99999999-00ff00ff-1",
            "42-7-0a1b2c3-00ff00ff",
            "a-7-0a1b2c3d-00ff00ff",
            "agon-x",
        ] {
            assert_eq!(Owner::from_folder_name(other), None, "{other}");
        }
    }

    #[test]
    fn only_an_owner_that_names_another_machine_is_elsewhere() {
        let ours = Owner::this_process().unwrap();
        let of = |machine| Owner {
            machine,
            ..ours.clone()
        };
        assert!(ours.is_running() && !ours.is_on_other_machine());
        assert!(!of(None).is_on_other_machine());
        assert!(of(Some("00000000".into())).is_on_other_machine());
    }
}
