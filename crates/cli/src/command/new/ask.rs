//! Questions to a person who opens a formal debate.

use std::io::{BufRead, Write};

use agon_debates::request::NewRequest;
use agon_debates::run::formal_run::{check_definition, suggest_slug};

use crate::asking::Asker;
use crate::error::{Code, Failure};

/// Asks for every missing field of `request`; only the motion is required.
///
/// # Errors
///
/// Returns an error if the input ends before there is a motion.
pub(super) fn prompt_missing_fields(
    mut request: NewRequest,
    taken: &dyn Fn(&str) -> Result<(), Failure>,
    input: impl BufRead,
    output: impl Write,
) -> Result<NewRequest, Failure> {
    let mut person = Asker::new(input, output, no_motion_failure);
    let motion = person.ask_required_line("Motion: ", "motion")?;
    if request.slug.is_none() {
        request.slug = Some(prompt_folder_name(&mut person, &motion, taken)?);
    }
    request.motion = Some(motion);
    if request.definitions.is_empty() {
        prompt_definitions(&mut person, &mut request)?;
    }
    if request.scope.is_none() {
        let question = "Scope: what the motion covers and does not cover [none]: ";
        request.scope = person.ask_valid_line(question, "scope")?;
    }
    if request.thesis_for.is_none() || request.thesis_against.is_none() {
        [request.thesis_for, request.thesis_against] = prompt_theses(&mut person)?;
    }
    Ok(request)
}

fn prompt_definitions<R: BufRead, W: Write>(
    person: &mut Asker<R, W>,
    request: &mut NewRequest,
) -> Result<(), Failure> {
    while let Some(given) = person.ask_line("Define a term as TERM=MEANING [done]: ")? {
        match check_definition(&given, &request.definitions) {
            Ok(()) => request.definitions.push(given),
            Err(failure) => person.report_failure(&failure),
        }
    }
    Ok(())
}

/// Asks for the name of the folder, and suggests one that is free.
fn prompt_folder_name<R: BufRead, W: Write>(
    person: &mut Asker<R, W>,
    motion: &str,
    taken: &dyn Fn(&str) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let base = suggest_slug(motion);
    let numbered = (2..100).map(|number| format!("{base}-{number}"));
    let free = std::iter::once(base.clone())
        .chain(numbered)
        .find(|name| taken(name).is_ok())
        .unwrap_or(base);
    loop {
        let Some(given) = person.ask_line(&format!("Name of the folder [{free}]: "))? else {
            return Ok(free);
        };
        match taken(&given) {
            Ok(()) => return Ok(given),
            Err(failure) => person.report_failure(&failure),
        }
    }
}

/// Asks for both theses; returns both or none.
fn prompt_theses<R: BufRead, W: Write>(
    person: &mut Asker<R, W>,
) -> Result<[Option<String>; 2], Failure> {
    let question = "Claim of the proposition, phrased positively [written by the judge]: ";
    let Some(proposition) = person.ask_valid_line(question, "thesis")? else {
        return Ok([None, None]);
    };
    let question = "Claim of the opposition, phrased positively: ";
    let opposition = person.ask_required_line(question, "thesis")?;
    Ok([Some(proposition), Some(opposition)])
}

/// Returns the failure for an input that ended before the motion.
fn no_motion_failure() -> Failure {
    Failure::new(Code::MissingParameter, "missing motion")
        .parameter("motion")
        .hint("to skip the questions: agon new --motion TEXT")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(typed: &str) -> (Result<NewRequest, Failure>, String) {
        let mut shown = Vec::new();
        let taken = |name: &str| match name {
            "ban-cars" | "halt-ai" => Err(Failure::new(
                Code::SlugTaken,
                format!("{name} already exists"),
            )
            .hint("existing debates: ban-cars, halt-ai")),
            _ => Ok(()),
        };
        let draft =
            prompt_missing_fields(NewRequest::default(), &taken, typed.as_bytes(), &mut shown);
        (draft, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn everything_but_the_motion_may_be_skipped() {
        let (draft, shown) = asked("\nThis house would ban cars\n\n\n\n\n");
        let expected = NewRequest {
            slug: Some("ban-cars-2".to_owned()),
            motion: Some("This house would ban cars".to_owned()),
            ..NewRequest::default()
        };
        assert_eq!(draft.unwrap(), expected);
        let questions = "Motion: Motion: Name of the folder [ban-cars-2]: \
        Define a term as TERM=MEANING [done]: \
        Scope: what the motion covers and does not cover [none]: \
        Claim of the proposition, phrased positively [written by the judge]: ";
        assert_eq!(shown, questions);
    }

    #[test]
    fn every_question_can_be_answered() {
        let (draft, shown) = asked(
            "Resolved: ban cars\nhalt-ai\ncars\ncar\ncar=four wheels\n\nCities only\n\
             Cities are better without cars\n\nCities are better with cars\n",
        );
        let expected = NewRequest {
            slug: Some("cars".to_owned()),
            motion: Some("Resolved: ban cars".to_owned()),
            definitions: vec!["car=four wheels".to_owned()],
            scope: Some("Cities only".to_owned()),
            thesis_for: Some("Cities are better without cars".to_owned()),
            thesis_against: Some("Cities are better with cars".to_owned()),
            ..NewRequest::default()
        };
        assert_eq!(draft.unwrap(), expected);
        assert!(shown.contains("halt-ai already exists; existing debates: ban-cars, halt-ai"));
        assert!(shown.contains("a definition must have the form TERM=MEANING"));
    }

    #[test]
    fn what_cannot_be_seen_is_asked_again_and_the_end_of_input_opens_nothing() {
        let (draft, shown) = asked("a\u{202e}b\n");
        assert_eq!(draft.unwrap_err().code, Code::MissingParameter);
        assert!(shown.contains("U+202E"), "{shown}");
    }
}
