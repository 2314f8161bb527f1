//! Names and phrases that the sources do not use, since a newcomer has to learn what they mean.
//!
//! The table says by kind what is refused and what to write instead. Text of the command line's
//! help and of schemas is part of the product, so its doc comments are left alone.

mod comments;
mod defined;
mod table;

use anyhow::Result;

use crate::{shape, source::SourceText};

/// What is refused in production sources, a sentence for each name or phrase.
///
/// # Errors
/// When a source is not Rust.
pub(crate) fn violations(sources: &[SourceText]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for source in sources {
        let mut refusals = defined::refusals(source)?;
        refusals.extend(comments::refusals(source)?);
        refusals.sort_by_key(|refusal| refusal.line);
        found.extend(refusals.iter().map(|it| it.sentence(&source.path)));
    }
    for (name, places) in shape::repeated_types(sources)? {
        let count = places.len();
        let places = places.join(", ");
        found.push(format!(
            "{count} types are called `{name}`: let at most two have it ({places})"
        ));
    }
    Ok(found)
}

/// A name or phrase in a source that is refused.
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
        let text = "/// A lease.\nstruct Held;\n\n/// Begins anew.\nfn told() {}\n\nconst MOST_WORDS: u8 = 3;\n";
        let sources = [SourceText::new("crates/a/src/lib.rs".to_owned(), text)];
        assert_eq!(
            violations(&sources).unwrap(),
            [
                "crates/a/src/lib.rs:2 has the type `Held`: name what it holds or guards, as in Lease or FileLock",
                "crates/a/src/lib.rs:4 has the phrase `anew`: write `again`",
                "crates/a/src/lib.rs:5 has the function `told`: use a verb such as render, describe, report or notify",
                "crates/a/src/lib.rs:7 has the constant `MOST_WORDS`: begin it with MAX_",
            ]
        );
    }

    #[test]
    fn a_name_that_three_types_have_is_refused() {
        let source =
            |at: &str| SourceText::new(format!("crates/{at}/src/lib.rs"), "struct Margin;\n");
        assert_eq!(
            violations(&["a", "b"].map(source)).unwrap(),
            Vec::<String>::new()
        );
        assert_eq!(
            violations(&["a", "b", "c"].map(source)).unwrap(),
            ["3 types are called `Margin`: let at most two have it \
                 (crates/a/src/lib.rs:1, crates/b/src/lib.rs:1, crates/c/src/lib.rs:1)"]
        );
    }
}
