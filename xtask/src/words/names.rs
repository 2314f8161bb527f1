//! Names that the sources do not use, since a newcomer has to learn what they mean.
//!
//! The table lists by kind what is refused and what to write instead.

mod defined;
mod table;

use anyhow::Result;

use crate::source::SourceText;

/// Returns a sentence for each refused name in production sources.
///
/// # Errors
/// If a source is not Rust.
pub(crate) fn violations(sources: &[SourceText]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for source in sources {
        let mut refusals = defined::refusals(source)?;
        refusals.sort_by_key(|refusal| refusal.line);
        found.extend(refusals.iter().map(|it| it.sentence(&source.path)));
    }
    Ok(found)
}

/// A refused name in a source.
#[derive(Debug, PartialEq, Eq)]
struct Refusal {
    line: usize,
    kind: &'static str,
    name: String,
    instead: &'static str,
}

impl Refusal {
    fn sentence(&self, path: &str) -> String {
        let Self {
            line,
            kind,
            name,
            instead,
        } = self;
        format!("{path}:{line} has the {kind} `{name}`: {instead}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_its_place_and_what_to_write_instead() {
        let text = "/// A lease.\nstruct Held;\n\n/// Begins.\nfn told() {}\n\nconst MOST_WORDS: u8 = 3;\n";
        let sources = [SourceText::new("crates/a/src/lib.rs".to_owned(), text)];
        assert_eq!(
            violations(&sources).unwrap(),
            [
                "crates/a/src/lib.rs:2 has the type `Held`: name what it holds or guards, as in Lease or FileLock",
                "crates/a/src/lib.rs:5 has the function `told`: use a verb such as render, describe, report or notify",
                "crates/a/src/lib.rs:7 has the constant `MOST_WORDS`: begin it with MAX_",
            ]
        );
    }
}
