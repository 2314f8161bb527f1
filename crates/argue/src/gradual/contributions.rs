use super::Status;

/// What each argument contributes to the strength of one topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Contributions {
    /// One number per argument; 0 for all that cannot reach the topic.
    ///
    /// The topic's own is 0, but for the gradient, where it is the slope by its own base weight.
    pub values: Vec<f64>,
    /// The standard error of each value when they were sampled.
    pub errors: Option<Vec<f64>>,
    /// The worst status of all evaluations that the values rest on.
    pub status: Status,
}
