//! Family `evidence`: what is cited is there.

use crate::evidence::GroundStamp;
use crate::finding::{Finding, Severity};
use crate::prompt::text;
use crate::record::{Point, points};
use crate::rule::scene::under;
use crate::rule::{Rule, Scene};
use crate::stamp::{Stamp, StampKind};

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
    about: "an argument rests on at least one place that was found",
    explain: include_str!("explain/evidence-unsupported.md"),
    check: unsupported,
};

fn missing(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    of_kind(scene, StampKind::Missing, |at, stamp| {
        let message = format!("{}: {}", cited(stamp), stamp.stamped.stamp);
        let hint =
            "cite a place that exists, or drop the citation and say what the ground rests on";
        found.push(scene.breach(at, message, hint));
    });
}

fn wrong(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    of_kind(scene, StampKind::Wrong, |at, stamp| {
        let elsewhere = match &stamp.stamped.stamp {
            Stamp::Wrong { elsewhere, .. } => elsewhere.first().map(ToString::to_string),
            Stamp::Found { .. }
            | Stamp::Moved { .. }
            | Stamp::Missing { .. }
            | Stamp::Unreachable { .. }
            | Stamp::Unchecked { .. } => None,
        };
        let hint = match elsewhere {
            Some(place) => format!("the words stand in {place}: cite that, if it is what you mean"),
            None => {
                "copy the anchor from the text that stands there, or drop the ground".to_owned()
            }
        };
        let message = format!("the words cited are not in {}", cited(stamp));
        found.push(scene.breach(at, message, hint));
    });
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
fn cited(stamp: &GroundStamp) -> String {
    let mut citation = stamp.stamped.citation.clone();
    citation.anchor = None;
    let place = text::place(&citation).unwrap_or_else(|| "the citation".to_owned());
    text::line(&place, 80)
}

/// Arguments of which no ground was found, where there is a source to find it in.
fn unsupported(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    if scene.state.spec.source.is_none() {
        return;
    }
    let points = points(scene.moves).into_iter().enumerate();
    for ((nth, point), at) in points.zip(scene.places()) {
        let argues = match point {
            Point::Argument(_) | Point::Alternative(_) | Point::Contention(_) => true,
            Point::Objection(_)
            | Point::Response(_)
            | Point::Assessment(_)
            | Point::Agreement(_) => false,
        };
        let mut stamps = scene.stamps.iter().filter(|stamp| stamp.point == nth);
        if argues && !stamps.any(GroundStamp::stands) {
            found.push(scene.breach(
                under(&at, "grounds"),
                "no ground of this argument was found in the source",
                "cite the place in the source that shows it, with a few of its words",
            ));
        }
    }
}
