//! The head and the foot of a debate's page.

use agon_caller::system::describe_age;
use agon_report::screen::status_without_name;
use agon_report::text::{plain_line, truncate_to_width};
use agon_verdict::status::RunState;
use maud::{Markup, html};

use crate::fields::debate_address;
use crate::loaded::Loaded;

/// Maximum width of a topic in the title of a window, in columns.
const TITLE: usize = 80;

/// Returns the title of the window: the state as one sign, then the topic.
pub(super) fn title(loaded: &Loaded) -> String {
    let sign = match loaded.run_state {
        RunState::Running => "● ",
        RunState::WaitingForPerson => "◆ ",
        RunState::Done => "✓ ",
        RunState::Failed => "✗ ",
        RunState::Stopped => "",
    };
    let topic = truncate_to_width(&plain_line(&loaded.state.spec.topic), TITLE);
    format!("{sign}{topic}")
}

/// Returns the line with the state of the debate and its cost, at the time `now_ms`. At an earlier
/// moment, also says which side was ahead: `lead` continues a sentence.
pub(super) fn status_bar(loaded: &Loaded, lead: Option<&str>, now_ms: u64) -> Markup {
    // The heading already says which debate this is.
    let line = status_without_name(&loaded.state, &loaded.status);
    html! {
        section.status data-state=(loaded.run_state.to_string()) aria-label="State" {
            p {
                span.dot aria-hidden="true" {} (line)
                @match loaded.at {
                    Some(at) => { " · " span.past { "as it was at event " (at) " of " (loaded.last_seq) } }
                    None => { " · " span.age data-at=(loaded.at_ms) { "last event " (describe_age(loaded.at_ms, now_ms)) } }
                }
            }
            @if let (Some(_), Some(lead)) = (loaded.at, lead) { p.if-ended { "If it had ended here: " (lead) "." } }
            (playback(loaded))
            p.lost role="alert" hidden { "The connection to Agon is lost. This page reconnects by itself." }
        }
    }
}

/// Returns the bar that plays the debate back, turn by turn; empty before the first turn.
///
/// Its links work without a script. With one, the keys do too: space, the arrows, Home and End.
fn playback(loaded: &Loaded) -> Markup {
    let stops = &loaded.stops;
    if stops.is_empty() {
        return html! {};
    }
    let address = debate_address(&loaded.name);
    let at = |seq: u64| format!("{address}?at={seq}");
    let here = match loaded.at {
        Some(_) => stops.partition_point(|&stop| stop <= loaded.seq),
        None => stops.len(),
    };
    let previous = match here {
        0 => None,
        1 => Some(at(1)),
        here => Some(at(stops[here - 2])),
    };
    let next = match loaded.at {
        None => None,
        Some(_) if here + 1 >= stops.len() => Some(address.clone()),
        Some(_) => Some(at(stops[here])),
    };
    let step = |rel: &'static str, href: Option<String>, path: &'static str, name: &'static str| {
        html! {
            @match href {
                Some(href) => a rel=(rel) href=(href) aria-label=(name) title=(name) { (icon(path)) },
                None => span.off aria-hidden="true" { (icon(path)) },
            }
        }
    };
    html! {
        nav.play aria-label="Play the debate back" {
            (step("first", previous.is_some().then(|| at(1)), "M4 3v10M13 3L6 8l7 5z", "The opening (Home)"))
            (step("prev", previous, "M12 3L4 8l8 5z", "One turn back (left arrow)"))
            button type="button" hidden data-play="toggle" aria-label="Play (space)" title="Play (space)" {
                (icon("M4 3l8 5-8 5z"))
                (icon("M4 3h3v10H4zM9 3h3v10H9z"))
            }
            (step("next", next.clone(), "M4 3l8 5-8 5z", "One turn on (right arrow)"))
            (step("last", next.is_some().then_some(address), "M12 3v10M3 3l7 5-7 5z", "Now (End)"))
            span.where {
                @match here {
                    0 => "at the opening",
                    here => { "after turn " (here) " of " (stops.len()) }
                }
            }
        }
    }
}

/// Returns a sign of the bar, as few fonts have the usual characters.
fn icon(path: &str) -> Markup {
    html! { svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" { path d=(path) {} } }
}

/// Returns links to the other forms of the debate.
pub(super) fn footer(address: &str) -> Markup {
    html! {
        footer {
            p {
                "The same debate as "
                a href={ (address) ".md" } { "Markdown" } ", "
                a href={ (address) ".json" } { "JSON" } " or "
                a href={ (address) ".html" } { "one file to keep" } ". "
                "Text from the tools is shown as plain text."
            }
        }
    }
}
