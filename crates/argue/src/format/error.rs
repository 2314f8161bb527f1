use crate::GraphError;

/// Why a text is not a valid graph in its format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {cause}")]
pub struct ReadError {
    /// The line, counted from 1; the last line if something is missing at the end.
    pub line: usize,
    /// What is wrong.
    pub cause: ReadCause,
}

/// The fault in a line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadCause {
    /// The format requires something else here.
    #[error("expected {what}")]
    Expected {
        /// The expected content.
        what: &'static str,
    },
    /// An edge names an undeclared argument.
    #[error("unknown argument {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// An argument is declared twice.
    #[error("argument {name:?} is declared twice")]
    Repeated {
        /// The name.
        name: String,
    },
    /// The parts are readable but do not form a valid graph.
    #[error(transparent)]
    Graph(GraphError),
    /// The text is not JSON.
    #[error("not JSON: {what}")]
    Json {
        /// The message of the JSON parser.
        what: String,
    },
}

impl ReadError {
    pub(super) fn expected(line: usize, what: &'static str) -> Self {
        let cause = ReadCause::Expected { what };
        Self { line, cause }
    }

    pub(super) fn invalid_graph(line: usize, error: GraphError) -> Self {
        let cause = ReadCause::Graph(error);
        Self { line, cause }
    }
}

/// A name that the format cannot represent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name {name:?} cannot be written in this format")]
pub struct WriteError {
    /// The name.
    pub name: String,
}
