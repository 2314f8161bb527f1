use super::Status;

/// The contribution of each argument to the strength of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributions {
    /// One number per argument; 0 for all arguments without a path to the topic.
    ///
    /// The topic's own value is 0, except for the gradient, which has its slope by its own base
    /// weight.
    pub values: Vec<f64>,
    /// The standard error of each value, if they were sampled.
    pub errors: Option<Vec<f64>>,
    /// The worst status of all evaluations that the values are based on.
    pub status: Status,
}
