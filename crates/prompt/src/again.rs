//! What is said when a reply was sent back.

use agon_record::finding::Finding;
use agon_record::id::AskKey;
use agon_record::piece::line;
use agon_rules::plan::max_rejected_bytes;
use agon_rules::swap;

use crate::ask::PromptRequest;
use crate::broken::Broken;
use crate::found;
use crate::wording::template::AGAIN;
use crate::wording::{Wording, values};

// Room for the longest message of the parser (200) and for the quoted words of a finding about a
// citation.
const FINDING_CHARS: usize = 400;

/// The findings and the reply they are about; empty on a first ask.
pub(super) fn part(ask: &PromptRequest<'_>) -> Wording {
    render(ask, true)
}

/// The findings alone, for a session that still has the reply in mind.
pub(super) fn brief(ask: &PromptRequest<'_>) -> Wording {
    render(ask, false)
}

fn render(ask: &PromptRequest<'_>, whole: bool) -> Wording {
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
    let mut broken = Broken::default();
    for finding in sent
        .and_then(|sent| sent.sent_back.as_ref())
        .into_iter()
        .flatten()
    {
        broken.add(finding, None, tell(ask, finding));
    }
    let findings = broken.values(ask, &format!("{before}-findings"));
    let most = max_rejected_bytes(ask.state.spec.format());
    let reply = sent.and_then(|sent| sent.text()).filter(|_| whole);
    let rejected = reply.map(|reply| {
        let key = format!("{before}-rejected");
        ask.fence(&key, &"your reply", &capped(moves_in(reply), most))
    });
    let shown = found::again(ask, before);
    let shown = (!shown.is_empty()).then_some(shown);
    AGAIN.fill(values! { again, findings, rejected, shown })
}

fn tell(ask: &PromptRequest<'_>, finding: &Finding) -> String {
    let Finding {
        code,
        at,
        message,
        hint,
        ..
    } = finding;
    let place = match at.is_empty() {
        true => "the whole reply".to_owned(),
        false if ask.swapped() => format!("`{}`", line(&swap::place(at), 80)),
        false => format!("`{}`", line(at, 80)),
    };
    let message = line(message, FINDING_CHARS);
    let hint = match hint.is_empty() {
        true => String::new(),
        false => format!(" Hint: {}.", line(hint, FINDING_CHARS)),
    };
    format!("{place}: {message} ({code}).{hint}")
}

/// The last fenced block of a reply; the reply itself when it has none.
fn moves_in(reply: &str) -> &str {
    let first = reply.starts_with("```").then_some(0);
    let fences = reply.match_indices("\n```").map(|(at, _)| at + 1);
    let fences: Vec<_> = first.into_iter().chain(fences).collect();
    // An odd number of fences: the last one was opened and never closed.
    let [.., open, close] = fences.as_slice() else {
        return reply;
    };
    let block = reply.get(*open..*close).unwrap_or(reply);
    match block.split_once('\n') {
        Some((_, block)) if fences.len() % 2 == 0 => block.trim_end(),
        Some(_) | None => reply,
    }
}

fn capped(text: &str, most: usize) -> String {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    match text.get(..end) {
        Some(kept) if kept.len() < text.len() => {
            format!("{kept}\n… cut here; {} bytes more", text.len() - kept.len())
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
        assert_eq!(moves_in(reply), "{\"a\": 1}");
        assert_eq!(moves_in("```json\n{}\n```"), "{}");
        assert_eq!(moves_in("no block"), "no block");
        assert_eq!(
            moves_in("one\n```json\n{ never closed"),
            "one\n```json\n{ never closed"
        );
    }

    #[test]
    fn a_long_reply_is_cut_at_a_character() {
        let text = "é".repeat(MAX_REJECTED);
        let cut = capped(&text, MAX_REJECTED);
        let kept = "é".repeat(MAX_REJECTED / 2);
        assert_eq!(
            cut,
            format!("{kept}\n… cut here; {MAX_REJECTED} bytes more")
        );
        assert_eq!(capped("short", MAX_REJECTED), "short");
    }
}
