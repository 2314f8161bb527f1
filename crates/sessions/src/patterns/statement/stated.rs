//! A value that was given to something, and what excludes it.

use super::subject::is_same_subject;
use super::value::Value;
use crate::patterns::Voice;
use crate::patterns::act::{file_name, is_path};

/// A value that was given to something.
#[derive(Clone, Debug)]
pub(in crate::patterns) struct Statement<'a> {
    /// The item in which it stands.
    pub(in crate::patterns) item: usize,
    /// Whose words it is.
    pub(in crate::patterns) voice: Voice,
    /// Stems of what has the value, sorted.
    pub(in crate::patterns) subject: Vec<String>,
    /// The value as it stands there.
    pub(in crate::patterns) raw: &'a str,
    pub(super) value: Value,
    /// The sentence or line.
    pub(in crate::patterns) words: &'a str,
}

impl Statement<'_> {
    /// Whether both give the same thing a value and the values exclude each other.
    pub(in crate::patterns) fn excludes(&self, other: &Self) -> bool {
        let differs = match (&self.value, &other.value) {
            (Value::Number(one, unit), Value::Number(two, other)) => one != two && unit == other,
            (Value::Switch(one), Value::Switch(two)) => one != two,
            (Value::Name(one), Value::Name(two)) => {
                // A path and the end of it are one place.
                let is_file = |it: &str| is_path(it) && file_name(it).contains('.');
                one != two
                    && !one.ends_with(two.as_str())
                    && !two.ends_with(one.as_str())
                    // Where something stands is not what it is.
                    && is_file(one) == is_file(two)
            }
            _ => false,
        };
        differs && is_same_subject(&self.subject, &other.subject)
    }
}
