/// The id of an argument in a graph: its position, counted from 0.
///
/// Human-readable names are stored outside the graph, in a list of the same order; formats with
/// names return such a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgId(pub u32);

impl ArgId {
    /// Returns the position as an index into a slice with one entry per argument.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn from_index(index: usize) -> Self {
        // Cannot truncate, since a graph has at most `MAX_ARGUMENTS`.
        Self(index as u32)
    }
}

// 2^24 base weights of eight bytes are 128 MiB.
/// Maximum number of arguments in a graph.
///
/// A size declared in a file is trusted only up to this number, so that a short hostile file cannot
/// exhaust the memory.
pub const MAX_ARGUMENTS: usize = 1 << 24;

/// Why a list of edges is not a valid graph.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// More than [`MAX_ARGUMENTS`] arguments, or too many edges to count.
    #[error("a graph has at most {MAX_ARGUMENTS} arguments and {} edges", u32::MAX)]
    TooLarge,
    /// An edge names an argument that the graph does not have.
    #[error("no argument {index} in a graph of {len}")]
    NoSuchArgument {
        /// The id in the edge.
        index: u32,
        /// The number of arguments.
        len: usize,
    },
    /// A weight is not a number from 0 to 1.
    #[error("a weight is a number from 0 to 1, not {found}")]
    Weight {
        /// The invalid weight.
        found: f64,
    },
}
