//! The results of a ground's citation checks, with the real source text.

use agon_record::ground::GroundStamp;
use agon_record::stamp::{SourceText, StampKind};
use maud::{Markup, html};

use super::page::shorten_to_columns;

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

fn stamp_class(stamp: &GroundStamp) -> &'static str {
    match stamp.stamped.stamp.kind() {
        StampKind::Found => "stands",
        StampKind::Moved => "near",
        StampKind::Place => "place",
        StampKind::Wrong | StampKind::Missing => "fails",
        StampKind::Unreachable | StampKind::Unchecked => "unknown",
    }
}

fn source_excerpt(shown: &SourceText) -> Markup {
    let lines = (shown.from..).zip(&shown.text);
    html! {
        details {
            summary { "Source text" }
            pre.there dir="ltr" {
                @for (number, line) in lines { (format!("{number:>5}  ")) (shorten_to_columns(line, 400)) "\n" }
                @if shown.cut { "       …" }
            }
        }
    }
}
