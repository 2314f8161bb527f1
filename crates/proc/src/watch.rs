//! Who is told which process groups there are.

use std::io;
use std::sync::Arc;

use crate::Group;

/// Is told of each process group before it gets input, and when it is gone.
///
/// The calls come from inside a future or a drop, so they are short.
pub trait Watch: Send + Sync {
    /// Writes the group down.
    ///
    /// # Errors
    ///
    /// If it could not be written down; the group is then ended at once.
    fn on_group_started(&self, group: &Group) -> io::Result<()>;

    /// Strikes the group out: nothing of it runs any more.
    ///
    /// Not called when the group could not be ended.
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

/// Watches nothing: for probes and tests that need no recovery.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn on_group_started(&self, _group: &Group) -> io::Result<()> {
        Ok(())
    }

    fn on_group_ended(&self, _group: &Group) {}
}
