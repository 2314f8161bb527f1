//! Family `evidence`: what is cited is there.

use agon_record::finding::{Finding, Severity};
use agon_record::ground::GroundStamp;
use agon_record::piece;
use agon_record::point::points;
use agon_record::stamp::{Absent, Stamp, StampKind};

use crate::rule::scene::under;
use crate::rule::{Rule, Scene};

const FAMILY: &str = "evidence";

pub(super) const MISSING: Rule = Rule {
    code: "evidence-missing",
    family: FAMILY,
    severity: Severity::Error,
    about: "a place that is cited exists",
    explain: include_str!("explain/evidence-missing.md"),
    check: missing,
};

pub(super) const WRONG: Rule = Rule {
    code: "evidence-wrong",
    family: FAMILY,
    severity: Severity::Error,
    about: "words that are cited stand at their place",
    explain: include_str!("explain/evidence-wrong.md"),
    check: wrong,
};

pub(super) const UNSUPPORTED: Rule = Rule {
    code: "evidence-unsupported",
    family: FAMILY,
    severity: Severity::Warning,
    about: "an argument rests on words that were found at a place it cites",
    explain: include_str!("explain/evidence-unsupported.md"),
    check: unsupported,
};

fn missing(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    of_kind(scene, StampKind::Missing, |at, stamp| {
        let message = format!("{}: {}", cited_place(stamp), stamp.stamped.stamp);
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

fn wrong(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    of_kind(scene, StampKind::Wrong, |at, stamp| {
        let hint = way_out(&stamp.stamped.stamp);
        let message = format!("the words cited are not in {}", cited_place(stamp));
        found.push(scene.breach(at, message, hint));
    });
}

/// What to do about words that are not where they are cited.
fn way_out(stamp: &Stamp) -> String {
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

fn of_kind(scene: &Scene<'_>, kind: StampKind, mut tell: impl FnMut(String, &GroundStamp)) {
    let places = scene.places();
    for stamp in scene.stamps {
        if stamp.stamped.stamp.kind() == kind
            && let Some(at) = places.get(stamp.point)
        {
            tell(under(at, &format!("grounds[{}]", stamp.ground)), stamp);
        }
    }
}

/// The place that is cited, in its author's words.
fn cited_place(stamp: &GroundStamp) -> String {
    let mut citation = stamp.stamped.citation.clone();
    citation.anchor = None;
    let place = piece::place(&citation).unwrap_or_else(|| "the citation".to_owned());
    piece::line(&place, 80)
}

/// Arguments of which no ground's words were found, where there is a source to find them in.
///
/// A place that exists says nothing by itself: without words of it, anybody could name it.
fn unsupported(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.state.spec.source.is_none() {
        return;
    }
    let points = points(scene.moves).into_iter().enumerate();
    for ((nth, point), at) in points.zip(scene.places()) {
        let argues = point.toulmin().is_some();
        let stamps = || scene.stamps.iter().filter(|stamp| stamp.point == nth);
        if argues && !stamps().any(GroundStamp::stands) {
            let bare = stamps().any(|stamp| stamp.stamped.stamp.kind() == StampKind::Place);
            found.push(scene.breach(
                under(&at, "grounds"),
                match bare {
                    true => "nothing is quoted from the places of this argument",
                    false => "no ground of this argument was found in the source",
                },
                "cite the place in the source that shows it, with a few of its words",
            ));
        }
    }
}
