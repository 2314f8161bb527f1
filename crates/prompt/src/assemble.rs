//! Assembles the parts of a prompt for a tool and for a person.

use agon_record::format::Judging;

use crate::request::{Parts, PromptRequest};

use crate::{Part, Prompt, compact, duel_prompt, formal_prompt, interview, sent_back};

/// Renders the text that a person reads before answering.
pub(super) fn render_for_person(mut ask: PromptRequest<'_>) -> String {
    ask.person = true;
    let parts = complete_parts(&ask);
    // Keep only the last part with rules, which is about the turn. The others are for tools.
    let rules = parts.iter().rposition(|(kind, _)| *kind == "rules");
    let parts = parts.into_iter().enumerate().filter(|(at, (kind, text))| {
        let told = match *kind {
            "contract" | "again" => false,
            "rules" => rules == Some(*at),
            _ => true,
        };
        told && !text.is_empty()
    });
    let texts: Vec<_> = parts
        .map(|(_, (_, text))| text.to_unfenced_text())
        .collect();
    texts.join("\n\n")
}

/// Assembles the complete prompt.
pub(super) fn assemble_prompt(ask: &PromptRequest<'_>) -> Prompt {
    let parts = match compact_token_budget(ask) {
        _ if interview::is_interviewed(ask) => interview::interview_parts(ask),
        Some(budget) => compact::compact_parts(ask, budget),
        None => complete_parts(ask),
    };
    let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
    let part = |(kind, text)| Part {
        kind,
        text,
        // Each call to a judge is independent and needs the full text, so judges do not get the
        // brief text.
        brief: (kind == "again" && !ask.key.turn.seat.is_judge())
            .then(|| sent_back::sent_back_brief(ask)),
    };
    Prompt {
        parts: parts.map(part).collect(),
    }
}

/// Returns the token budget of a model with a small context. `None` for other models, and with the
/// sides swapped, where the judge reads the complete record.
fn compact_token_budget(ask: &PromptRequest<'_>) -> Option<u32> {
    let seating = ask.state.seats.get(&ask.key.turn.seat)?;
    seating.budget.filter(|_| !ask.has_swapped_sides())
}

/// Returns the parts of a complete prompt, each with its kind.
fn complete_parts(ask: &PromptRequest<'_>) -> Parts {
    match ask.state.format_rules().judging {
        Judging::AtTheEnd => duel_prompt::duel_parts(ask),
        Judging::EachRound => formal_prompt::formal_parts(ask),
    }
}
