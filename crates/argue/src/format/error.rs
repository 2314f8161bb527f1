use crate::GraphError;

/// Why a text is not a graph of its format.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {cause}")]
pub struct ReadError {
    /// The line, counted from 1; the last one for what is missing at the end.
    pub line: usize,
    /// What is wrong there.
    pub cause: ReadCause,
}

/// What is wrong with one line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReadCause {
    /// Something else should stand here.
    #[error("expected {what}")]
    Expected {
        /// What should.
        what: &'static str,
    },
    /// An edge names an argument that is nowhere declared.
    #[error("no argument {name:?}")]
    Unknown {
        /// The name.
        name: String,
    },
    /// An argument is declared again.
    #[error("a second argument {name:?}")]
    Repeated {
        /// The name.
        name: String,
    },
    /// The parts are readable but make no graph.
    #[error(transparent)]
    Graph(GraphError),
    /// The text is not JSON.
    #[error("not JSON: {what}")]
    Json {
        /// What the JSON parser says of it.
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

/// A name that the format has no way to write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name {name:?} cannot be written in this format")]
pub struct WriteError {
    /// The name.
    pub name: String,
}
