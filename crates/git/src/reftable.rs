//! References that are kept as tables, which git does with `extensions.refStorage = reftable`.
//!
//! A folder `reftable` has a list of tables, the latest last; each has its references in order, in
//! blocks. <https://git-scm.com/docs/reftable> says all of it; what is here reads as much as finds one.

use std::io;
use std::path::Path;

use crate::discover::Repository;

/// Bytes of the largest table that is read.
const MAX_TABLE_BYTES: u64 = 64 << 20;
/// Bytes of the longest list of tables.
const MAX_LIST_BYTES: u64 = 1 << 20;
/// How often the list is read again, as tables are merged into others at any time.
const MAX_TRIES: usize = 3;
/// References that lead from one to the next, such as `HEAD`.
const MAX_STEPS: usize = 5;

/// What a reference is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Removed,
    Object(String),
    Symbolic(String),
}

impl Repository {
    /// Whether the references are kept as tables, which `gix` does not read.
    pub fn has_reftable(&self) -> bool {
        self.common_dir.join("reftable/tables.list").is_file()
    }

    /// The object that a reference of tables leads to, in hexadecimal; none if there is no such
    /// reference. `HEAD` is that of this work tree.
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
                None | Some(Value::Removed) => return Ok(None),
                Some(Value::Object(id)) => return Ok(Some(id)),
                Some(Value::Symbolic(next)) => name = next,
            }
        }
        Err(damaged())
    }
}

fn find(stack: &Path, name: &str) -> io::Result<Option<Value>> {
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

fn find_once(stack: &Path, name: &str) -> io::Result<Option<Value>> {
    let list = agon_files::read_to_string(&stack.join("tables.list"), MAX_LIST_BYTES)?;
    for table in list.lines().rev() {
        if table.contains('/') {
            return Err(damaged());
        }
        let table = agon_files::read(&stack.join(table), MAX_TABLE_BYTES)?;
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

/// The value of a name in a table, if it has it; none at all if the table is damaged.
fn find_in_table(table: &[u8], name: &[u8]) -> Option<Option<Value>> {
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
    loop {
        // What the first block says of itself counts from the start of the file.
        let head = if start == 0 { header } else { start };
        // What is behind the last block of references is as long, too.
        let [b'r', length @ ..] = table.get(head..head + 4)? else {
            return Some(None);
        };
        let length = number(length);
        let block = table.get(start..start.checked_add(length)?)?;
        let records = Records::of(block, head + 4 - start, id_bytes)?;
        for record in records {
            let (found, value) = record?;
            match found.as_slice().cmp(name) {
                std::cmp::Ordering::Less => {}
                std::cmp::Ordering::Equal => return Some(Some(value)),
                std::cmp::Ordering::Greater => return Some(None),
            }
        }
        let end = start + length;
        // Blocks are filled up with zeros, but for the last one and where a writer left it.
        let is_filled = length < block_size && table.get(end).is_none_or(|byte| *byte == 0);
        start = if is_filled { start + block_size } else { end };
        if length == 0 {
            return None;
        }
    }
}

/// The references of a block.
struct Records<'a> {
    rest: &'a [u8],
    name: Vec<u8>,
    id_bytes: usize,
}

impl<'a> Records<'a> {
    fn of(block: &'a [u8], begin: usize, id_bytes: usize) -> Option<Self> {
        let restarts = number(block.get(block.len().checked_sub(2)?..)?);
        let end = block.len().checked_sub(2 + 3 * restarts)?;
        Some(Self {
            rest: block.get(begin..end)?,
            name: Vec::new(),
            id_bytes,
        })
    }

    fn read(&mut self) -> Option<(Vec<u8>, Value)> {
        let shared = self.varint()?;
        let facts = self.varint()?;
        self.name.truncate(shared);
        if self.name.len() != shared {
            return None;
        }
        let suffix = self.take(facts >> 3)?;
        self.name.extend_from_slice(suffix);
        self.varint()?;
        let value = match facts & 7 {
            0 => Value::Removed,
            1 => Value::Object(hex(self.take(self.id_bytes)?)),
            // The object, and what the tag that it is leads to.
            2 => {
                let id = hex(self.take(self.id_bytes)?);
                self.take(self.id_bytes)?;
                Value::Object(id)
            }
            3 => {
                let length = self.varint()?;
                let target = self.take(length)?.to_owned();
                Value::Symbolic(String::from_utf8(target).ok()?)
            }
            _ => return None,
        };
        Some((self.name.clone(), value))
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

impl Iterator for Records<'_> {
    /// None within is a damaged record, and the last item.
    type Item = Option<(Vec<u8>, Value)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let record = self.read();
        if record.is_none() {
            self.rest = &[];
        }
        Some(record)
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
