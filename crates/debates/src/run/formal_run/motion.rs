//! Names debates after their motions, and parses definitions of terms.

use agon_caller::{Code, Failure, Hint};
use agon_record::spec::Definition;
use agon_store::slug;

use crate::request::topic::one_line;

/// Openings of a motion that add nothing to its content, the longest first.
const OPENINGS: &[&str] = &[
    "this house believes that",
    "this house would like to",
    "this house supports",
    "this house believes",
    "this house regrets",
    "this house would",
    "this house will",
    "be it resolved that",
    "be it resolved",
    "resolved that",
    "resolved",
    "motion",
    "thbt",
    "thw",
];

/// Returns a folder name for the debate on `motion`, without the opening words of every motion.
pub fn suggest_slug(motion: &str) -> String {
    let lower = motion.to_lowercase();
    let rest = OPENINGS.iter().find_map(|opening| {
        let rest = lower.strip_prefix(opening)?;
        let apart = rest.starts_with(|c: char| !c.is_alphanumeric());
        apart.then_some(rest)
    });
    match rest {
        Some(rest) if rest.contains(char::is_alphanumeric) => slug(rest),
        Some(_) | None => slug(motion),
    }
}

/// Parses `TERM=MEANING`, and rejects a term that is already defined.
///
/// # Errors
///
/// If a part is missing, or the term is in `known`.
pub(super) fn parse_definition(given: &str, known: &[Definition]) -> Result<Definition, Failure> {
    let refuse = |message: String| {
        Failure::new(Code::InvalidParameter, message)
            .parameter("define")
            .hint(
                Hint::new("for example: ")
                    .flag_with("define", "\"car=a vehicle with an engine and four wheels\""),
            )
    };
    let Some((term, meaning)) = given.split_once('=') else {
        return Err(refuse(
            "a definition must have the form TERM=MEANING".to_owned(),
        ));
    };
    let part = |text, what: &str| {
        one_line(text, "define").map_err(|cause| match cause.message.as_str() {
            "the define is empty" => refuse(format!("the definition has no {what}")),
            _ => cause,
        })
    };
    let (term, meaning) = (part(term, "term")?, part(meaning, "meaning")?);
    if known.iter().any(|one| one.term == term) {
        return Err(refuse(format!("`{term}` is defined twice")));
    }
    Ok(Definition { term, meaning })
}

/// Checks `TERM=MEANING` against the `known` definitions.
///
/// # Errors
///
/// If a part is missing, or the term is in `known`.
pub fn check_definition(given: &str, known: &[String]) -> Result<(), Failure> {
    let mut definitions = Vec::new();
    for given in known.iter().map(String::as_str).chain([given]) {
        definitions.push(parse_definition(given, &definitions)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use agon_caller::FailureKind;

    use super::*;

    #[test]
    fn a_name_leaves_out_what_begins_every_motion() {
        for (motion, name) in [
            (
                "This house would ban private cars in cities",
                "ban-private-cars-in-cities",
            ),
            ("THW ban cars", "ban-cars"),
            ("Resolved: AI development halts.", "ai-development-halts"),
            ("Resolved, that AI halts", "that-ai-halts"),
            ("Motionless things move", "motionless-things-move"),
            ("This house believes that 火", "huo"),
            ("Cities should ban cars", "cities-should-ban-cars"),
        ] {
            assert_eq!(suggest_slug(motion), name);
        }
    }

    #[test]
    fn a_term_has_one_meaning() {
        let car = parse_definition(" car = a vehicle = four wheels", &[]).unwrap();
        assert_eq!(
            (car.term.as_str(), car.meaning.as_str()),
            ("car", "a vehicle = four wheels")
        );
        for wrong in ["car", "=a vehicle", "car=", "car=another"] {
            let refused = parse_definition(wrong, std::slice::from_ref(&car)).unwrap_err();
            assert_eq!(
                (refused.kind, refused.parameter.as_deref()),
                (FailureKind::Usage, Some("define")),
                "{wrong}"
            );
        }
    }
}
