//! How much a tool has said in a call, and for how long it has been silent.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_report::text::format_duration;

// Tools that think print nothing for 20 seconds often, for a minute seldom.
/// How long a tool is silent before that is said.
const SILENCE: Duration = Duration::from_secs(30);

// `999 kB, quiet for 12:34 `, and some more.
/// The most columns that it takes.
pub(super) const COLUMNS: usize = 26;

/// What was heard of a tool in one call.
#[derive(Debug, Default)]
pub(super) struct OutputMeter(Mutex<Option<Sound>>);

/// Since a screen listens.
#[derive(Clone, Copy, Debug)]
struct Sound {
    bytes: u64,
    /// When the last of them came, or listening began.
    last: Instant,
}

impl OutputMeter {
    /// From now on silence means that nothing came.
    pub(super) fn listen(&self) {
        self.add_bytes(0);
    }

    pub(super) fn add_bytes(&self, bytes: usize) {
        let mut sound = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = sound.map_or(0, |sound| sound.bytes);
        *sound = Some(Sound {
            bytes: before.saturating_add(bytes as u64),
            last: Instant::now(),
        });
    }

    /// What was heard, with a space behind it; empty where no screen listens, or it has just begun.
    pub(super) fn describe(&self) -> String {
        let sound = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sound) = sound else {
            return String::new();
        };
        describe_sound(sound.bytes, sound.last.elapsed())
    }
}

fn describe_sound(bytes: u64, silent: Duration) -> String {
    let amount = match bytes {
        0 => String::new(),
        1..1_000 => format!("{bytes} B"),
        _ => format!("{} kB", (bytes + 500) / 1_000),
    };
    if silent < SILENCE {
        return match amount.is_empty() {
            true => amount,
            false => format!("{amount} "),
        };
    }
    let ms = u64::try_from(silent.as_millis()).unwrap_or(u64::MAX);
    let silent = format_duration(ms);
    match amount.is_empty() {
        true => format!("nothing for {silent} "),
        false => format!("{amount}, quiet for {silent} "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_said_after_a_while_and_bytes_at_once() {
        let seconds = Duration::from_secs;
        let cases = [
            (0, 3, ""),
            (0, 45, "nothing for 0:45 "),
            (950, 3, "950 B "),
            (51_800, 3, "52 kB "),
            (51_800, 100, "52 kB, quiet for 1:40 "),
        ];
        for (bytes, silent, said) in cases {
            assert_eq!(describe_sound(bytes, seconds(silent)), said);
            assert!(said.len() <= COLUMNS);
        }
        let heard = OutputMeter::default();
        assert_eq!(heard.describe(), "");
        heard.listen();
        heard.add_bytes(12);
        heard.add_bytes(30);
        assert_eq!(heard.describe(), "42 B ");
    }
}
