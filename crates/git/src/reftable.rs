//! Reads references stored as tables, which git uses with `extensions.refStorage = reftable`.
//!
//! A folder `reftable` has a list of tables, the latest last. Each table has sorted references, in
//! blocks. <https://git-scm.com/docs/reftable> describes the format; this module reads only what it
//! needs to find one reference.

use std::io;
use std::path::Path;

use crate::discover::Repository;

/// Maximum size of one table, in bytes.
const MAX_TABLE_BYTES: u64 = 64 << 20;
/// Maximum size of all tables read for one reference, in bytes. Git merges tables until each is at most
/// half as long as the one before.
const MAX_STACK_BYTES: u64 = 2 * MAX_TABLE_BYTES;
/// The most tables in a list; git keeps about the logarithm of the number of references.
const MAX_TABLES: usize = 256;
/// Maximum size of a reference's name, in bytes, as for file names.
const MAX_NAME_BYTES: usize = 4 << 10;
/// Maximum size of the list of tables, in bytes.
const MAX_LIST_BYTES: u64 = 1 << 20;
/// How often the list is read again, because tables can be merged at any time.
const MAX_TRIES: usize = 3;
/// The most symbolic references that are followed, such as `HEAD`.
const MAX_STEPS: usize = 5;

/// The value of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Reference {
    Removed,
    Object(String),
    Symbolic(String),
}

impl Repository {
    /// Returns whether the references are stored as tables, which `gix` cannot read.
    pub fn has_reftable(&self) -> bool {
        self.common_dir.join("reftable/tables.list").is_file()
    }

    /// Returns the object id that a reference in the tables points to, in hexadecimal, or `None` if
    /// there is no such reference. `HEAD` means the `HEAD` of this work tree.
    ///
    /// # Errors
    ///
    /// If a table cannot be read, or is damaged.
    pub fn find_in_reftable(&self, name: &str) -> io::Result<Option<String>> {
        let mut name = name.to_owned();
        for _ in 0..MAX_STEPS {
            let is_shared = name.starts_with("refs/");
            let dir = if is_shared {
                &self.common_dir
            } else {
                &self.git_dir
            };
            match find(&dir.join("reftable"), &name)? {
                None | Some(Reference::Removed) => return Ok(None),
                Some(Reference::Object(id)) => return Ok(Some(id)),
                Some(Reference::Symbolic(next)) => name = next,
            }
        }
        Err(damaged())
    }
}

fn find(stack: &Path, name: &str) -> io::Result<Option<Reference>> {
    let mut tries = 1;
    loop {
        match find_once(stack, name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && tries < MAX_TRIES => {
                tries += 1;
            }
            found => return found,
        }
    }
}

fn find_once(stack: &Path, name: &str) -> io::Result<Option<Reference>> {
    let list = agon_files::read_to_string(&stack.join("tables.list"), MAX_LIST_BYTES)?;
    if list.lines().count() > MAX_TABLES {
        return Err(damaged());
    }
    let mut left = MAX_STACK_BYTES;
    for table in list.lines().rev() {
        if table.contains('/') {
            return Err(damaged());
        }
        let table = agon_files::read(&stack.join(table), MAX_TABLE_BYTES.min(left))?;
        left = left.saturating_sub(table.len() as u64);
        let found = find_in_table(&table, name.as_bytes()).ok_or_else(damaged)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn damaged() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "a table of references is damaged",
    )
}

/// Returns the value of a name in a table, if the table has it; the outer `None` means a damaged
/// table.
fn find_in_table(table: &[u8], name: &[u8]) -> Option<Option<Reference>> {
    let (header, id_bytes) = match table.get(..5)? {
        b"REFT\x01" => (24, 20),
        b"REFT\x02" => match table.get(24..28)? {
            b"s256" => (28, 32),
            _ => (28, 20),
        },
        _ => return None,
    };
    let block_size = number(table.get(5..8)?);
    let mut start = 0;
    let mut last = Vec::new();
    loop {
        // Offsets in the first block count from the start of the file.
        let head = if start == 0 { header } else { start };
        // Four bytes can always be read: the section after the last block is at least that long.
        let [b'r', length @ ..] = table.get(head..head + 4)? else {
            return Some(None);
        };
        let length = number(length);
        let block = table.get(start..start.checked_add(length)?)?;
        let mut records = Records::of(block, head + 4 - start, id_bytes, last)?;
        while !records.rest.is_empty() {
            let value = records.read()?;
            match records.name.as_slice().cmp(name) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Some(Some(value)),
                std::cmp::Ordering::Greater => return Some(None),
            }
        }
        last = records.name;
        let end = start + length;
        // Blocks are padded with zeros, except the last one and where the writer omitted the
        // padding.
        let is_filled = length < block_size && table.get(end).is_none_or(|byte| *byte == 0);
        start = if is_filled { start + block_size } else { end };
        if length == 0 {
            return None;
        }
    }
}

/// The references in a block.
struct Records<'a> {
    rest: &'a [u8],
    /// The last name that was read, possibly in the previous block.
    name: Vec<u8>,
    /// How many bytes of that name the next one may share; 0 at the start of a block.
    sharable: usize,
    id_bytes: usize,
}

impl<'a> Records<'a> {
    fn of(block: &'a [u8], begin: usize, id_bytes: usize, last: Vec<u8>) -> Option<Self> {
        let restarts = number(block.get(block.len().checked_sub(2)?..)?);
        let end = block.len().checked_sub(2 + 3 * restarts)?;
        Some(Self {
            rest: block.get(begin..end)?,
            name: last,
            sharable: 0,
            id_bytes,
        })
    }

    /// Reads a record and stores its name in `name`. Returns `None` if it is damaged.
    fn read(&mut self) -> Option<Reference> {
        let shared = self.varint()?;
        let facts = self.varint()?;
        let suffix = self.take(facts >> 3)?;
        if shared > self.sharable || shared + suffix.len() > MAX_NAME_BYTES {
            return None;
        }
        // Names must ascend; otherwise the table is damaged.
        if suffix <= &self.name[shared..] {
            return None;
        }
        self.name.truncate(shared);
        self.name.extend_from_slice(suffix);
        self.sharable = self.name.len();
        self.varint()?;
        let value = match facts & 7 {
            0 => Reference::Removed,
            1 => Reference::Object(hex(self.take(self.id_bytes)?)),
            // A tag: its own id, and the id of the object that it points to, which is skipped.
            2 => {
                let id = hex(self.take(self.id_bytes)?);
                self.take(self.id_bytes)?;
                Reference::Object(id)
            }
            3 => {
                let length = self.varint()?;
                let target = self.take(length)?.to_owned();
                Reference::Symbolic(String::from_utf8(target).ok()?)
            }
            _ => return None,
        };
        Some(value)
    }

    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(bytes)?;
        self.rest = rest;
        Some(taken)
    }

    fn varint(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let [byte] = self.take(1)? else { return None };
            value = value
                .checked_shl(7)?
                .checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1).filter(|it| *it < 1 << 40)?;
        }
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
