//! The vendors of judges and debaters.

use agon_record::id::Seat;
use agon_record::spec::Seating;
use agon_record::state::State;

/// Returns the sentence that a judge and a side share a vendor; `None` if the judge is the side's
/// own tool, which has its own warning.
pub(super) fn describe_shared_vendor(state: &State, seat: Seat) -> Option<String> {
    let judge = state.seats.get(&seat)?;
    let sides = state.spec.format().sides();
    let side_that = |is_near: &dyn Fn(&Seating) -> bool| {
        let mut sides = sides.into_iter();
        sides.find(|side| state.seats.get(side).is_some_and(is_near))
    };
    if judge.vendor.is_empty() || side_that(&|side| side.tool == judge.tool).is_some() {
        return None;
    }
    let side = side_that(&|side| side.vendor == judge.vendor)?;
    let name = match seat == Seat::JUDGE {
        true => "judge".to_owned(),
        false => seat.to_string(),
    };
    let vendor = vendor_name(&judge.vendor);
    Some(format!("{name} and {side} are both from {vendor}"))
}

/// Returns a vendor's name as the vendor writes it.
fn vendor_name(vendor: &str) -> String {
    match vendor {
        "openai" => "OpenAI".to_owned(),
        "github" => "GitHub".to_owned(),
        other => {
            let mut chars = other.chars();
            let first = chars.next().map(|c| c.to_uppercase().to_string());
            first.unwrap_or_default() + chars.as_str()
        }
    }
}
