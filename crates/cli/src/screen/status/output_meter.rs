//! Measures a tool's output in a call, and how long the tool has been silent.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_report::text::format_duration;

// Tools are often silent for 20 seconds while they think, but rarely for a minute.
/// The silence after which the line mentions it.
const SILENCE: Duration = Duration::from_secs(30);

// The longest usual text, `999 kB, silent for 12:34 `, has 25 columns.
/// The maximum width of the description, in columns.
pub(super) const COLUMNS: usize = 26;

/// The amount of a tool's output in one call.
#[derive(Debug, Default)]
pub(super) struct OutputMeter(Mutex<Option<Sound>>);

/// The output since a screen started to measure it.
#[derive(Clone, Copy, Debug)]
struct Sound {
    bytes: u64,
    /// The time of the last output, or of the start of the measurement.
    last: Instant,
}

impl OutputMeter {
    /// Starts the measurement.
    pub(super) fn start(&self) {
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

    /// Describes the output, with a trailing space; empty without a screen and right after the
    /// start.
    pub(super) fn describe(&self) -> String {
        let sound = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sound) = sound else {
            return String::new();
        };
        describe_output(sound.bytes, sound.last.elapsed())
    }
}

fn describe_output(bytes: u64, silent: Duration) -> String {
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
        true => format!("silent for {silent} "),
        false => format!("{amount}, silent for {silent} "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_at_once_and_silence_after_a_while() {
        let seconds = Duration::from_secs;
        let cases = [
            (0, 3, ""),
            (0, 45, "silent for 0:45 "),
            (950, 3, "950 B "),
            (51_800, 3, "52 kB "),
            (51_800, 100, "52 kB, silent for 1:40 "),
        ];
        for (bytes, silent, said) in cases {
            assert_eq!(describe_output(bytes, seconds(silent)), said);
            assert!(said.len() <= COLUMNS);
        }
        let meter = OutputMeter::default();
        assert_eq!(meter.describe(), "");
        meter.start();
        meter.add_bytes(12);
        meter.add_bytes(30);
        assert_eq!(meter.describe(), "42 B ");
    }
}
