//! Splits work into parts of about the same size, one for each thread.

use std::num::NonZero;
use std::thread;

// More threads than that wait for the disk or for the lock of a folder, not for a processor.
/// Maximum number of threads.
const MAX_THREADS: usize = 4;

/// Runs `work` on consecutive parts of `items`, on one thread for each part, and returns the
/// results in order. `size` is the work that an item causes, in any unit.
///
/// A part whose thread cannot be started or panics is done again on this thread.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    size: impl Fn(&T) -> u64,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let parts = split(items, threads.min(MAX_THREADS), size);
    let Some((last, others)) = parts.split_last() else {
        return Vec::new();
    };
    let work = &work;
    thread::scope(|scope| {
        let started = others.iter().copied().map(|part| {
            let thread = thread::Builder::new();
            thread.spawn_scoped(scope, move || work(part))
        });
        let started: Vec<_> = started.collect();
        let last = work(last);
        let results = started.into_iter().zip(others).map(|(thread, part)| {
            let result = thread.ok().and_then(|thread| thread.join().ok());
            result.unwrap_or_else(|| work(part))
        });
        results.chain([last]).collect()
    })
}

/// Splits `items` into at most `most` consecutive parts of about the same size.
fn split<T>(items: &[T], most: usize, size: impl Fn(&T) -> u64) -> Vec<&[T]> {
    // Each item costs something, even an empty file. Measured: about as much as 4 KiB.
    let size = |item: &T| size(item).saturating_add(4 << 10);
    let whole = items.iter().map(&size).fold(0, u64::saturating_add);
    let share = whole / most.max(1) as u64 + 1;
    let mut parts = Vec::new();
    let (mut start, mut filled) = (0, 0_u64);
    for (at, item) in items.iter().enumerate() {
        filled = filled.saturating_add(size(item));
        if filled >= share {
            parts.extend(items.get(start..=at));
            (start, filled) = (at + 1, 0);
        }
    }
    parts.extend(items.get(start..).filter(|rest| !rest.is_empty()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_are_those_of_all_items_in_order() {
        for count in [0_u64, 1, 2, 3, 1_000] {
            let items: Vec<u64> = (0..count).collect();
            let parts = in_parallel(&items, |item| item * 1_000, <[u64]>::to_vec);
            assert_eq!(parts.concat(), items);
        }
    }

    #[test]
    fn parts_have_about_the_same_size() {
        let items = [1_u64 << 20, 1 << 20, 2 << 20, 4 << 20];
        let parts = split(&items, 2, |item| *item);
        let counts: Vec<_> = parts.iter().map(|part| part.len()).collect();
        assert_eq!(counts, [3, 1]);
        let even = [1_u64; 1_000];
        let parts = split(&even, 4, |_| 1);
        assert!(parts.len() == 4 && parts.iter().all(|part| part.len() <= 251));
    }

    #[test]
    fn a_part_that_panics_is_done_again() {
        let first = std::sync::atomic::AtomicBool::new(true);
        let items: Vec<u64> = (0..10).collect();
        let parts = in_parallel(
            &items,
            |_| 1,
            |part| {
                let here = thread::current().name().is_some();
                let fails = !here && first.swap(false, std::sync::atomic::Ordering::SeqCst);
                assert!(!fails, "on purpose");
                part.to_vec()
            },
        );
        assert_eq!(parts.concat(), items);
    }
}
