//! A thread of messages.

use agon_record::text::strip_invisible_characters;
use agon_report::text::plain_line;
use agon_teamwork::{MailHeader, MessageId, TeamMailDoc};
use maud::{Markup, html};

use super::board;

/// Returns the page of the thread `id`. The `headers` know who has read each message.
pub(super) fn thread(id: MessageId, thread: &TeamMailDoc, headers: &[MailHeader]) -> Markup {
    html! {
        p.kicker.back { a href="/team" { "Team" } }
        h1 { "Mail " (id) }
        (board::lost())
        div data-refresh="mail" {
            @for letter in &thread.letters {
                section.part {
                    h2 { (letter.message) " from " (plain_line(&letter.from)) }
                    p.note {
                        (board::sent(letter.sent_ms))
                        @if let Some(header) = headers.iter().find(|it| it.message == letter.message) {
                            " · to " (board::readers(header))
                        }
                        @if letter.urgent { " · " span.caution { "urgent" } }
                    }
                    pre.so-far dir="auto" { (strip_invisible_characters(&letter.text)) }
                }
            }
            p.note.twins { "The same as " a href={ "/team/mail/" (id) ".md" } { "Markdown" } " or " a href={ "/team/mail/" (id) ".json" } { "JSON" } "." }
        }
    }
}
