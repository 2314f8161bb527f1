//! Pictures of a context: how full it is now, and how it became so.

use agon_health::SessionHealthDoc;
use agon_report::text::{abbreviate_count, count_with_noun};
use maud::{Markup, html};

use super::fill;

/// The size of the curve, in units of its own.
const SIZE: (u64, u64) = (640, 120);

/// Returns a bar with the tokens in the context and a mark at the onset; empty if unknown.
pub(super) fn meter(session: &SessionHealthDoc) -> Markup {
    let (Some(now), limits) = (session.fill, &session.limits) else {
        return html! {};
    };
    let full = limits.window.max(limits.severe).max(now).max(1);
    let at = |tokens: u64| tokens.saturating_mul(200) / full;
    let name = format!("{} of {}", fill(session), abbreviate_count(full));
    html! {
        svg.meter viewBox="0 0 200 6" preserveAspectRatio="none" role="img" aria-label=(name) {
            rect.all width="200" height="6" {}
            rect.now.(session.state.as_str()) width=(at(now)) height="6" {}
            rect.mark x=(at(limits.onset)) width="1" height="6" {}
        }
    }
}

/// Returns the tokens in the context after each call, with a line at the onset; empty for fewer
/// than two calls.
pub(super) fn curve(session: &SessionHealthDoc) -> Markup {
    let points = &session.curve;
    let Some((first, last)) = points
        .first()
        .zip(points.last())
        .filter(|_| points.len() > 1)
    else {
        return html! {};
    };
    let (width, height) = SIZE;
    let onset = session.limits.onset;
    let most = points.iter().map(|point| point.fill).max().unwrap_or(0);
    let top = most.max(onset).max(1);
    let calls = u64::from(last.call.saturating_sub(first.call)).max(1);
    let x = |call: u32| u64::from(call.saturating_sub(first.call)).saturating_mul(width) / calls;
    let y = |tokens: u64| height - tokens.min(top).saturating_mul(height) / top;
    let line: Vec<String> = points
        .iter()
        .map(|point| format!("{},{}", x(point.call), y(point.fill)))
        .collect();
    let area = format!("0,{height} {} {width},{height}", line.join(" "));
    let name = format!(
        "Tokens in the context over {}: at most {}, now {}",
        count_with_noun(u64::from(session.calls), "call"),
        abbreviate_count(most),
        abbreviate_count(last.fill)
    );
    html! {
        figure.curve {
            svg viewBox={ "0 0 " (width) " " (height) } preserveAspectRatio="none" role="img" aria-label=(name) {
                polygon points=(area) {}
                polyline points=(line.join(" ")) {}
                line.onset x1="0" x2=(width) y1=(y(onset)) y2=(y(onset)) {}
                @for compaction in session.compactions.iter().filter(|it| it.after_call >= first.call) {
                    line.compacted x1=(x(compaction.after_call)) x2=(x(compaction.after_call)) y1="0" y2=(height) {}
                }
            }
            figcaption.note { (name) ". The dashed line is the onset, " (abbreviate_count(onset)) @if !session.compactions.is_empty() { "; vertical lines are compactions" } "." }
        }
    }
}
