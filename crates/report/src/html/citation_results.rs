//! The results of a ground's citation checks, with the real source text.

use agon_record::ground::GroundStamp;
use agon_record::stamp::{SourceText, StampKind};
use maud::{Markup, html};

use super::page::shorten_to_columns;

/// Returns one sign for each citation of a point: found, near, only a place, wrong or unknown.
///
/// A reader sees before unfolding the grounds whether something is wrong with them.
pub(super) fn stamp_signs(stamps: &[&GroundStamp]) -> Markup {
    let stamps = stamps.iter();
    let stamps = stamps.filter(|stamp| stamp.stamped.stamp.names_a_place());
    html! {
        @for stamp in stamps {
            @let class = stamp_class(stamp);
            @let (sign, name) = match class {
                "stands" => ("✓", "found"),
                "near" => ("≈", "found nearby"),
                "place" => ("·", "the place exists"),
                "fails" => ("✗", "not found"),
                _ => ("?", "not checked"),
            };
            span.sign.(class) title=(shorten_to_columns(&stamp.stamped.stamp.to_string(), 400)) {
                span aria-hidden="true" { (sign) } span.unseen { (name) }
            }
        }
    }
}

/// Returns the check results for the ground at index `place` of a point; empty if nothing was
/// checked.
pub(super) fn ground_lookup_results(stamps: &[&GroundStamp], place: usize) -> Markup {
    let of_it = stamps.iter().filter(|stamp| stamp.ground == place);
    let of_it = of_it.filter(|stamp| stamp.stamped.stamp.names_a_place());
    html! {
        @for stamp in of_it {
            p.stamp.(stamp_class(stamp)) dir="auto" { (shorten_to_columns(&stamp.stamped.stamp.to_string(), 400)) }
            @if let Some(shown) = stamp.stamped.stamp.source_text() { (source_excerpt(shown)) }
        }
    }
}

pub(super) fn stamp_class(stamp: &GroundStamp) -> &'static str {
    match stamp.stamped.stamp.kind() {
        StampKind::Found => "stands",
        StampKind::Moved => "near",
        StampKind::Place => "place",
        StampKind::Wrong | StampKind::Missing => "fails",
        StampKind::Unreachable | StampKind::Unchecked => "unknown",
    }
}

fn source_excerpt(shown: &SourceText) -> Markup {
    let [first, last] = shown.place.lines;
    let lines = (shown.from..).zip(&shown.text);
    html! {
        details {
            summary { "Source text" }
            pre.there dir="ltr" {
                @for (number, line) in lines {
                    @let text = shorten_to_columns(line, 400);
                    @if (first..=last).contains(&number) {
                        mark { (format!("{number:>5}  ")) (text) "\n" }
                    } @else {
                        (format!("{number:>5}  ")) (text) "\n"
                    }
                }
                @if shown.cut { "       …" }
            }
        }
    }
}
