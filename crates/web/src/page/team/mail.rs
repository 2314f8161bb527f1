//! A thread of messages.

use agon_caller::system::{describe_age, now_ms};
use agon_record::text::strip_invisible_characters;
use agon_report::text::plain_line;
use agon_teamwork::{MessageId, TeamMailDoc};
use maud::{Markup, html};

/// Returns the page of the thread `id`.
pub(super) fn thread(id: MessageId, thread: &TeamMailDoc) -> Markup {
    let now = now_ms();
    html! {
        p.kicker.back { a href="/team" { "Team" } }
        h1 { "Mail " (id) }
        (super::board::lost())
        div data-refresh="mail" {
            @for letter in &thread.letters {
                section.part {
                    h2 { (letter.message) " from " (plain_line(&letter.from)) }
                    p.note {
                        (describe_age(u64::try_from(letter.sent_ms).unwrap_or_default(), now))
                        " · " (letter.state.as_str())
                        @if letter.urgent { " · " span.caution { "urgent" } }
                    }
                    pre.so-far dir="auto" { (strip_invisible_characters(&letter.text)) }
                }
            }
            p.note.twins { "The same as " a href={ "/team/mail/" (id) ".md" } { "Markdown" } " or " a href={ "/team/mail/" (id) ".json" } { "JSON" } "." }
        }
    }
}
