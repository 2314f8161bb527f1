//! What earlier processes left behind: their private folders.

use agon_agents::Environment;

/// Removes the private folders of processes that are gone.
///
/// Whoever is in a hurry leaves them to the next one.
pub(crate) async fn remove(here: &Environment) {
    if here.is_hurried() {
        return;
    }
    let places = here.private_places();
    let removing = tokio::task::spawn_blocking(move || places.remove_orphans());
    // What could not be removed is looked at again by the next process.
    removing.await.map(drop).unwrap_or_default();
}
