//! The part of a prompt about a reply that was sent back.

use agon_record::finding::Finding;
use agon_record::id::AskKey;
use agon_record::piece::single_line;
use agon_record::swap;
use agon_wording::{Wording, values};

use crate::broken_rules::BrokenRules;
use crate::citation_checks;
use crate::request::PromptRequest;
use crate::template::AGAIN;

// Enough for the parser's longest message (200 characters) and for a finding with quoted words.
const FINDING_CHARS: usize = 400;

/// Returns the findings and the reply they are about; empty for a first call.
pub(super) fn sent_back_part(ask: &PromptRequest<'_>) -> Wording {
    render_sent_back(ask, true)
}

/// Returns the findings without the reply, for a session that still has the reply in its context.
pub(super) fn sent_back_brief(ask: &PromptRequest<'_>) -> Wording {
    render_sent_back(ask, false)
}

fn render_sent_back(ask: &PromptRequest<'_>, whole: bool) -> Wording {
    let again = ask.key.again;
    let Some(before) = again.checked_sub(1) else {
        return Wording::default();
    };
    let asks = ask.state.turns.get(&ask.key.turn).map(|turn| &turn.asks);
    let sent = asks.and_then(|asks| asks.get(usize::from(before)));
    let before = AskKey {
        turn: ask.key.turn,
        again: before,
    };
    let mut broken = BrokenRules::default();
    for finding in sent
        .and_then(|sent| sent.sent_back.as_ref())
        .into_iter()
        .flatten()
    {
        broken.add_finding(finding, None, describe_finding(ask, finding));
    }
    let findings = broken.template_values(ask, &format!("{before}-findings"));
    let most = ask.state.format_rules().max_rejected_bytes;
    let reply = sent.and_then(|sent| sent.reply_text()).filter(|_| whole);
    let rejected = reply.map(|reply| {
        let key = format!("{before}-rejected");
        ask.fence_veiled(
            &key,
            &"your reply",
            &cut_to_bytes(last_fenced_block(reply), most),
        )
    });
    let shown = citation_checks::sent_back_sources_part(ask, before);
    let shown = (!shown.is_empty()).then_some(shown);
    AGAIN.fill(values! { again, findings, rejected, shown })
}

fn describe_finding(ask: &PromptRequest<'_>, finding: &Finding) -> String {
    let Finding {
        code,
        at,
        message,
        hint,
        ..
    } = finding;
    let place = match at.is_empty() {
        true => "the whole reply".to_owned(),
        false if ask.has_swapped_sides() => {
            format!("`{}`", single_line(&swap::swapped_path(at), 80))
        }
        false => format!("`{}`", single_line(at, 80)),
    };
    let message = single_line(message, FINDING_CHARS);
    let hint = match hint.is_empty() {
        true => String::new(),
        false => format!(" Hint: {}.", single_line(hint, FINDING_CHARS)),
    };
    format!("{place}: {message} ({code}).{hint}")
}

/// Returns the last fenced block of a reply, or the whole reply if it has none.
fn last_fenced_block(reply: &str) -> &str {
    let first = reply.starts_with("```").then_some(0);
    let fences = reply.match_indices("\n```").map(|(at, _)| at + 1);
    let fences: Vec<_> = first.into_iter().chain(fences).collect();
    // Used only if the number of fences is even; otherwise the last block was never closed.
    let [.., open, close] = fences.as_slice() else {
        return reply;
    };
    let block = reply.get(*open..*close).unwrap_or(reply);
    match block.split_once('\n') {
        Some((_, block)) if fences.len() % 2 == 0 => block.trim_end(),
        Some(_) | None => reply,
    }
}

fn cut_to_bytes(text: &str, most: usize) -> String {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text.get(..end) {
        Some(kept) if kept.len() < text.len() => {
            format!("{kept}\n… cut here; {} more bytes", text.len() - kept.len())
        }
        Some(_) | None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_REJECTED: usize = 6 * 1024;

    #[test]
    fn only_the_last_block_of_a_reply_is_shown_again() {
        let reply = "Prose.\n```text\nold\n```\nMore.\n```json\n{\"a\": 1}\n```\n";
        assert_eq!(last_fenced_block(reply), "{\"a\": 1}");
        assert_eq!(last_fenced_block("```json\n{}\n```"), "{}");
        assert_eq!(last_fenced_block("no block"), "no block");
        assert_eq!(
            last_fenced_block("one\n```json\n{ never closed"),
            "one\n```json\n{ never closed"
        );
    }

    #[test]
    fn a_long_reply_is_cut_at_a_character() {
        let text = "é".repeat(MAX_REJECTED);
        let cut = cut_to_bytes(&text, MAX_REJECTED);
        let kept = "é".repeat(MAX_REJECTED / 2);
        assert_eq!(
            cut,
            format!("{kept}\n… cut here; {MAX_REJECTED} more bytes")
        );
        assert_eq!(cut_to_bytes("short", MAX_REJECTED), "short");
    }
}
