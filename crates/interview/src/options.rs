//! The two options that a topic names.
//!
//! A small model argues for one thing at a time, so code reads out of the topic what each side
//! stands for. What is read goes into the record when a debate opens: a later version may read a
//! topic otherwise.

use agon_record::options::{Contrast, Options, SideOption};

mod phrase;
mod setting;
mod split;
#[cfg(test)]
mod tests;
mod verb;

/// Characters of the longest option: a question with two of them stays short.
const MAX_OPTION: usize = 80;

/// A topic that names no two options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// It asks for something that it does not name, or for nothing.
    #[error("the topic names no two options")]
    Open,
    /// It names three options or more.
    #[error("the topic names more than two options")]
    Many,
    /// An option is too long to be asked about.
    #[error("an option of the topic is too long")]
    Long,
}

/// The two options of a topic: what it names first is the proposer's.
///
/// ```
/// # use agon_interview::read_options;
/// let options = read_options("SQLite or plain files for the job store?")?;
/// assert_eq!(options.proposer.name, "SQLite");
/// assert_eq!(options.challenger.name, "plain files");
/// let options = read_options("Should cities ban private cars?")?;
/// assert_eq!(options.challenger.name, "Cities should not ban private cars");
/// assert!(read_options("How do we get faster?").is_err());
/// # Ok::<(), agon_interview::OptionsError>(())
/// ```
///
/// # Errors
///
/// If there are no two options, or they are too long.
pub fn read_options(topic: &str) -> Result<Options, OptionsError> {
    let options = read_any_length(topic)?;
    let texts = [
        &options.proposer.name,
        &options.challenger.name,
        &options.proposer.phrase,
        &options.challenger.phrase,
        &options.setting,
    ];
    match texts.iter().any(|text| text.chars().count() > MAX_OPTION) {
        true => Err(OptionsError::Long),
        false => Ok(options),
    }
}

fn read_any_length(topic: &str) -> Result<Options, OptionsError> {
    let question = setting::BareTopic::read(topic);
    if let Some(parts) = split::split_options(&question.text) {
        return match parts.as_slice() {
            [one, other] => phrase::between(one, other, &question).ok_or(OptionsError::Open),
            _ => Err(OptionsError::Many),
        };
    }
    phrase::for_and_against(&question)
        .or_else(|| phrase::yes_and_no(&question))
        .ok_or(OptionsError::Open)
}

/// Two options that are set against each other.
fn options(contrast: Contrast, sides: [SideOption; 2], setting: &str) -> Options {
    let [proposer, challenger] = sides;
    Options {
        contrast,
        proposer,
        challenger,
        setting: setting.to_owned(),
    }
}

fn option(name: impl Into<String>, phrase: impl Into<String>) -> SideOption {
    SideOption {
        name: name.into(),
        phrase: phrase.into(),
    }
}
