//! What a measurement comes to, in sentences.

use super::document::CalibrationDoc;

/// What it comes to, in sentences.
pub(super) fn conclusions(document: &CalibrationDoc, is_too_low: bool) -> Vec<String> {
    let mut sentences = Vec::new();
    let measured = document
        .lengths
        .iter()
        .filter(|it| it.recall.share.is_some());
    let longest = measured.clone().next_back().map_or(0, |it| it.tokens);
    let first = measured
        .clone()
        .next()
        .and_then(|it| it.fitted)
        .unwrap_or_default();
    if is_too_low {
        sentences.push(format!(
            "Even at the shortest length {:.0} % were found: the model does not do what is asked, \
             and a fall of recall with length would say nothing.",
            100.0 * first
        ));
    } else {
        for (name, points, fall) in [
            ("onset", 10, &document.onset),
            ("severe", 30, &document.severe),
        ] {
            sentences.push(match fall {
                Some(fall) => format!(
                    "Recall falls by {:.0} points between {} and {} tokens: {name} (a fall of \
                     {points} points or more).",
                    100.0 * fall.by,
                    fall.before,
                    fall.at
                ),
                None => {
                    format!("No fall of {points} points ({name}) was found up to {longest} tokens.")
                }
            });
        }
    }
    for length in &document.lengths {
        if let Some(why) = &length.refused {
            sentences.push(format!(
                "Prompts of {} tokens are not taken: {why}.",
                length.planned
            ));
        } else if length.calls > 0 && length.recall.share.is_none() {
            sentences.push(format!(
                "No answer at {} tokens tells anything: {} questions were refused, {} answers were \
                 empty.",
                length.tokens, length.outcomes.refused, length.outcomes.empty
            ));
        }
    }
    if !document.is_complete {
        let plan = &document.plan;
        sentences.push(format!(
            "{} of {} calls are made; the others may change all of this.",
            document.spent.calls, plan.calls
        ));
    }
    sentences
}
