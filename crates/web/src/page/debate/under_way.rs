//! The calls that have no reply yet, with the words of the tools as they arrive.

use agon_report::screen::call_label;
use agon_report::text::format_duration;
use maud::{Markup, html};

use crate::loaded::Loaded;

/// Returns the section at the time `now_ms`; empty if no call is under way.
///
/// The script writes the words of each tool into the call with its key. They are not part of the
/// record, so a page without the script shows only who is answering.
pub(super) fn calls(loaded: &Loaded, now_ms: u64) -> Markup {
    if loaded.under_way.is_empty() {
        return html! {};
    }
    let [first, second] = loaded.state.spec.format().sides();
    html! {
        section.under-way aria-label="Under way" {
            @for (key, since) in &loaded.under_way {
                @let seat = key.turn.seat;
                @let class = if seat == first { "for" } else if seat == second { "against" } else { "neither" };
                div.call.(class) data-call=(key) {
                    p {
                        span.seat { (call_label(&loaded.state, *key)) }
                        " " span.by { "is answering, for "
                            span.since data-at=(since) { (format_duration(now_ms.saturating_sub(*since))) }
                        }
                    }
                    p.words dir="auto" aria-hidden="true" {}
                }
            }
        }
    }
}
