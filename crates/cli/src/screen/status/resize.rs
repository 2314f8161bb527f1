//! Draws the lines of calls again as time goes by, and after the terminal became narrower.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use agon_report::text::{display_width, truncate_to_width};
use indicatif::MultiProgress;

use super::{Call, TOOK, heard};
use crate::edge::terminal_width;

// Seconds are shown: four looks at each keep any from being skipped.
/// From one drawing to the next.
const TICK: Duration = Duration::from_millis(250);

/// The lines that are drawn again for as long as this lives.
pub(super) struct Redraw(Arc<Mutex<Vec<Call>>>);

impl Redraw {
    /// Draws lines of `all`; none yet.
    pub(super) fn start(all: MultiProgress) -> Self {
        let bars = Arc::default();
        let watched = Arc::downgrade(&bars);
        thread::spawn(move || draw_until_dropped(&all, &watched));
        Self(bars)
    }

    /// Draws these from now on, and no others.
    pub(super) fn watch(&self, bars: Vec<Call>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = bars;
    }
}

fn draw_until_dropped(all: &MultiProgress, bars: &Weak<Mutex<Vec<Call>>>) {
    let mut width = terminal_width();
    loop {
        thread::sleep(TICK);
        let Some(bars) = bars.upgrade() else { return };
        // Held while they are drawn: none that has ended in the meantime comes back.
        let bars = bars.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut width, terminal_width());
        if width < before {
            fit_to_width(all, &bars, before, width);
        }
        bars.iter().for_each(|call| call.bar.tick());
    }
}

/// Takes away what a terminal made of longer lines when it became narrower, and cuts their words.
fn fit_to_width(all: &MultiProgress, calls: &[Call], before: usize, width: usize) {
    let more = rows_more(calls.len(), before, width);
    // The terminal that xterm is cuts lines instead of breaking them.
    if more > 0 && std::env::var_os("XTERM_VERSION").is_none() {
        all.suspend(|| {
            // Where colours are not wanted, anstream takes out what moves the cursor too.
            let mut stderr = std::io::stderr();
            let erased = write!(stderr, "\u{1b}[{more}A\u{1b}[J");
            // That stderr is gone cannot be reported.
            drop(erased.and_then(|()| stderr.flush()));
        });
    }
    for Call { bar, .. } in calls {
        let taken = display_width(&bar.prefix()) + TOOK + heard::COLUMNS;
        let room = width.saturating_sub(taken);
        bar.set_message(truncate_to_width(&bar.message(), room));
    }
}

/// How many more rows than lines there are where lines that filled `before` columns, as they are drawn,
/// are broken at `width`.
fn rows_more(lines: usize, before: usize, width: usize) -> usize {
    let rows = before.div_ceil(width.max(1)).max(1);
    lines.saturating_mul(rows - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_no_longer_fit_take_more_rows() {
        assert_eq!(rows_more(2, 110, 60), 2);
        assert_eq!(rows_more(1, 120, 40), 2);
        assert_eq!(rows_more(3, 80, 80), 0);
        assert_eq!(rows_more(0, 110, 60), 0);
    }
}
