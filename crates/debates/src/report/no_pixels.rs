//! What stands in the place of the picture in pixels where the program was built without.

use agon_caller::{Code, Failure, Hint, Notes};
use agon_record::state::State;

/// How a build with the feature is had.
const BUILD: &str = "released builds do, and so does the one of \
                     `cargo install --path crates/cli --features png`";

/// Refuses: this build paints no pixels.
///
/// # Errors
///
/// Always; the hint names a build that does.
pub(super) fn png(_state: &State) -> Result<Vec<u8>, Failure> {
    let other = Hint::new("`").flag_with("format", "svg");
    let other = other.text("` has the same picture in every build");
    Err(Failure::new(Code::NoPng, "this build paints no PNG").hint(Hint::new(BUILD).then(other)))
}

/// The picture of a whole report: none, and a note why.
///
/// # Errors
///
/// Never.
pub(super) fn report_png(
    _state: &State,
    notes: &mut dyn Notes,
) -> Result<Option<Vec<u8>>, Failure> {
    notes.note(&format!(
        "note: this build paints no argument-graph.png: {BUILD}"
    ));
    Ok(None)
}
