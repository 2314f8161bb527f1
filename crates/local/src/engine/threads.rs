//! How many threads a model gets.

use std::fs;
use std::thread::available_parallelism;

/// As many as there are processors; one where others keep them busy.
///
/// Threads that wait for each other at every layer are slowest where one of them is not run: on a
/// busy machine one thread alone is several times as fast as two.
pub(super) fn count() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").ok();
    let load = load
        .as_deref()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    of(processors, load.unwrap_or(0.0))
}

fn of(processors: usize, load: f64) -> usize {
    let busy = load > 3.0 * processors as f64;
    if busy { 1 } else { processors }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_machine_gives_one_thread() {
        assert_eq!(of(2, 0.3), 2);
        assert_eq!(of(2, 5.9), 2);
        assert_eq!(of(2, 9.5), 1);
        assert_eq!(of(16, 9.5), 16);
    }
}
