//! Checks a narrator's account of a debate.

use agon_record::id::NodeId;
use agon_record::mention::mentions;
use agon_record::state::State;
use agon_record::words;

/// The headings of a narrative, in order.
pub const HEADINGS: [&str; 4] = ["The question", "The clash", "Turning points", "The verdict"];

// Four sections of about 140 words: one printed page.
/// Minimum and maximum number of words of a narrative.
pub const WORDS: (usize, usize) = (500, 600);

/// Returns the faults of `text` as the narrative of the debate; empty if there are none.
pub fn check_narrative(state: &State, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let found: Vec<_> = text.lines().filter_map(markdown_heading).collect();
    if found != HEADINGS {
        wrong.push(format!(
            "it must have exactly these four headings, in this order: {}",
            HEADINGS.map(|name| format!("## {name}")).join(", ")
        ));
    }
    let body = text.lines().filter(|line| markdown_heading(line).is_none());
    // `None` for a script without spaces, whose words cannot be counted: skip the limit.
    let count: Option<usize> = body.map(words::count_words).sum();
    let (least, most) = WORDS;
    if let Some(count) = count.filter(|count| !(least..=most).contains(count)) {
        wrong.push(format!("it has {count} words instead of {least} to {most}"));
    }
    let named = mentions(text).into_iter().map(|mention| mention.id);
    let mut unknown: Vec<NodeId> = named.filter(|id| state.node(*id).is_none()).collect();
    unknown.sort();
    unknown.dedup();
    for id in unknown {
        wrong.push(format!(
            "it names {id}, which does not exist in this debate"
        ));
    }
    wrong
}

fn markdown_heading(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix('#')?;
    Some(rest.trim_start_matches('#').trim())
}

/// Returns a narrator's reply from its first heading on, without a closing code fence.
pub fn extract_narrative(reply: &str) -> &str {
    let reply = reply.trim();
    let from = reply.find("## ").unwrap_or(0);
    let text = reply.get(from..).unwrap_or(reply);
    text.trim_end_matches("```").trim_end()
}

#[cfg(test)]
mod tests;
