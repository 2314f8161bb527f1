//! What was found at the places that a ground cites, with the text as it really stands there.

use agon_record::ground::GroundStamp;
use agon_record::stamp::{SourceText, StampKind};
use maud::{Markup, html};

use super::page::short;

/// What was found for the ground at `place` of its point; nothing where it was not looked up.
pub(super) fn at(stamps: &[&GroundStamp], place: usize) -> Markup {
    let of_it = stamps.iter().filter(|stamp| stamp.ground == place);
    let of_it = of_it.filter(|stamp| stamp.stamped.stamp.names_a_place());
    html! {
        @for stamp in of_it {
            p.stamp.(class(stamp)) dir="auto" { (short(&stamp.stamped.stamp.to_string(), 400)) }
            @if let Some(shown) = stamp.stamped.stamp.there() { (real_text(shown)) }
        }
    }
}

fn class(stamp: &GroundStamp) -> &'static str {
    match stamp.stamped.stamp.kind() {
        StampKind::Found | StampKind::Moved => "stands",
        StampKind::Place => "place",
        StampKind::Wrong | StampKind::Missing => "fails",
        StampKind::Unreachable | StampKind::Unchecked => "unknown",
    }
}

fn real_text(shown: &SourceText) -> Markup {
    let lines = (shown.from..).zip(&shown.text);
    html! {
        details {
            summary { "The text there" }
            pre.there dir="ltr" {
                @for (number, line) in lines { (format!("{number:>5}  ")) (short(line, 400)) "\n" }
                @if shown.cut { "       …" }
            }
        }
    }
}
