//! What a Linux program needs of its system: shared libraries, and the version of glibc.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};

/// What a program needs of its system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    /// Names of shared libraries, such as `libc.so.6`, sorted.
    pub(super) libraries: BTreeSet<String>,
    /// The oldest glibc that has every function, such as `(2, 17)`; none without glibc.
    pub(super) glibc: Option<(u32, u32)>,
}

const PT_LOAD: u64 = 1;
const PT_DYNAMIC: u64 = 2;
const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;
const DT_VERNEED: u64 = 0x6fff_fffe;
const DT_VERNEEDNUM: u64 = 0x6fff_ffff;

/// Reads the needs from a 64-bit little-endian ELF file.
///
/// # Errors
/// If it is another file, or damaged.
pub(super) fn read_needs(bytes: &[u8]) -> Result<Needs> {
    let file = Elf { bytes };
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        bail!("not a 64-bit program for Linux");
    }
    let Some(dynamic) = file
        .segments()?
        .into_iter()
        .find(|it| it.kind == PT_DYNAMIC)
    else {
        return Ok(Needs::default());
    };
    let mut needed = Vec::new();
    let (mut names, mut versions, mut files) = (None, None, 0);
    for at in (dynamic.offset..dynamic.offset + dynamic.size).step_by(16) {
        let value = file.number(at + 8, 8)?;
        match file.number(at, 8)? {
            0 => break,
            DT_NEEDED => needed.push(value),
            DT_STRTAB => names = Some(file.offset_of(value)?),
            DT_VERNEED => versions = Some(file.offset_of(value)?),
            DT_VERNEEDNUM => files = value,
            _ => {}
        }
    }
    let names = names.context("the program has no table of names")?;
    let libraries: Result<_> = needed.into_iter().map(|it| file.text(names + it)).collect();
    let glibc = match versions {
        Some(at) => file.newest_glibc(at, files, names)?,
        None => None,
    };
    Ok(Needs {
        libraries: libraries?,
        glibc,
    })
}

/// A part of a program that is loaded, or describes loading.
struct Segment {
    kind: u64,
    offset: u64,
    address: u64,
    size: u64,
}

struct Elf<'a> {
    bytes: &'a [u8],
}

impl Elf<'_> {
    /// Returns a number of at most 8 bytes.
    fn number(&self, at: u64, length: usize) -> Result<u64> {
        let at = usize::try_from(at)?;
        let bytes = self.bytes.get(at..at.saturating_add(length));
        let bytes = bytes.context("the program ends too early")?;
        Ok(bytes
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte)))
    }

    /// Returns the text that starts here and ends with a zero byte.
    fn text(&self, at: u64) -> Result<String> {
        let rest = self.bytes.get(usize::try_from(at)?..);
        let rest = rest.context("the program ends too early")?;
        let text = rest.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    fn segments(&self) -> Result<Vec<Segment>> {
        let (table, size, count) = (
            self.number(32, 8)?,
            self.number(54, 2)?,
            self.number(56, 2)?,
        );
        let segments = (0..count).map(|nth| {
            let at = table + nth * size;
            Ok(Segment {
                kind: self.number(at, 4)?,
                offset: self.number(at + 8, 8)?,
                address: self.number(at + 16, 8)?,
                size: self.number(at + 32, 8)?,
            })
        });
        segments.collect()
    }

    /// Returns where in the file an address of the loaded program is.
    fn offset_of(&self, address: u64) -> Result<u64> {
        let holds = |it: &Segment| {
            it.kind == PT_LOAD && it.address <= address && address - it.address < it.size
        };
        let segment = self.segments()?.into_iter().find(holds);
        let segment = segment.context("an address of the program is not in its file")?;
        Ok(address - segment.address + segment.offset)
    }

    /// Returns the newest version of glibc in the list of needed versions.
    fn newest_glibc(&self, at: u64, files: u64, names: u64) -> Result<Option<(u32, u32)>> {
        let mut newest = None;
        let mut file = at;
        for _ in 0..files {
            let mut entry = file + self.number(file + 8, 4)?;
            for _ in 0..self.number(file + 2, 2)? {
                let name = self.text(names + self.number(entry + 8, 4)?)?;
                newest = newest.max(glibc_version(&name));
                entry += self.number(entry + 12, 4)?;
            }
            file += self.number(file + 12, 4)?;
        }
        Ok(newest)
    }
}

/// Returns the version in a name such as `GLIBC_2.17` or `GLIBC_2.2.5`.
fn glibc_version(name: &str) -> Option<(u32, u32)> {
    let mut parts = name.strip_prefix("GLIBC_")?.split('.');
    let major = parts.next()?.parse().ok()?;
    Some((major, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_glibc_compare_as_numbers() {
        assert_eq!(glibc_version("GLIBC_2.2.5"), Some((2, 2)));
        assert!(glibc_version("GLIBC_2.17") > glibc_version("GLIBC_2.9"));
        for other in ["GLIBC_PRIVATE", "GCC_3.0", "GLIBC_2", ""] {
            assert_eq!(glibc_version(other), None, "{other}");
        }
    }

    #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
    #[test]
    fn this_test_needs_the_system_that_it_runs_on() {
        let bytes = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let needs = read_needs(&bytes).unwrap();
        assert!(needs.libraries.contains("libc.so.6"), "{needs:?}");
        assert!(needs.glibc >= Some((2, 17)), "{needs:?}");
        let half = bytes.get(..bytes.len() / 200).unwrap();
        assert!(read_needs(half).is_err());
    }

    #[test]
    fn another_file_is_refused() {
        let refused = read_needs(b"#!/bin/sh\n").unwrap_err().to_string();
        assert_eq!(refused, "not a 64-bit program for Linux");
    }
}
