//! Records the unread count that was last reported to a work tree's model, so that each number is
//! reported once.

use std::fs;

use agon_team::store::TeamLocation;

/// Returns whether these unread and urgent counts have not been reported yet, and records them as
/// reported.
pub(super) fn record_if_new(location: &TeamLocation, unread: usize, urgent: usize) -> bool {
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
    // If it cannot be recorded, it is reported again next time.
    fs::write(&path, now).ok();
    unread > 0
}
