//! The picture in pixels.

use agon_caller::{Code, Failure, Hint, Notes};
use agon_record::state::State;
use agon_report::debate_drawing;
use agon_report::graph::png as painted;

// 402 points took 1.6 s to paint in a release build and 0.04 s to draw as SVG, which is always
// written.
/// Points beyond which painting pixels would take most of a whole report's time.
const MAX_PAINTED_POINTS: usize = 1_000;
// Four bytes each: 160 MB while it is painted. A larger picture is painted smaller:
// `a_png_has_at_most_the_pixels_allowed`.
/// The most pixels of a picture.
const MAX_PIXELS: u32 = 40_000_000;

/// The argument graph as PNG.
///
/// # Errors
///
/// If it cannot be painted.
pub(super) fn png(state: &State) -> Result<Vec<u8>, Failure> {
    painted(&debate_drawing(state), MAX_PIXELS)
        .map_err(|error| Failure::from_error(Code::Picture, &error))
}

/// The picture of a whole report; none, and a note why, where it would take too long.
///
/// # Errors
///
/// If it cannot be painted.
pub(super) fn report_png(state: &State, notes: &mut dyn Notes) -> Result<Option<Vec<u8>>, Failure> {
    if state.nodes().len() <= MAX_PAINTED_POINTS {
        return png(state).map(Some);
    }
    // Only a terminal asks for a whole report.
    let advice = Hint::new("so many points are painted only when asked for: ");
    let advice = advice.flag_with("format", "png -o FILE");
    notes.note(&advice.typed());
    Ok(None)
}
