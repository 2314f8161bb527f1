//! Suggests names similar to an unknown one.

use agon_agents::profile::Api;
use agon_hint::Hint;

/// Returns at most three known names that are similar to `typed`, nearest first.
pub fn similar<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let typed = typed.to_lowercase();
    let most = (typed.chars().count() / 3).clamp(1, 4);
    let near = |name: &'a str| {
        let away = distance(&typed, name);
        let part = typed.len() > 2 && name.contains(&typed);
        (away <= most || part).then_some((away, name))
    };
    let mut found: Vec<_> = known.filter_map(near).collect();
    found.sort_unstable();
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Returns a hint with similar names, followed by `else_`.
pub fn hint<'a>(typed: &str, known: impl Iterator<Item = &'a str>, else_: &str) -> String {
    match similar(typed, known).as_slice() {
        [] => else_.to_owned(),
        names => format!("did you mean {}? {else_}", names.join(" or ")),
    }
}

/// Returns the hint for an unknown tool: similar names, or how to name a model of a tool or an API.
pub fn unknown_tool_hint(typed: &str, known: &[&str]) -> Hint {
    let others = format!(
        "known tools: {}; models behind an API: openai:MODEL, anthropic:MODEL, gemini:MODEL",
        known.join(", ")
    );
    if Api::all().iter().any(|api| api.name == typed) {
        return format!("{typed} is an API; add a model: {typed}:MODEL").into();
    }
    match typed.split_once(':') {
        Some((tool, model)) if known.contains(&tool) && !model.is_empty() => {
            Hint::new("choose the model with a flag: ")
                .flag_with("model-proposer", model)
                .text(format!(", with {tool} as the tool"))
        }
        _ => hint(typed, known.iter().copied(), &others).into(),
    }
}

/// Returns the edit distance of two words; swapping adjacent characters counts as two edits.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_found() {
        let known = ["attack-target", "attack-kind", "reply-words"];
        assert_eq!(
            similar("atack-target", known.into_iter()),
            ["attack-target"]
        );
        assert_eq!(similar("Reply-Words", known.into_iter()), ["reply-words"]);
        assert_eq!(
            similar("attack", known.into_iter()),
            ["attack-kind", "attack-target"]
        );
        assert_eq!(similar("zzz", known.into_iter()), [""; 0]);
    }

    #[test]
    fn an_api_by_its_bare_name_and_a_model_behind_a_tool_are_explained() {
        let known = ["claude", "codex", "gemini"];
        let hint = |typed| unknown_tool_hint(typed, &known).typed();
        assert_eq!(
            hint("anthropic"),
            "anthropic is an API; add a model: anthropic:MODEL"
        );
        assert!(hint("claude:opus").contains("--model-proposer opus"));
        assert!(hint("claud").starts_with("did you mean claude? known tools: claude, "));
    }

    #[test]
    fn the_distance_is_the_fewest_changes() {
        for (one, other, changes) in [("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 2)] {
            assert_eq!(distance(one, other), changes, "{one} {other}");
            assert_eq!(distance(other, one), changes, "{other} {one}");
        }
    }
}
