//! Family `evidence`: what is cited is there.

use agon_record::finding::{Finding, Severity};
use agon_record::ground::GroundStamp;
use agon_record::piece;
use agon_record::point::points;
use agon_record::stamp::{Absent, Stamp, StampKind};

use crate::rule::scene::join_path;
use crate::rule::{Rule, Scene};

const FAMILY: &str = "evidence";

pub(super) const MISSING: Rule = Rule {
    code: "evidence-missing",
    family: FAMILY,
    severity: Severity::Error,
    about: "a place that is cited exists",
    explain: include_str!("explain/evidence-missing.md"),
    check: check_missing_places,
};

pub(super) const WRONG: Rule = Rule {
    code: "evidence-wrong",
    family: FAMILY,
    severity: Severity::Error,
    about: "words that are cited stand at their place",
    explain: include_str!("explain/evidence-wrong.md"),
    check: check_wrong_quotes,
};

pub(super) const UNSUPPORTED: Rule = Rule {
    code: "evidence-unsupported",
    family: FAMILY,
    severity: Severity::Warning,
    about: "an argument rests on words that were found at a place it cites",
    explain: include_str!("explain/evidence-unsupported.md"),
    check: check_unsupported_arguments,
};

fn check_missing_places(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for_each_stamp_of_kind(scene, StampKind::Missing, |at, stamp| {
        let message = format!("{}: {}", citation_place_text(stamp), stamp.stamped.stamp);
        let leads_out = matches!(
            stamp.stamped.stamp,
            Stamp::Missing {
                what: Absent::Outside,
                ..
            }
        );
        let hint = match leads_out {
            true => {
                "give the path from the project's root, or drop the citation and say what the ground rests on"
            }
            false => {
                "cite a place that exists, or drop the citation and say what the ground rests on"
            }
        };
        found.push(scene.breach(at, message, hint));
    });
}

fn check_wrong_quotes(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for_each_stamp_of_kind(scene, StampKind::Wrong, |at, stamp| {
        let hint = wrong_quote_hint(&stamp.stamped.stamp);
        let message = format!("the words cited are not in {}", citation_place_text(stamp));
        found.push(scene.breach(at, message, hint));
    });
}

/// What to do about words that are not where they are cited.
fn wrong_quote_hint(stamp: &Stamp) -> String {
    if let Stamp::Wrong {
        there,
        nearest,
        case_differs: true,
        ..
    } = stamp
    {
        let place = &nearest.as_ref().unwrap_or(there).place;
        return format!("{place} has them in other upper and lower case: copy them as they stand");
    }
    if let Stamp::Wrong { elsewhere, .. } = stamp
        && let Some(place) = elsewhere.first()
    {
        return format!("the words stand in {place}: cite that, if it is what you mean");
    }
    "copy the anchor from the text that stands there, or drop the ground".to_owned()
}

fn for_each_stamp_of_kind(
    scene: &Scene<'_>,
    kind: StampKind,
    mut tell: impl FnMut(String, &GroundStamp),
) {
    let places = scene.point_paths();
    for stamp in scene.stamps {
        if stamp.stamped.stamp.kind() == kind
            && let Some(at) = places.get(stamp.point)
        {
            tell(join_path(at, &format!("grounds[{}]", stamp.ground)), stamp);
        }
    }
}

/// The place that is cited, in its author's words.
fn citation_place_text(stamp: &GroundStamp) -> String {
    let mut citation = stamp.stamped.citation.clone();
    citation.anchor = None;
    let place =
        piece::format_citation_place(&citation).unwrap_or_else(|| "the citation".to_owned());
    piece::single_line(&place, 80)
}

/// Arguments of which no ground's words were found, where there is a source to find them in.
///
/// A place that exists says nothing by itself: without words of it, anybody could name it.
fn check_unsupported_arguments(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.state.spec.source.is_none() {
        return;
    }
    let points = points(scene.moves).into_iter().enumerate();
    for ((nth, point), at) in points.zip(scene.point_paths()) {
        let argues = point.toulmin_argument().is_some();
        let stamps = || scene.stamps.iter().filter(|stamp| stamp.point == nth);
        if argues && !stamps().any(GroundStamp::is_found_or_moved) {
            let bare = stamps().any(|stamp| stamp.stamped.stamp.kind() == StampKind::Place);
            found.push(scene.breach(
                join_path(&at, "grounds"),
                match bare {
                    true => "nothing is quoted from the places of this argument",
                    false => "no ground of this argument was found in the source",
                },
                "cite the place in the source that shows it, with a few of its words",
            ));
        }
    }
}
