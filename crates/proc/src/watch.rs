//! Observers of started process groups.

use std::io;
use std::sync::Arc;

use crate::Group;

/// Learns of each process group before it gets input, and when it has ended.
///
/// The methods are called inside a future or a drop, so they must be fast.
pub trait Watch: Send + Sync {
    /// Records the group.
    ///
    /// # Errors
    ///
    /// If it could not be recorded; the group is then ended at once.
    fn on_group_started(&self, group: &Group) -> io::Result<()>;

    /// Removes the group from the record: all its processes have ended.
    ///
    /// Not called if the group could not be ended.
    fn on_group_ended(&self, group: &Group);
}

impl<W: Watch + ?Sized> Watch for &W {
    fn on_group_started(&self, group: &Group) -> io::Result<()> {
        (**self).on_group_started(group)
    }

    fn on_group_ended(&self, group: &Group) {
        (**self).on_group_ended(group);
    }
}

impl<W: Watch + ?Sized> Watch for Arc<W> {
    fn on_group_started(&self, group: &Group) -> io::Result<()> {
        (**self).on_group_started(group)
    }

    fn on_group_ended(&self, group: &Group) {
        (**self).on_group_ended(group);
    }
}

/// A watch that does nothing, for probes and tests without recovery.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn on_group_started(&self, _group: &Group) -> io::Result<()> {
        Ok(())
    }

    fn on_group_ended(&self, _group: &Group) {}
}
