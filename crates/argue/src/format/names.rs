use std::collections::HashMap;

use super::{ReadCause, ReadError, WriteError};
use crate::{ArgId, MAX_ARGUMENTS};

/// A graph with the name of each argument.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphWithNames<G> {
    /// The graph.
    pub graph: G,
    /// One unique name per argument, in order.
    pub names: Vec<String>,
}

impl<G> GraphWithNames<G> {
    /// Finds the argument with a name, by linear search.
    pub fn find(&self, name: &str) -> Option<ArgId> {
        self.names
            .iter()
            .position(|it| it == name)
            .map(ArgId::from_index)
    }
}

/// Names that are being collected.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    ids: HashMap<&'t str, u32>,
    list: Vec<String>,
}

impl<'t> Names<'t> {
    pub(super) fn declare(&mut self, name: &'t str, line: usize) -> Result<(), ReadError> {
        if self.list.len() >= MAX_ARGUMENTS {
            return Err(ReadError::invalid_graph(line, crate::GraphError::TooLarge));
        }
        let id = self.list.len() as u32;
        if self.ids.insert(name, id).is_some() {
            let name = name.to_owned();
            let cause = ReadCause::Repeated { name };
            return Err(ReadError { line, cause });
        }
        self.list.push(name.to_owned());
        Ok(())
    }

    pub(super) fn find(&self, name: &str, line: usize) -> Result<ArgId, ReadError> {
        self.ids.get(name).map(|&id| ArgId(id)).ok_or_else(|| {
            let name = name.to_owned();
            let cause = ReadCause::Unknown { name };
            ReadError { line, cause }
        })
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// Returns a lookup of names by index. It fails for a name that the format cannot represent, such
/// as one with a special character.
pub(super) fn checked_name_lookup<'n>(
    names: &'n [String],
    special: fn(char) -> bool,
) -> impl Fn(usize) -> Result<&'n str, WriteError> {
    move |at| {
        let name = names.get(at).map_or("", String::as_str);
        if name.is_empty() || name.starts_with('#') || name.contains(special) {
            return Err(WriteError {
                name: name.to_owned(),
            });
        }
        Ok(name)
    }
}
