/// Names one argument of a graph by its position, counted from 0.
///
/// Names that people read live outside the graph, in a list of the same order;
/// the formats that have them return such a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgId(pub u32);

impl ArgId {
    /// Gives the position as an index into a slice with one entry per argument.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn of(index: usize) -> Self {
        // Graphs are refused when they have more than MAX_ARGUMENTS.
        Self(index as u32)
    }
}

// 2^24 base weights of eight bytes are 128 MiB.
/// The most arguments one graph can have.
///
/// A size in a file is believed only up to here, so that a short hostile file
/// cannot ask for all memory.
pub const MAX_ARGUMENTS: usize = 1 << 24;

/// Why a list of edges is not a graph.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// More than [`MAX_ARGUMENTS`] arguments, or too many edges to count.
    #[error("a graph has at most {MAX_ARGUMENTS} arguments and {} edges", u32::MAX)]
    TooLarge,
    /// An edge names an argument that the graph does not have.
    #[error("argument {index} of a graph with {len}")]
    NoSuchArgument {
        /// The position that the edge names.
        index: u32,
        /// How many arguments there are.
        len: usize,
    },
    /// A weight that is not a number from 0 to 1.
    #[error("a weight is a number from 0 to 1, not {found}")]
    Weight {
        /// The refused weight.
        found: f64,
    },
}
