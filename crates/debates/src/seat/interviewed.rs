//! Rules for the built-in model, which is interviewed: its opponents and topics.

use std::collections::BTreeMap;

use agon_caller::{Code, Failure, Hint};
use agon_interview::{OptionsError, read_options};
use agon_record::id::Seat;
use agon_record::options::Options;
use agon_record::spec::{Context, Seating};

/// Returns the two options of a topic for interviewed sides.
///
/// # Errors
///
/// If the topic does not name two options; the hint says what to ask instead.
pub(crate) fn require_options(topic: &str) -> Result<Options, Failure> {
    read_options(topic).map_err(|error| {
        let (message, hint) = match error {
            OptionsError::Open => (
                "this question does not name two options, and the small built-in \
                 model can only argue for one of two",
                "name two: agon debate \"SQLite or plain files for the job store?\"; or ask \
                 whether to do something: agon debate \"Should we rewrite it in Rust?\"",
            ),
            OptionsError::Many => (
                "this question names more than two options, and the small built-in model \
                 can only argue for one of two",
                "name two of them: agon debate \"SQLite or plain files for the job store?\"",
            ),
            OptionsError::Long => (
                "an option in this question is too long for the small built-in model",
                "shorten it: agon debate \"SQLite or plain files for the job store?\"",
            ),
        };
        Failure::new(Code::OpenQuestion, message)
            .parameter("topic")
            .hint(format!(
                "{hint}. AI tools can debate any question (`agon tools` lists them)"
            ))
    })
}

/// Returns the option of each side if the sides are interviewed; `None` if neither is.
///
/// # Errors
///
/// If only one side is interviewed, the built-in model judges other tools, the topic does not name
/// two options, or a context is given.
pub(crate) fn resolve_options(
    seats: &BTreeMap<Seat, Seating>,
    topic: &str,
    context: &Context,
) -> Result<Option<Options>, Failure> {
    let interviewed = |judge: bool| {
        let seats = seats
            .iter()
            .filter(move |(seat, _)| seat.is_judge() == judge);
        seats.map(|(_, seating)| seating.is_interviewed())
    };
    let some_side = interviewed(false).any(|it| it);
    let every_side = interviewed(false).all(|it| it);
    if !some_side && !interviewed(true).any(|it| it) {
        return Ok(None);
    }
    if !some_side {
        let message = "the small built-in model can judge only its own debates, since it reads one \
                       sentence of each side";
        return Err(refusal("judge", message).hint(
            Hint::new("judge yourself with ")
                .flag_with("judge", "human")
                .or("name another tool (`agon tools` lists them)"),
        ));
    }
    if !every_side {
        let message = "the small built-in model can only debate itself";
        return Err(refusal("model", message).hint(
            Hint::new("seat it on both sides: ")
                .flag_with("proposer", "local")
                .flag_with("challenger", "local")
                .text(", where you can judge with ")
                .flag_with("judge", "human")
                .join("; or ", "take all seats yourself as human")
                .join("; or ", "name other tools (`agon tools` lists them)"),
        ));
    }
    if *context != Context::None {
        let message = "the small built-in model cannot be given a context";
        return Err(refusal("context", message)
            .hint(Hint::new("leave it out: ").flag_with("context", "none")));
    }
    require_options(topic).map(Some)
}

/// Rejects a formal debate with an interviewed seat.
///
/// # Errors
///
/// If a seat is interviewed.
pub(crate) fn refuse_formal<'a>(
    mut seats: impl Iterator<Item = &'a Seating>,
) -> Result<(), Failure> {
    match seats.any(Seating::is_interviewed) {
        false => Ok(()),
        true => Err(refusal(
            "model",
            "the small built-in model cannot hold a formal debate",
        )
        .hint(
            "start a duel: agon debate \"SQLite or plain files for the job store?\"; or \
               name tools (`agon tools` lists them)",
        )),
    }
}

fn refusal(parameter: &str, message: &str) -> Failure {
    Failure::new(Code::SmallModel, message).parameter(parameter)
}

#[cfg(test)]
mod tests {
    use agon_record::spec::{Effort, LOCAL};

    use super::*;

    fn seats(transports: [&str; 3]) -> BTreeMap<Seat, Seating> {
        let seating = |transport: &str| Seating {
            tool: "local".parse().unwrap(),
            vendor: String::new(),
            model: None,
            effort: Effort::Low,
            transport: transport.to_owned(),
            version: None,
            budget: None,
            unmeasured: false,
            class: None,
            ignores_effort: false,
            refused_model: None,
        };
        let [proposer, challenger, judge] = transports.map(seating);
        BTreeMap::from([
            (Seat::Proposer, proposer),
            (Seat::Challenger, challenger),
            (Seat::JUDGE, judge),
        ])
    }

    const TOPIC: &str = "SQLite or plain files?";

    #[test]
    fn the_sides_are_both_interviewed_or_neither_and_any_judge_may_judge_them() {
        let options = |seated| resolve_options(&seats(seated), TOPIC, &Context::None);
        assert_eq!(options(["cli"; 3]).unwrap(), None);
        for judge in [LOCAL, "cli"] {
            let read = options([LOCAL, LOCAL, judge]).unwrap().unwrap();
            assert_eq!(read.proposer.name, "SQLite");
        }
        for mixed in [[LOCAL, "cli", LOCAL], ["human", LOCAL, "cli"]] {
            let error = options(mixed).unwrap_err();
            assert_eq!(error.parameter.as_deref(), Some("model"), "{mixed:?}");
        }
        for judged in [["cli", "acp", LOCAL], ["human", "human", LOCAL]] {
            let error = options(judged).unwrap_err();
            assert_eq!(error.code, Code::SmallModel, "{judged:?}");
            assert_eq!(error.parameter.as_deref(), Some("judge"), "{judged:?}");
        }
    }

    #[test]
    fn an_open_question_is_refused_with_what_to_ask_instead() {
        for (topic, says) in [
            ("What should we use?", "does not name two options"),
            ("Rust, Go or Zig?", "more than two options"),
            (&"very ".repeat(40), "does not name two options"),
            (
                &format!("{} or plain files?", "very ".repeat(40)),
                "too long",
            ),
        ] {
            let error = require_options(topic).unwrap_err();
            assert_eq!(error.code, Code::OpenQuestion, "{topic}");
            assert!(error.message.contains(says), "{topic}: {}", error.message);
            let hint = error.hint.unwrap().typed();
            assert!(
                hint.contains("agon debate \"SQLite or plain files"),
                "{hint}"
            );
        }
    }

    #[test]
    fn there_is_nothing_to_read_and_no_formal_debate() {
        let file = Context::File {
            path: "a".to_owned(),
            text: "b".to_owned(),
        };
        let all = seats([LOCAL; 3]);
        let error = resolve_options(&all, TOPIC, &file).unwrap_err();
        assert_eq!(error.parameter.as_deref(), Some("context"));
        assert!(refuse_formal(all.values()).is_err());
        assert!(refuse_formal(seats(["cli"; 3]).values()).is_ok());
    }
}
