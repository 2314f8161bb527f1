//! Chooses the number of threads for a model.

use std::fs;
use std::thread::{available_parallelism, sleep};
use std::time::Duration;

// Taking the minimum of three checks leaves out threads that run by chance. The two pauses add 8 ms
// to an answer that takes seconds.
/// How often to check how many other threads are running.
const LOOKS: usize = 3;

// One tick of a kernel at 250 Hz, because a shorter pause would see the same threads.
/// The pause between two checks.
const PAUSE: Duration = Duration::from_millis(4);

/// Returns the number of processors that a model should use: all, or one if other threads keep all
/// processors busy.
///
/// Threads that wait for each other at every layer are as slow as the slowest. On a busy machine, a
/// single thread is several times as fast as two.
pub(super) fn choose_thread_count() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    // Take the minimum of several checks, to leave out threads that run only briefly.
    let looks = (0..LOOKS).map(|at| {
        if at > 0 {
            sleep(PAUSE);
        }
        fs::read_to_string("/proc/loadavg").map_or(0, |text| parse_other_running_threads(&text))
    });
    thread_count(processors, looks.min().unwrap_or(0))
}

/// Returns the number of other running threads, from the content of `/proc/loadavg`, such as `0.31
/// 0.20 0.18 3/512 1234`.
fn parse_other_running_threads(load: &str) -> usize {
    let running = load.split(' ').nth(3).and_then(|field| {
        let running: usize = field.split('/').next()?.parse().ok()?;
        Some(running)
    });
    running.unwrap_or(0).saturating_sub(1)
}

fn thread_count(processors: usize, others: usize) -> usize {
    if others > processors { 1 } else { processors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_is_busy_at_this_moment_gives_one_thread() {
        let on_two = |load: &str| thread_count(2, parse_other_running_threads(load));
        assert_eq!(on_two("9.53 4.20 1.97 1/106 30055"), 2);
        assert_eq!(on_two("0.31 0.20 0.18 3/106 30055"), 2);
        assert_eq!(on_two("0.31 0.20 0.18 4/106 30055"), 1);
        assert_eq!(on_two("what is this"), 2);
        assert_eq!(thread_count(16, 9), 16);
    }
}
