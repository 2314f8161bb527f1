//! Describes changed places in words.

use agon_report::text::count_with_noun;

use super::{DriftedPlace, PlaceState};

// Five names fit on one line. Tested by `the_first_are_named_and_the_rest_counted`.
/// Maximum number of names listed for one state.
pub(super) const NAMED: usize = 5;
/// Formats a place the way it is cited.
pub(super) fn format_place(file: &str, [first, last]: [u32; 2]) -> String {
    match (first, last) {
        (0, _) => file.to_owned(),
        (first, last) if last > first => format!("{file}:{first}-{last}"),
        (first, _) => format!("{file}:{first}"),
    }
}

/// Returns a summary such as `2 of 9 places it cites have changed: …; 1 is gone: …`.
pub(super) fn describe(all: usize, noun: &str, what: &str, drifted: &[DriftedPlace]) -> String {
    let of_all = format!("{} {what}", count_with_noun(all as u64, noun));
    let mut parts = Vec::new();
    for (state, one, several) in [
        (PlaceState::Changed, "has changed", "have changed"),
        (PlaceState::Gone, "is gone", "are gone"),
        (PlaceState::Moved, "has moved", "have moved"),
        (
            PlaceState::Unknown,
            "cannot be compared",
            "cannot be compared",
        ),
    ] {
        let of_state: Vec<&DriftedPlace> = drifted.iter().filter(|it| it.state == state).collect();
        let count = of_state.len();
        if count == 0 {
            continue;
        }
        let verb = if count == 1 { one } else { several };
        let of = match parts.is_empty() {
            true => format!("of {of_all} "),
            false => String::new(),
        };
        parts.push(format!("{count} {of}{verb}: {}", join_names(&of_state)));
    }
    match parts.is_empty() {
        true => format!("same ({of_all})"),
        false => parts.join("; "),
    }
}

/// Returns the first names and the number of others.
fn join_names(places: &[&DriftedPlace]) -> String {
    let first = places.iter().take(NAMED).map(|it| match &it.now {
        Some(now) => format!("{} → {now}", it.place),
        None => it.place.clone(),
    });
    let mut names: Vec<String> = first.collect();
    if places.len() > NAMED {
        names.push(format!("{} more", places.len() - NAMED));
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drifted(state: PlaceState, count: usize) -> Vec<DriftedPlace> {
        let place = |number| DriftedPlace {
            place: format!("{number}.rs:{number}"),
            state,
            now: (state == PlaceState::Moved).then(|| "b.rs:7".to_owned()),
        };
        (1..=count).map(place).collect()
    }

    #[test]
    fn the_first_are_named_and_the_rest_counted() {
        let changed = |all, count| {
            let drifted = drifted(PlaceState::Changed, count);
            describe(all, "place", "it cites", &drifted)
        };
        assert_eq!(changed(9, 0), "same (9 places it cites)");
        assert_eq!(changed(1, 1), "1 of 1 place it cites has changed: 1.rs:1");
        assert_eq!(
            changed(12, 7),
            "7 of 12 places it cites have changed: 1.rs:1, 2.rs:2, 3.rs:3, 4.rs:4, 5.rs:5, 2 more"
        );
    }

    #[test]
    fn each_way_in_which_places_drift_is_said_apart() {
        let all = [
            drifted(PlaceState::Changed, 1),
            drifted(PlaceState::Gone, 2),
            drifted(PlaceState::Moved, 1),
            drifted(PlaceState::Unknown, 1),
        ];
        assert_eq!(
            describe(9, "place", "it cites", &all.concat()),
            "1 of 9 places it cites has changed: 1.rs:1; 2 are gone: 1.rs:1, 2.rs:2; \
             1 has moved: 1.rs:1 → b.rs:7; 1 cannot be compared: 1.rs:1"
        );
        assert_eq!(
            describe(3, "place", "it cites", &drifted(PlaceState::Gone, 3)),
            "3 of 3 places it cites are gone: 1.rs:1, 2.rs:2, 3.rs:3"
        );
    }

    #[test]
    fn a_place_is_said_as_it_is_cited() {
        assert_eq!(format_place("a.rs", [0, 0]), "a.rs");
        assert_eq!(format_place("a.rs", [3, 3]), "a.rs:3");
        assert_eq!(format_place("a.rs", [3, 7]), "a.rs:3-7");
    }
}
