//! Calls that have no result yet.

use std::collections::{HashMap, VecDeque};

/// Values kept for open calls, up to a maximum.
///
/// The oldest are dropped first, because a record can have aborted calls that never get a result.
#[derive(Debug)]
pub(crate) struct OpenCalls<V> {
    by_id: HashMap<String, V>,
    /// Their ids in order of arrival.
    order: VecDeque<String>,
    max: usize,
}

impl<V> OpenCalls<V> {
    /// Creates an empty collection of at most `max` calls.
    pub(crate) fn new(max: usize) -> Self {
        Self {
            by_id: HashMap::new(),
            order: VecDeque::new(),
            max,
        }
    }

    pub(crate) fn open(&mut self, id: &str, value: V) {
        if self.by_id.insert(id.to_owned(), value).is_none() {
            self.order.push_back(id.to_owned());
        }
        while self.by_id.len() > self.max {
            let Some(oldest) = self.order.pop_front() else {
                break;
            };
            self.by_id.remove(&oldest);
        }
    }

    pub(crate) fn is_open(&self, id: &str) -> bool {
        self.by_id.contains_key(id)
    }

    pub(crate) fn close(&mut self, id: &str) -> Option<V> {
        let closed = self.by_id.remove(id)?;
        if let Some(at) = self.order.iter().position(|it| it == id) {
            self.order.remove(at);
        }
        Some(closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_were_broken_off_make_room_for_later_ones() {
        let mut calls = OpenCalls::new(2);
        for (number, id) in ["a", "b", "c"].into_iter().enumerate() {
            calls.open(id, number);
        }
        assert_eq!((calls.close("a"), calls.close("c")), (None, Some(2)));
        for number in 0..100 {
            calls.open("d", number);
            assert_eq!(calls.close("d"), Some(number));
        }
        assert!(calls.is_open("b") && calls.order.len() == 1);
    }
}
