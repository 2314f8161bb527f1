//! Parts put together: for a program, and for a person.

use agon_record::format::Judging;

use crate::ask::{Parts, PromptRequest};

use crate::{Part, Prompt, again, compact, duel, formal, interview};

/// What a person is told before they answer.
pub(super) fn render_for_person(mut ask: PromptRequest<'_>) -> String {
    ask.person = true;
    let parts = whole_parts(&ask);
    // The last of the rules are those of the turn; the others say how a program replies.
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

/// The prompt, whole.
pub(super) fn assemble_prompt(ask: &PromptRequest<'_>) -> Prompt {
    let parts = match compact_token_budget(ask) {
        _ if interview::is_interviewed(ask) => interview::interview_parts(ask),
        Some(budget) => compact::compact_parts(ask, budget),
        None => whole_parts(ask),
    };
    let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
    let part = |(kind, text)| Part {
        kind,
        text,
        // A judge has nothing in mind: each of its calls stands alone.
        brief: (kind == "again" && !ask.key.turn.seat.is_judge())
            .then(|| again::sent_back_brief(ask)),
    };
    Prompt {
        parts: parts.map(part).collect(),
    }
}

/// The token budget of a model with a small context; none for other models, and none in a swap,
/// where the judge reads the whole record.
fn compact_token_budget(ask: &PromptRequest<'_>) -> Option<u32> {
    let seating = ask.state.seats.get(&ask.key.turn.seat)?;
    seating.budget.filter(|_| !ask.has_swapped_sides())
}

/// The parts of a prompt that holds everything, with the name of each.
fn whole_parts(ask: &PromptRequest<'_>) -> Parts {
    match ask.state.format_rules().judging {
        Judging::AtTheEnd => duel::duel_parts(ask),
        Judging::EachRound => formal::formal_parts(ask),
    }
}
