//! Finds out which member works in which work tree.

use std::collections::BTreeMap;
use std::path::PathBuf;

use agon_caller::Caller;
use agon_team::id::MemberName;
use agon_team::store::TeamLocation;

use super::trees;

/// Returns each member's work tree: the tree it joined in, otherwise the tree that Agon made for
/// it.
pub(super) fn work_trees(
    caller: &Caller,
    location: &TeamLocation,
) -> BTreeMap<MemberName, PathBuf> {
    let mut found = BTreeMap::new();
    let made = trees::folder(caller, location).ok();
    for repository in location.repository().work_trees() {
        let Some(tree) = repository.work_tree.clone().filter(|it| it.is_dir()) else {
            continue;
        };
        // Agon names each work tree that it makes after its member.
        let made_for = tree
            .file_name()
            .and_then(|name| name.to_str()?.parse().ok());
        if let Some(name) = made_for.filter(|_| {
            made.as_deref()
                .is_some_and(|made| trees::is_in(made, &tree))
        }) {
            found.entry(name).or_insert_with(|| tree.clone());
        }
        if let Ok(Some((name, _))) = TeamLocation::from(repository).read_token() {
            found.insert(name, tree);
        }
    }
    found
}
