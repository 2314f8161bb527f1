//! How many unread messages the model of a work tree was told of: each number is said once.

use std::fs;

use agon_team::store::TeamLocation;

/// Whether these numbers of unread and of urgent messages have not been said; they are said now.
pub(super) fn is_news(location: &TeamLocation, unread: usize, urgent: usize) -> bool {
    let path = location.token_file().with_file_name("unread");
    let said = agon_files::read_to_string(&path, 64).unwrap_or_default();
    let now = match urgent {
        0 => unread.to_string(),
        _ => format!("{unread} {urgent}"),
    };
    let said = match said.trim() {
        "" => "0",
        said => said,
    };
    if said == now {
        return false;
    }
    // Where it cannot be kept it is said again.
    fs::write(&path, now).ok();
    unread > 0
}
