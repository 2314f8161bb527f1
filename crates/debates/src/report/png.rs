//! Renders the argument graph as PNG.

use agon_caller::{Code, Failure, Hint, Notes};
use agon_record::state::State;
use agon_report::debate_drawing;
use agon_report::graph::png as painted;

// A thousand points take about half a second to render in a release build, ten times as long as
// their SVG, which is always written.
/// Maximum number of points; rendering more would take most of a report's time.
const MAX_PAINTED_POINTS: usize = 1_000;
// 504 points of a formal debate are drawn at two thirds of the size of the SVG, so their text can
// still be read, and take about 0.3 s. Tested by `a_png_has_at_most_the_pixels_allowed`.
/// Maximum number of pixels of a picture; a larger one is scaled down.
const MAX_PIXELS: u32 = 24_000_000;

/// Renders the argument graph as PNG.
///
/// # Errors
///
/// If rendering fails.
pub(super) fn png(state: &State) -> Result<Vec<u8>, Failure> {
    painted(&debate_drawing(state), MAX_PIXELS)
        .map_err(|error| Failure::from_error(Code::Picture, &error))
}

/// Renders the picture of a whole report. Returns `None` with a note if that would take too long.
///
/// # Errors
///
/// If rendering fails.
pub(super) fn report_png(state: &State, notes: &mut dyn Notes) -> Result<Option<Vec<u8>>, Failure> {
    if state.nodes().len() <= MAX_PAINTED_POINTS {
        return png(state).map(Some);
    }
    // Name the flag, because only the command line can ask for a whole report.
    let advice = Hint::new("to render this many points anyway, run agon report with ");
    let advice = advice.flag_with("format", "png -o FILE");
    notes.note(&advice.typed());
    Ok(None)
}
