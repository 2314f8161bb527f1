//! Plays a record on the screen.

use agon_app::playback::Playback;

use crate::args::Global;
use crate::edge::Surroundings;
use crate::error::{Failure, FailureKind};
use crate::{screen, stop};

/// Plays a record on the screen, to its end.
///
/// # Errors
///
/// If it does not hold a debate, or the user stops it.
pub(crate) async fn play(
    edge: &Surroundings,
    global: &Global,
    playback: &mut Playback,
) -> Result<(), Failure> {
    let cancel = stop::signal_cancellation_token();
    let mut screen = screen::replay_screen(edge, global.json);
    screen.print_header(playback.state(), playback.folder(), None);
    let is_whole = playback.play(&mut screen, &cancel).await?;
    screen.close();
    match is_whole {
        true => Ok(()),
        false => Err(Failure::new(FailureKind::Cancelled, "cancelled", "stopped")),
    }
}
