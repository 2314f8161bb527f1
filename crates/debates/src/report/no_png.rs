//! Replaces the PNG renderer in builds without the `png` feature.

use agon_caller::{Code, Failure, Hint, Notes, hint};
use agon_record::state::State;

/// Fails: this build cannot render PNG files.
///
/// # Errors
///
/// Always; the hint says how to get a build that can.
pub(super) fn png(_state: &State) -> Result<Vec<u8>, Failure> {
    let other = Hint::new("`").flag_with("format", "svg");
    let other = other.text("` renders the same picture in every build");
    Err(
        Failure::new(Code::NoPng, "this build cannot render PNG files")
            .hint(Hint::new(hint::full_build("png")).then(other)),
    )
}

/// Notes that a whole report has no PNG, and returns none.
///
/// # Errors
///
/// Never.
pub(super) fn report_png(
    _state: &State,
    notes: &mut dyn Notes,
) -> Result<Option<Vec<u8>>, Failure> {
    let build = hint::full_build("png");
    notes.note(&format!(
        "note: this build cannot render argument-graph.png; {build}"
    ));
    Ok(None)
}
