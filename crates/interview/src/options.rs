//! Derives the two options from a topic.
//!
//! A small model argues for one thing at a time, so code derives each side's option from the topic.
//! The options are recorded when a debate opens, since a later version may read a topic
//! differently.

use agon_record::options::{Contrast, Options, SideOption};

mod phrase;
mod setting;
mod split;
#[cfg(test)]
mod tests;
mod verb;

/// Maximum length of an option, in characters; a question with two options must stay short.
const MAX_OPTION: usize = 80;

/// Why a topic does not name two options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionsError {
    /// It does not name what it asks for, or asks for nothing.
    #[error("the topic does not name two options")]
    Open,
    /// It names three options or more.
    #[error("the topic names more than two options")]
    Many,
    /// An option is too long for a question.
    #[error("an option of the topic is too long")]
    Long,
}

/// Returns the two options of a topic; the first one is the proposer's.
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
/// If there are not two options, or they are too long.
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
            [one, other] => {
                phrase::two_alternatives(one, other, &question).ok_or(OptionsError::Open)
            }
            _ => Err(OptionsError::Many),
        };
    }
    phrase::do_or_not_options(&question)
        .or_else(|| phrase::yes_or_no_options(&question))
        .ok_or(OptionsError::Open)
}

/// Returns two contrasting options.
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
