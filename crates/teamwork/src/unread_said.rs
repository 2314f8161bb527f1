//! How many unread messages the model of a work tree was told of: each number is said once.

use std::fs;

use agon_team::store::TeamLocation;

/// Whether this number of unread messages has not been said; it is said now.
pub(super) fn is_news(location: &TeamLocation, unread: usize) -> bool {
    let path = location.token_file().with_file_name("unread");
    let said = agon_files::read_to_string(&path, 64).ok();
    let said = said
        .and_then(|text| text.trim().parse::<usize>().ok())
        .unwrap_or_default();
    if said == unread {
        return false;
    }
    // Where it cannot be kept it is said again.
    fs::write(&path, unread.to_string()).ok();
    unread > 0
}
