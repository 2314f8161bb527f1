//! The events of a debate, as they are recorded, and the words of its tools.
//!
//! A debate may run in any process, so its events come from its journal. The id of an event is its
//! line in the journal: a page that reconnects names the last line it has, and gets the rest. All
//! open pages of a debate share one [`Feed`](follow::Feed), so that the journal is read once.

mod announce;
mod feeds;
mod follow;

pub(crate) use feeds::{Feeds, Reading};
pub(crate) use follow::Log;
