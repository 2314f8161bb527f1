//! Family `evidence`: cited places exist and contain the quoted words.

use agon_record::finding::{Finding, Severity};
use agon_record::ground::GroundStamp;
use agon_record::piece;
use agon_record::point::{Point, points};
use agon_record::stamp::{Absent, Stamp, StampKind};
use agon_record::support::{Support, needs_evidence};

use crate::rule::scene::join_path;
use crate::rule::{Rule, Scene};

const FAMILY: &str = "evidence";

pub(super) const MISSING: Rule = Rule {
    code: "evidence-missing",
    family: FAMILY,
    severity: Severity::Error,
    about: "a cited place exists",
    explain: include_str!("explain/evidence-missing.md"),
    check: check_missing_places,
};

pub(super) const WRONG: Rule = Rule {
    code: "evidence-wrong",
    family: FAMILY,
    severity: Severity::Error,
    about: "quoted words are at the cited place",
    explain: include_str!("explain/evidence-wrong.md"),
    check: check_wrong_quotes,
};

pub(super) const UNSUPPORTED: Rule = Rule {
    code: "evidence-unsupported",
    family: FAMILY,
    severity: Severity::Error,
    about: "a claim, a rebuttal and an agreement cite something specific",
    explain: include_str!("explain/evidence-unsupported.md"),
    check: check_unsupported_points,
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
                "give the path from the project's root, or remove the citation and say what the ground rests on"
            }
            false => {
                "cite a place that exists, or remove the citation and say what the ground rests on"
            }
        };
        found.push(scene.breach(at, message, hint));
    });
}

fn check_wrong_quotes(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    for_each_stamp_of_kind(scene, StampKind::Wrong, |at, stamp| {
        let hint = wrong_quote_hint(&stamp.stamped.stamp);
        let message = format!("the quoted words are not in {}", citation_place_text(stamp));
        found.push(scene.breach(at, message, hint));
    });
}

/// Returns the hint for quoted words that are not at the cited place.
fn wrong_quote_hint(stamp: &Stamp) -> String {
    if let Stamp::Wrong {
        there,
        nearest,
        case_differs: true,
        ..
    } = stamp
    {
        let place = &nearest.as_ref().unwrap_or(there).place;
        return format!("{place} has them with different capitals: copy them exactly");
    }
    if let Stamp::Wrong { elsewhere, .. } = stamp
        && let Some(place) = elsewhere.first()
    {
        return format!("the words are in {place}: cite that place if you mean it");
    }
    "copy the anchor from the text at that place, or remove the ground".to_owned()
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

/// Returns the cited place, in the author's words.
fn citation_place_text(stamp: &GroundStamp) -> String {
    let mut citation = stamp.stamped.citation.clone();
    citation.anchor = None;
    let place =
        piece::format_citation_place(&citation).unwrap_or_else(|| "the citation".to_owned());
    piece::single_line(&place, 80)
}

/// Reports points without evidence. With a pinned source, a citation without quoted words is not
/// evidence.
///
/// An existing place alone proves nothing: anybody can name one.
fn check_unsupported_points(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    let pinned = scene.state.spec.source.is_some();
    let points = points(scene.moves).into_iter().enumerate();
    for ((nth, point), at) in points.zip(scene.point_paths()) {
        let asked = needs_evidence(&point) && (pinned || point.contention().is_none());
        let stamps = scene.stamps.iter().filter(|stamp| stamp.point == nth);
        let support = Support::from_point(&point, stamps.clone());
        let least = if pinned {
            Support::Found
        } else {
            Support::Unchecked
        };
        // Skip points without grounds or with a wrong citation, which have their own findings.
        let is_told = point.grounds().is_empty() || stamps.clone().any(is_wrong_or_missing);
        if !asked || is_told || support >= least {
            continue;
        }
        let at = join_path(&at, "grounds");
        let message = unsupported_message(&point, support, pinned);
        let hint = match pinned {
            true => "cite the place in the source that shows it, and quote a few words",
            false => {
                "cite something specific: a file, a measurement, a document, documented behaviour"
            }
        };
        let sent_back = scene.is_first_reply
            && pinned
            && point.contention().is_none()
            && !support.is_evidence();
        found.push(match sent_back {
            true => scene.breach(at, message, hint),
            false => scene.warning_breach(at, message, hint),
        });
    }
}

fn is_wrong_or_missing(stamp: &GroundStamp) -> bool {
    matches!(
        stamp.stamped.stamp.kind(),
        StampKind::Wrong | StampKind::Missing
    )
}

fn unsupported_message(point: &Point<'_>, support: Support, pinned: bool) -> String {
    let what = point.kind();
    match support {
        Support::Unquoted => format!("this {what} cites places but quotes nothing from them"),
        Support::NotThere => format!("no ground of this {what} was found at its cited place"),
        _ if pinned => format!("no ground of this {what} was found in the source"),
        _ => format!("this {what} rests on reasoning alone"),
    }
}
