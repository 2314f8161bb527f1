//! The question in the description of a change.

use std::path::Path;

use agon_caller::{Caller, Code, Failure};

/// The beginning of the line that is a question.
const MARK: &str = "agon:";
/// Maximum size of a description, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a description and returns its question: the rest of the first line that begins with
/// `Agon:`.
///
/// # Errors
///
/// If the file cannot be read, or is larger than 1 MiB.
pub fn read_question(caller: &Caller, path: &Path) -> Result<Option<String>, Failure> {
    let bytes = agon_files::read(&caller.cwd.join(path), MAX_BYTES).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        Failure::new(Code::InvalidParameter, message).parameter("description")
    })?;
    Ok(question_of(&String::from_utf8_lossy(&bytes)))
}

fn question_of(description: &str) -> Option<String> {
    let mut lines = description.lines();
    lines.find_map(|line| {
        let (mark, question) = line.trim_start().split_at_checked(MARK.len())?;
        let is_question = mark.eq_ignore_ascii_case(MARK);
        is_question.then(|| question.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_the_first_line_with_the_mark() {
        let description = "Adds a cache.\n\n  AGON: Is it safe under load?\nagon: Second?";
        assert_eq!(question_of(description).unwrap(), "Is it safe under load?");
        assert_eq!(question_of("Agonise over this"), None);
        assert_eq!(question_of("é"), None);
        assert_eq!(question_of(""), None);
    }
}
