//! Plays the record of a debate on the screen.

use std::time::Duration;

use agon_debates::read::playback::Playback;

use crate::args::{Global, PaceArgs};
use crate::error::{Code, Failure};
use crate::screen::{self, Next};
use crate::stop;
use crate::surroundings::Surroundings;

// About 240 words a minute. Readers of English average 238 (Brysbaert 2019, mean of 190 studies of
// silent reading).
/// The time to read a word, in milliseconds.
const MS_PER_WORD: u64 = 250;

/// How a playback ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Played {
    /// The record was played to its end.
    Whole,
    /// The viewer quit.
    Quit,
}

/// How long a playback waits before each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// No wait.
    AtOnce,
    /// A fraction of the turn's original time.
    Faster(u32),
    /// The time to read the words on the screen.
    Reading,
}

impl Pace {
    fn new(speed: Option<u32>, is_live: bool) -> Self {
        match speed {
            Some(0) => Self::AtOnce,
            Some(speed) => Self::Faster(speed),
            None if is_live => Self::Reading,
            None => Self::AtOnce,
        }
    }

    /// Returns the wait before a turn that took `took_ms`, after `words` were printed.
    fn wait(self, took_ms: u64, words: usize) -> Duration {
        Duration::from_millis(match self {
            Self::AtOnce => 0,
            Self::Faster(speed) => took_ms.checked_div(speed.into()).unwrap_or(0),
            Self::Reading => MS_PER_WORD.saturating_mul(words as u64),
        })
    }
}

/// Plays the record of a debate on the screen, to its end or until the viewer quits.
///
/// # Errors
///
/// Returns an error if the record does not contain a debate, or a signal stops the playback.
pub(crate) async fn play(
    edge: &Surroundings,
    global: &Global,
    args: PaceArgs,
    playback: &mut Playback,
) -> Result<Played, Failure> {
    let cancel = stop::signal_cancellation_token();
    let mut screen = screen::playback_screen(edge, global.json);
    let pace = Pace::new(args.speed, screen.is_live());
    screen.print_playback_header(playback.played_state(), playback.folder_name());
    let mut is_over = false;
    while !is_over {
        let took_ms = playback.ms_until_next_line();
        let next = match took_ms {
            Some(took_ms) => {
                let wait = pace.wait(took_ms, screen.take_word_count());
                screen.wait_for_turn(wait, &cancel).await
            }
            None => Next::Turn,
        };
        match next {
            Next::Turn => is_over = !playback.play_line(&mut screen)?,
            Next::Quit => {
                screen.close();
                return Ok(Played::Quit);
            }
            Next::Stop => {
                screen.close();
                return Err(Failure::new(Code::Cancelled, "stopped"));
            }
        }
    }
    screen.close();
    Ok(Played::Whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_gets_the_time_to_read_and_a_pipe_does_not_wait() {
        let wait = |speed, is_live| Pace::new(speed, is_live).wait(48_000, 40).as_millis();
        assert_eq!(wait(None, true), 10_000);
        assert_eq!(wait(None, false), 0);
        assert_eq!(wait(Some(0), true), 0);
        assert_eq!(wait(Some(48), true), 1_000);
        assert_eq!(wait(Some(48), false), 1_000);
    }
}
