//! Redraws the lines of calls every tick and after the terminal becomes narrower.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use agon_report::text::{display_width, truncate_to_width};
use indicatif::MultiProgress;

use super::{Call, SPINNER_AND_TIME, output_meter};
use crate::surroundings::terminal_width;

// The lines count seconds, and four redraws per second never skip one.
/// The time between two redraws.
const TICK: Duration = Duration::from_millis(250);

/// Redraws lines on a separate thread until this value is dropped.
pub(super) struct Redraw(Arc<Mutex<Vec<Call>>>);

impl Redraw {
    /// Starts to redraw lines of `all`, with no lines yet.
    pub(super) fn start(all: MultiProgress) -> Self {
        let bars = Arc::default();
        let watched = Arc::downgrade(&bars);
        thread::spawn(move || redraw_until_dropped(&all, &watched));
        Self(bars)
    }

    /// Redraws exactly these lines from now on.
    pub(super) fn watch(&self, bars: Vec<Call>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bars;
    }
}

fn redraw_until_dropped(all: &MultiProgress, bars: &Weak<Mutex<Vec<Call>>>) {
    let mut width = terminal_width();
    loop {
        thread::sleep(TICK);
        let Some(bars) = bars.upgrade() else { return };
        // Hold the lock while drawing, so that a call that ends meanwhile is not drawn again.
        let bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut width, terminal_width());
        if width < before {
            erase_wrapped_rows(all, &bars, before, width);
        }
        bars.iter().for_each(|call| call.bar.tick());
    }
}

/// Erases the rows into which the narrower terminal wrapped the lines, and shortens their words.
fn erase_wrapped_rows(all: &MultiProgress, calls: &[Call], before: usize, width: usize) {
    let more = extra_rows(calls.len(), before, width);
    // Nothing to erase in xterm, which cuts long lines off instead of wrapping them.
    if more > 0 && std::env::var_os("XTERM_VERSION").is_none() {
        all.suspend(|| {
            // Write directly, because anstream strips cursor movements if colors are off.
            let mut stderr = std::io::stderr();
            let erased = write!(stderr, "\u{1b}[{more}A\u{1b}[J");
            // Ignore errors: Agon would have to report them on stderr too.
            drop(erased.and_then(|()| stderr.flush()));
        });
    }
    for Call { bar, .. } in calls {
        let taken = display_width(&bar.prefix()) + SPINNER_AND_TIME + output_meter::COLUMNS;
        let room = width.saturating_sub(taken);
        bar.set_message(truncate_to_width(&bar.message(), room));
    }
}

/// Returns how many extra rows `lines` of `before` columns take after wrapping at `width`.
fn extra_rows(lines: usize, before: usize, width: usize) -> usize {
    let rows = before.div_ceil(width.max(1)).max(1);
    lines.saturating_mul(rows - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_no_longer_fit_take_more_rows() {
        assert_eq!(extra_rows(2, 110, 60), 2);
        assert_eq!(extra_rows(1, 120, 40), 2);
        assert_eq!(extra_rows(3, 80, 80), 0);
        assert_eq!(extra_rows(0, 110, 60), 0);
    }
}
