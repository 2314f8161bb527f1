//! Where files are brought from, and into which work tree.

use std::path::Path;

use agon_caller::{Code, Failure};
use agon_team::store::TeamLocation;
use tokio_util::sync::CancellationToken;

/// A work tree to bring files into.
pub(super) struct Bringing<'a> {
    pub(super) location: &'a TeamLocation,
    pub(super) tree: &'a Path,
    /// The tool that will work in it, if its model could write through a link.
    pub(super) follows_links: Option<&'a str>,
    pub(super) cancel: &'a CancellationToken,
}

/// Returns the location of the work tree that files are brought from: the main one, otherwise the
/// caller's.
pub(super) fn source(location: &TeamLocation) -> Result<TeamLocation, Failure> {
    let all = location.repository().work_trees().into_iter();
    let mut all = all.map(TeamLocation::from);
    let main = all.find(|it| it.git_dir == it.common_dir && it.work_tree.is_some());
    let own = || Some(location.clone()).filter(|it| it.work_tree.is_some());
    main.or_else(own).ok_or_else(|| {
        Failure::new(
            Code::Tree,
            "this repository has no work tree to bring files from",
        )
        .hint("run the command in one of its work trees")
    })
}
